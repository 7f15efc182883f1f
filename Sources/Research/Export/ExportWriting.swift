import Contributions
import Dispatch
import Foundation
import Instruments
import JSON
import Locks
import Records
import Scheduling
import Secrets
import Studies
import Therapies
import Web
import Wire
import Wording

/// Opens sheets from the queue, adds prompts, and writes all files at once; on a thread of its own.
package struct ExportWriting: Sendable {
    let files: [(format: StudyExport.Format, path: String)]
    let study: StudyRecord
    let keys: Keyring
    let now: Instant
    let words: ExportWords
    /// Every version of the study's questionnaires.
    let versions: [QuestionnaireRecord]
    let timePoints: TimePointTable
    /// The canonical names of the questionnaires in FHIR, by their keys.
    let urls: [String: String]
    let codebook: [JSON]
    /// The number of rows and the lengths of their texts; only for files that state them in their header.
    let shape: ExportShape
    /// Seals the files; nil for plain ones.
    let key: SecretKey?
    /// The files of other areas.
    let more: [StudyFile]
    /// Nil for files that name the arms.
    let masking: ExportMasking?

    /// The manifest, and the SHA-256 of every file in their order.
    package typealias Outcome = (manifest: ExportManifest, digests: [String])

    /// The running work and its outcome.
    final class Writing: Sendable {
        private let result = Lock<Result<Outcome, any Error>?>(nil)
        private let end = DispatchSemaphore(value: 0)

        fileprivate func set(_ outcome: Result<Outcome, any Error>) {
            result.withLock { $0 = outcome }
            end.signal()
        }

        /// Waits until all files are closed.
        func wait() throws -> Outcome {
            end.wait()
            guard let outcome = result.withLock({ $0 }) else { throw CancellationError() }
            return try outcome.get()
        }
    }

    /// - Parameter manifest: the facts known before a sheet was opened.
    func begin(_ belt: ExportQueue, _ manifest: ExportManifest) -> Writing {
        let writing = Writing()
        let thread = Thread { [self] in
            do {
                writing.set(.success(try run(belt, manifest)))
            } catch {
                belt.fail(error)
                writing.set(.failure(error))
            }
        }
        thread.name = "export"
        thread.start()
        return writing
    }

    /// A file in progress.
    private struct Output {
        let format: StudyExport.Format
        var writer: any ExportWriter
        var sink: ExportSink

        mutating func begin(_ study: StudyRecord, _ now: Instant) throws {
            try writer.begin(study, now, &sink)
        }
        mutating func begin(_ enrolment: EnrolmentRecord) throws { try writer.begin(enrolment, &sink) }
        mutating func add(_ row: ExportRow) throws { try writer.add(row, &sink) }
        /// A row of a file that is not a list of occasions.
        mutating func add(_ row: [JSON]) throws { try writer.add(cells: row, &sink) }
        /// - Returns: the SHA-256 of the file.
        mutating func end(_ manifest: ExportManifest) throws -> String {
            try writer.end(manifest, &sink)
            return try sink.close()
        }
    }

    private func run(_ belt: ExportQueue, _ known: ExportManifest) throws -> Outcome {
        var manifest = known
        var outputs = try files.map { format, path in
            Output(format: format, writer: writer(format), sink: try ExportSink(path, key: key))
        }
        for index in outputs.indices { try outputs[index].begin(study, now) }
        while let person = try belt.take() {
            let enrolment = person.prompts.enrolment
            let events = masking.map { $0.shown(person.events) } ?? person.events
            for index in outputs.indices {
                try outputs[index].begin(masking?.masked(enrolment) ?? enrolment)
                outputs[index].writer.note(events, of: person.prompts)
            }
            try write(person, &outputs, &manifest)
            try writeTherapy(person, &outputs)
            try writeChanges(person, &outputs)
            try writeRows(person, &outputs)
        }
        manifest.moved = ExportVariables(versions.map(\.definition)).moved
        manifest.positions = outputs.compactMap { ($0.writer as? ExportSensors)?.positions }.reduce(0, +)
        var digests: [String] = []
        for index in outputs.indices { digests.append(try outputs[index].end(manifest)) }
        return (manifest, digests)
    }

    private func write(
        _ person: ExportQueue.Person, _ outputs: inout [Output], _ manifest: inout ExportManifest
    ) throws {
        let prompts = person.prompts
        let enrolment = masking?.masked(person.prompts.enrolment) ?? person.prompts.enrolment
        let tellsWay = masking?.tellsWay ?? true
        var byPlace = [[ExportQueue.Sealed]](repeating: [], count: prompts.all.items.count)
        for sheet in person.sheets {
            let item = sheet.record.itemID.map { ID<StudyItem>($0) }
            if let place = prompts.all.place(item, key: sheet.questionnaire.key) {
                byPlace[place].append(sheet)
            }
        }
        let events = Dictionary(person.events.map { ($0.id, $0) }) { first, _ in first }
        // Of a questionnaire that stands at several time points occasions are numbered on.
        var counted: [String: Int] = [:]
        for (item, own) in zip(prompts.all.items, byPlace) {
            if let masking, !masking.shows(item) { continue }
            let named = ExportRow.Item(item)
            let asked = prompts.prompts(of: item, until: now)
            let occasions = prompts.occasions(
                of: item, asked, own.map { (at: $0.record.completedAt, prompt: $0.record.promptedAt) },
                at: now)
            let told = person.reminders.isEmpty ? [:] : Dictionary(asked.map { ($0.at, $0) }) { $1 }
            // Both are in order of time.
            var come = asked[...]
            let earlier = counted[item.key] ?? 0
            // One that can still be answered keeps its number.
            let left = prompts.unanswered(asked, of: item, own.compactMap(\.record.promptedAt))
            counted[item.key] = earlier + own.count + (tellsWay ? left.count : 0)
            let together = AnsweredTogether.marked(
                own.map { (at: $0.record.completedAt, isPaper: $0.record.isPaper) })
            for (place, (number, occasion)) in occasions.filter({ tellsWay || $0.1.sheet != nil })
                .enumerated()
            {
                let sheet = try occasion.sheet.map { try opened(own[$0], person.key, tellsWay: tellsWay) }
                let state = occasion.prompt.map { at -> PromptState in
                    if sheet != nil { return .answered }
                    come = come.drop { $0.at < at }
                    return come.first.map(person.unseen.state) ?? .missed
                }
                manifest.count(state, sheet)
                var row = ExportRow(
                    participant: enrolment.codename, arm: enrolment.arm?.rawValue, questionnaire: item.key,
                    occasion: earlier + number, prompt: occasion.prompt, state: state, sheet: sheet,
                    item: named, isTogether: occasion.sheet.map(together.contains) ?? false,
                    reminder: person.reminder(of: occasion.prompt, item, among: told),
                    event: sheet?.record.eventID.flatMap { events[$0] })
                if !tellsWay { row.hideWay(occasion: earlier + place + 1) }
                for index in outputs.indices where outputs[index].format != .therapy {
                    try outputs[index].add(row)
                }
            }
        }
    }

    private func writeTherapy(_ person: ExportQueue.Person, _ outputs: inout [Output]) throws {
        guard let index = outputs.firstIndex(where: { $0.format == .therapy }) else { return }
        let enrolment = person.prompts.enrolment
        var numbers: [String: Int] = [:]
        for sealed in person.therapy {
            let key = sealed.questionnaire.key
            numbers[key, default: 0] += 1
            try outputs[index].add(
                ExportRow(
                    participant: enrolment.codename, arm: enrolment.arm?.rawValue, questionnaire: key,
                    occasion: numbers[key] ?? 1, prompt: nil, state: nil,
                    sheet: try opened(sealed, person.key)))
        }
    }

    private func writeChanges(_ person: ExportQueue.Person, _ outputs: inout [Output]) throws {
        guard let index = outputs.firstIndex(where: { $0.format == .profiles }) else { return }
        for sealed in person.changes {
            guard let version = versions.first(where: { $0.id == sealed.questionnaire }) else { continue }
            for row in ExportChanges.rows(try sealed.opened(person.key), version) {
                try outputs[index].add([.string(person.prompts.enrolment.codename)] + row)
            }
        }
    }

    /// The rows of other areas.
    private func writeRows(_ person: ExportQueue.Person, _ outputs: inout [Output]) throws {
        for index in outputs.indices {
            for row in outputs[index].format.file.flatMap({ person.rows[$0] }) ?? [] {
                try outputs[index].add([.string(person.prompts.enrolment.codename)] + row)
            }
        }
    }

    /// - Parameter tellsWay: whether to tell what only a device notes.
    private func opened(
        _ sealed: ExportQueue.Sealed, _ key: PersonKey, tellsWay: Bool = true
    ) throws -> ExportSheet {
        ExportSheet(
            sealed, answers: try JSON.parse(sealed.record.answers(key).bytes),
            details: tellsWay ? try sealed.record.details(key) : nil)
    }
}
