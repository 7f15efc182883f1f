import Database
import Foundation
import HTTP
import Secrets
import Wire

/// What an export holds, and what was left out.
struct ExportManifest: Encodable, Sendable {
    var participants = 0
    /// Enrolled, but their consent was withdrawn: nothing of them is in it.
    var withheld = 0
    var sheets = 0
    var missed_prompts = 0
}

/// A study as a file: participants by codename, every sheet with its answers and scores, and every prompt without an
/// answer. Written piece by piece, so that its size does not matter to memory. Who is in it is asked at this moment.
struct StudyExport {
    enum Format: String, Sendable, CaseIterable {
        /// Long, wide, and what the variables mean; each also for spreadsheets set to German.
        case csv, wide, codebook
        case germanLong = "csv-de"
        case germanWide = "wide-de"
        case germanCodebook = "codebook-de"
        case json, fhir
        /// What reads the wide file into SPSS, PSPP and R.
        case sps
        case r

        var type: String {
            switch self {
            case .json: "application/json"
            case .fhir: "application/fhir+json"
            case .sps, .r: "text/plain; charset=utf-8"
            default: "text/csv; charset=utf-8"
            }
        }

        /// What stands behind the study's name.
        var suffix: String {
            switch self {
            case .csv: ".csv"
            case .json: ".json"
            case .fhir: "-fhir.json"
            case .sps: ".sps"
            case .r: ".R"
            default: "-\(rawValue).csv"
            }
        }
    }

    let study: StudyRecord
    let keys: Keyring
    let cache: QuestionnaireCache
    let now: Instant
    /// Of labels in syntax files.
    var language = Language.german

    /// - Returns: what it holds.
    /// - Throws: when the file cannot be written.
    func write(_ format: Format, to path: String, _ connection: borrowing Connection) throws -> ExportManifest
    {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? file.close() }
        var sink = ExportSink(file)
        let prompts = try StudyPrompts(study, connection)
        let people = try EnrolmentStore.consenting(in: study.id, connection)
        var manifest = ExportManifest()
        manifest.participants = people.count
        manifest.withheld = try EnrolmentStore.withheld(in: study.id, connection)
        var writer = try writer(format, prompts.items, connection)
        try writer.begin(study, now, &sink)
        for enrolment in people {
            guard let account = try AccountStore.find(enrolment.accountID, connection) else { continue }
            try writer.begin(enrolment, &sink)
            try write(
                try prompts.of(enrolment, connection), try account.key(keys), writer: &writer, &manifest,
                &sink,
                connection)
        }
        try writer.end(manifest, &sink)
        try sink.flush()
        return manifest
    }

    private func writer(
        _ format: Format, _ items: [StudyItem], _ connection: borrowing Connection
    ) throws -> any ExportWriter {
        let records = try items.flatMap { item in
            try QuestionnaireStore.versions(item.key, connection).compactMap {
                try QuestionnaireStore.find($0.id, cache, connection)
            }
        }
        switch format {
        case .csv: return LongExport(dialect: .plain)
        case .germanLong: return LongExport(dialect: .german)
        case .wide: return WideExport(.plain, records.map(\.definition))
        case .germanWide: return WideExport(.german, records.map(\.definition))
        case .codebook: return Codebook(.plain, records)
        case .germanCodebook: return Codebook(.german, records)
        case .json: return JSONExport(try codebook(items, connection))
        case .fhir: return FHIRExport()
        case .sps: return SPSSExport(list: VariableList(records.map(\.definition), language))
        case .r: return RExport(list: VariableList(records.map(\.definition), language))
        }
    }

    private func write(
        _ prompts: StudyPrompts.OfOne, _ key: PersonKey, writer: inout any ExportWriter,
        _ manifest: inout ExportManifest, _ sink: inout ExportSink, _ connection: borrowing Connection
    ) throws {
        let enrolment = prompts.enrolment
        var sheets: [String: [ExportSheet]] = [:]
        let scores = try StudySheetStore.scores(of: enrolment.id, connection)
        try StudySheetStore.each(of: enrolment.id, connection) { record in
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                return
            }
            sheets[questionnaire.key, default: []].append(
                ExportSheet(
                    record: record, questionnaire: questionnaire,
                    answers: try JSON.parse(record.answers(key).bytes),
                    details: try record.details(key), scores: scores[record.id] ?? []))
        }
        for item in prompts.all.items {
            let own = sheets[item.key] ?? []
            let asked = prompts.prompts(of: item, answered: own.first?.record.completedAt, until: now)
            let occasions = AskedSheet.paired(asked, own.map(\.record.completedAt), enrolment.zone)
            for (number, occasion) in occasions.enumerated() {
                let sheet = occasion.sheet.map { own[$0] }
                if sheet == nil { manifest.missed_prompts += 1 } else { manifest.sheets += 1 }
                try writer.add(
                    ExportRow(
                        participant: enrolment.codename, questionnaire: item.key, occasion: number + 1,
                        prompt: occasion.prompt, sheet: sheet), &sink)
            }
        }
    }

    /// Every version that was answered or is in use, with its questions and what their values mean.
    private func codebook(_ items: [StudyItem], _ connection: borrowing Connection) throws -> [JSON] {
        try items.flatMap { item in
            try QuestionnaireStore.versions(item.key, connection).compactMap {
                try QuestionnaireStore.file($0.id, connection)
            }
        }
    }
}

/// A sheet with its answers opened.
struct ExportSheet {
    let record: ContributionRecord
    let questionnaire: QuestionnaireRecord
    let answers: JSON
    /// Times of the single answers and sensors; nil when none were sent.
    let details: StoredJSON?
    let scores: [ScaleScore]
}

/// One occasion of one participant.
struct ExportRow {
    let participant: String
    let questionnaire: String
    /// Counts the occasions of this questionnaire, prompts without an answer too.
    let occasion: Int
    let prompt: Instant?
    /// Nil for a prompt without an answer.
    let sheet: ExportSheet?
}

/// Collects bytes and passes them on in large pieces.
struct ExportSink {
    private let file: FileHandle
    private var bytes: [UInt8] = []
    private static let piece = 1 << 18

    init(_ file: FileHandle) { self.file = file }

    mutating func write(_ text: String) throws {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.piece { try flush() }
    }

    mutating func write(_ more: [UInt8]) throws {
        bytes += more
        if bytes.count >= Self.piece { try flush() }
    }

    mutating func flush() throws {
        try file.write(contentsOf: Data(bytes))
        bytes.removeAll(keepingCapacity: true)
    }
}

/// A format to write a study in.
protocol ExportWriter {
    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws
    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws
}
