import Database
import Foundation
import HTTP
import Secrets
import Wire

/// A study as files: participants by codename, every sheet with its answers and scores, and every prompt without an
/// answer. Written piece by piece, one person after the other and all files at once, so that its size does not matter to
/// memory. Who is in it is asked at this moment.
struct StudyExport {
    let study: StudyRecord
    let keys: Keyring
    let cache: QuestionnaireCache
    let now: Instant
    /// Of labels and of the README.
    let texts: Texts

    /// How many participants are written, of how many; may throw to stop it.
    typealias Progress = (_ done: Int, _ all: Int) throws -> Void

    /// - Returns: what it holds.
    /// - Throws: when the file cannot be written.
    @discardableResult
    func write(
        _ format: Format, to path: String, progress: Progress = { _, _ in },
        _ connection: borrowing Connection
    ) throws -> ExportManifest {
        if format == .zip {
            return try ExportArchive(export: self).write(path, progress: progress, connection)
        }
        return try write([(format, path)], progress: progress, connection)
    }

    /// A file that is being written.
    private struct Output {
        let format: Format
        var writer: any ExportWriter
        var sink: ExportSink

        mutating func begin(_ study: StudyRecord, _ now: Instant) throws {
            try writer.begin(study, now, &sink)
        }
        mutating func begin(_ enrolment: EnrolmentRecord) throws { try writer.begin(enrolment, &sink) }
        mutating func add(_ row: ExportRow) throws { try writer.add(row, &sink) }
        mutating func end(_ manifest: ExportManifest) throws {
            try writer.end(manifest, &sink)
            try sink.close()
        }
    }

    /// Several files in one go: every sheet is opened once.
    func write(
        _ files: [(format: Format, path: String)], progress: Progress, _ connection: borrowing Connection
    ) throws -> ExportManifest {
        let prompts = try StudyPrompts(study, connection)
        let people = try EnrolmentStore.consenting(in: study.id, connection)
        var manifest = ExportManifest()
        manifest.participants = people.count
        manifest.withheld = try EnrolmentStore.withheld(in: study.id, connection)
        manifest.codenames = people.map(\.codename)
        let needsCount = files.contains { $0.format == .sav }
        let rows = needsCount ? try people.reduce(0) { try $0 + count(prompts, $1, connection) } : 0
        var outputs = try files.map { format, path in
            let writer = try writer(format, prompts.items, rows: rows, connection)
            return Output(format: format, writer: writer, sink: try ExportSink(path))
        }
        for index in outputs.indices {
            try outputs[index].begin(study, now)
        }
        for (done, enrolment) in people.enumerated() {
            try progress(done, people.count)
            guard let account = try AccountStore.find(enrolment.accountID, connection) else { continue }
            for index in outputs.indices {
                try outputs[index].begin(enrolment)
            }
            let key = try account.key(keys)
            let own = try prompts.of(enrolment, connection)
            try write(own, key, &outputs, &manifest, connection)
            try writeTherapy(enrolment, key, &outputs, connection)
        }
        for index in outputs.indices {
            try outputs[index].end(manifest)
        }
        try progress(people.count, people.count)
        return manifest
    }

    private func writer(
        _ format: Format, _ items: [StudyItem], rows: Int, _ connection: borrowing Connection
    ) throws -> any ExportWriter {
        let records = try items.flatMap { item in
            try QuestionnaireStore.versions(item.key, connection).compactMap {
                try QuestionnaireStore.find($0.id, cache, connection)
            }
        }
        let definitions = records.map(\.definition)
        let list = { VariableList(definitions, texts.language) }
        switch format {
        case .csv, .therapy, .zip: return LongExport(.plain)
        case .germanLong: return LongExport(.german)
        case .wide: return WideExport(.plain, definitions)
        case .germanWide: return WideExport(.german, definitions)
        case .codebook: return Codebook(.plain, records)
        case .germanCodebook: return Codebook(.german, records)
        case .json: return JSONExport(try codebook(items, connection))
        case .fhir: return FHIRExport()
        case .sps: return SPSSExport(list: list())
        case .r: return RExport(list: list())
        case .sav: return SavExport(list(), definitions, rows: rows)
        case .sensors: return SensorExport()
        case .times: return TimesExport()
        }
    }

    /// How many occasions somebody has, without opening a sheet.
    private func count(
        _ prompts: StudyPrompts, _ enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Int {
        let own = try prompts.of(enrolment, connection)
        let sheets = try StudySheetStore.completed(as: enrolment.id, connection)
        let byKey = Dictionary(grouping: sheets, by: \.key)
        return prompts.items.reduce(0) { sum, item in
            let times = (byKey[item.key] ?? []).map(\.at)
            let asked = own.prompts(of: item, answered: times.first, until: now)
            return sum + AskedSheet.paired(asked, times, enrolment.zone).count
        }
    }

    private func write(
        _ prompts: StudyPrompts.OfOne, _ key: PersonKey, _ outputs: inout [Output],
        _ manifest: inout ExportManifest, _ connection: borrowing Connection
    ) throws {
        let enrolment = prompts.enrolment
        var sheets: [String: [ExportSheet]] = [:]
        let scores = try StudySheetStore.scores(of: enrolment.id, connection)
        try StudySheetStore.each(of: enrolment.id, connection) { record in
            let sheet = try sheet(record, key, scores[record.id] ?? [], connection)
            if let sheet { sheets[sheet.questionnaire.key, default: []].append(sheet) }
        }
        for item in prompts.all.items {
            let own = sheets[item.key] ?? []
            let asked = prompts.prompts(of: item, answered: own.first?.record.completedAt, until: now)
            let occasions = AskedSheet.paired(asked, own.map(\.record.completedAt), enrolment.zone)
            for (number, occasion) in occasions.enumerated() {
                let sheet = occasion.sheet.map { own[$0] }
                if sheet == nil { manifest.missed_prompts += 1 } else { manifest.sheets += 1 }
                let row = ExportRow(
                    participant: enrolment.codename, arm: enrolment.arm?.rawValue, questionnaire: item.key,
                    occasion: number + 1, prompt: occasion.prompt, sheet: sheet)
                for index in outputs.indices where outputs[index].format != .therapy {
                    try outputs[index].add(row)
                }
            }
        }
    }

    /// What was answered in therapies while somebody took part: only of those who have said yes to research as well.
    private func writeTherapy(
        _ enrolment: EnrolmentRecord, _ key: PersonKey, _ outputs: inout [Output],
        _ connection: borrowing Connection
    ) throws {
        guard let index = outputs.firstIndex(where: { $0.format == .therapy }),
            let begin = enrolment.enrolledAt,
            try EnrolmentStore.hasResearchConsent(enrolment.accountID, connection)
        else { return }
        let records = try StudySheetStore.ofTherapies(
            of: enrolment.accountID, from: begin, to: enrolment.leftAt ?? now, connection)
        var numbers: [String: Int] = [:]
        for part in stride(from: 0, to: records.count, by: 200).map({ records[$0...].prefix(200) }) {
            let scores = try ContributionStore.scores(
                of: part.map(\.id), account: enrolment.accountID, connection)
            for record in part {
                guard let sheet = try sheet(record, key, scores[record.id] ?? [], connection) else {
                    continue
                }
                numbers[sheet.questionnaire.key, default: 0] += 1
                let row = ExportRow(
                    participant: enrolment.codename, arm: enrolment.arm?.rawValue,
                    questionnaire: sheet.questionnaire.key,
                    occasion: numbers[sheet.questionnaire.key] ?? 1, prompt: nil, sheet: sheet)
                try outputs[index].add(row)
            }
        }
    }

    private func sheet(
        _ record: ContributionRecord, _ key: PersonKey, _ scores: [ScaleScore],
        _ connection: borrowing Connection
    ) throws -> ExportSheet? {
        guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
        else { return nil }
        return ExportSheet(
            record: record, questionnaire: questionnaire,
            answers: try JSON.parse(record.answers(key).bytes), details: try record.details(key),
            scores: scores)
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

/// A format to write a study in.
protocol ExportWriter {
    mutating func begin(_ study: StudyRecord, _ now: Instant, _ sink: inout ExportSink) throws
    mutating func begin(_ enrolment: EnrolmentRecord, _ sink: inout ExportSink) throws
    mutating func add(_ row: ExportRow, _ sink: inout ExportSink) throws
    mutating func end(_ manifest: ExportManifest, _ sink: inout ExportSink) throws
}
