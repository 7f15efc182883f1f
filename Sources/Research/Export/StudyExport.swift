import Contributions
import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Secrets
import Studies
import Web
import Wire
import Wording

/// A study as files: participants by codename, every sheet with its answers and scores, and every prompt without an
/// answer. Written piece by piece, one participant after the other and all files at once, so that memory does not
/// depend on its size. Consent is checked at this moment.
package struct StudyExport {
    package let study: StudyRecord
    package let keys: Keyring
    package let cache: QuestionnaireCache
    package let now: Instant
    /// The language of labels and of the README.
    package let texts: Texts
    /// The program's own words in the files.
    let words: ExportWords
    /// Seals files while they wait; nil for plain ones, where an operator names the file.
    package let key: SecretKey?
    /// The files that other areas fill.
    package private(set) var more: [StudyFile]
    /// Whether arms are named by their masked labels alone (ST-5).
    let isMasked: Bool

    /// - Parameter installed: the sentences of every language.
    package init(
        study: StudyRecord, keys: Keyring, cache: QuestionnaireCache, now: Instant, texts: Texts,
        installed: [Texts], key: SecretKey?, more: [StudyFile], isMasked: Bool = false
    ) {
        self.more = isMasked ? [] : more
        self.isMasked = isMasked
        words = ExportWords(installed, texts.language)
        self.study = study
        self.keys = keys
        self.cache = cache
        self.now = now
        self.texts = texts
        self.key = key
    }

    /// The number of participants written, of all; may throw to stop it.
    package typealias Progress = (_ done: Int, _ all: Int) throws -> Void

    /// - Returns: the manifest.
    /// - Throws: when the file cannot be written.
    @discardableResult
    package func write(
        _ format: Format, to path: String, progress: Progress = { _, _ in },
        _ connection: borrowing Connection
    ) throws -> ExportManifest {
        if isMasked, !format.isMaskable { throw Problem.invalid("masked", "studies.export_not_masked") }
        if format == .zip {
            return try ExportArchive(export: self).write(path, progress: progress, connection)
        }
        return try write([(format, path)], progress: progress, connection).manifest
    }

    /// Several files in one pass: one thread reads the database, another opens each sheet once and writes.
    package func write(
        _ files: [(format: Format, path: String)], progress: Progress, _ connection: borrowing Connection
    ) throws -> ExportWriting.Outcome {
        var settled = self
        settled.more = try more.map { try $0.settled(connection) }
        return try settled.writeSettled(files, progress: progress, connection)
    }

    /// - Parameter files: columns of all of them are known.
    private func writeSettled(
        _ files: [(format: Format, path: String)], progress: Progress, _ connection: borrowing Connection
    ) throws -> ExportWriting.Outcome {
        let prompts = try StudyPrompts(study, connection)
        let people = try EnrolmentStore.consenting(in: study.id, connection)
        var manifest = ExportManifest()
        manifest.participants = Set(people.map(\.accountID)).count
        manifest.withheld = try EnrolmentStore.withheld(in: study.id, connection)
        manifest.removed = try EnrolmentStore.removed(in: study.id, connection)
        manifest.erased = try FlowStore.flow(of: study.id, connection).erased
        manifest.location = try LocationCounts(study.id, people, connection)
        let stored = try GroupStore.find(study.id, connection)
        let groups = stored?.groups
        let masking = isMasked ? ExportMasking(stored, prompts.items) : nil
        let items = masking?.shown ?? prompts.items
        let versions = try versions(items, connection)
        let hasTherapy = files.contains { $0.format == .therapy }
        let named = Set(files.compactMap(\.format.file))
        manifest.basis = try ExportBasis(
            people, in: study, hasMeasures: !named.isEmpty,
            hasTherapy: hasTherapy || more.contains { named.contains($0.name) && $0.consent != .ticks },
            connection)
        let tellsReminders = files.contains { $0.format == .prompts }
        let hasEvents = items.contains { $0.event != nil }
        let hasProfiles = files.contains { $0.format == .profiles }
        let work = ExportWriting(
            files: files, study: study, keys: keys, now: now, words: words,
            versions: versions,
            timePoints: TimePointTable(
                items, versions.map(\.definition), in: study,
                // What therapies ask may differ by arm: protocols can be for one of them alone.
                groups: groups,
                therapies: masking == nil
                    ? try ofTherapies(groups, of: people, versions, connection) : .init()),
            urls: Dictionary(try versions.map { ($0.key, try $0.url(keys, connection)) }) { url, _ in url },
            codebook: try codebook(items, connection),
            shape: try shape(
                of: people, prompts, versions, masking: masking, for: files.map(\.format), connection),
            key: key, more: more, masking: masking)
        let belt = ExportQueue()
        let writing = work.begin(belt, manifest)
        do {
            for (done, enrolment) in people.enumerated() {
                try progress(done, people.count)
                guard let account = try AccountStore.find(enrolment.accountID, connection) else { continue }
                let key = try account.key(keys)
                let sheets = try sheets(of: enrolment, connection)
                try belt.put(
                    ExportQueue.Person(
                        prompts: try prompts.of(enrolment, connection),
                        unseen: try UnseenTimes(of: account.id, connection), key: key, sheets: sheets,
                        events: hasEvents ? try StudyEventStore.all(of: enrolment.id, connection) : [],
                        therapy: hasTherapy ? try therapy(of: enrolment, connection) : [],
                        changes: try hasProfiles
                            ? changes(of: account.id, among: sheets, connection) : [],
                        reminders: try tellsReminders
                            ? StudyReminderStore.all(of: enrolment.id, connection) : [:],
                        rows: try further(of: enrolment, key, named, connection)))
            }
        } catch {
            belt.stop()
            _ = try? writing.wait()
            throw error
        }
        belt.finish()
        let written = try writing.wait()
        try progress(people.count, people.count)
        return written
    }

    // MARK: Reading

    /// What outcomes of the therapy say, of all participants: a number each.
    private func ofTherapies(
        _ groups: TrialDesign?, of people: [EnrolmentRecord], _ versions: [QuestionnaireRecord],
        _ connection: borrowing Connection
    ) throws -> TimePointTable.OfTherapies {
        var all = TimePointTable.OfTherapies()
        for outcome in groups?.outcomes ?? [] {
            guard let therapy = try TherapyOutcome(outcome, in: study, of: people, connection) else {
                continue
            }
            all.outcomes.append((outcome, try therapy.values(connection)))
        }
        let asked = Set(versions.map(\.key))
        let others = (groups?.ofTherapies ?? []).filter { !asked.contains($0) }
        all.records = try others.flatMap { try self.versions(of: $0, connection) }
        return all
    }

    private func sheets(
        of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> [ExportQueue.Sealed] {
        let scores = try StudyContributionStore.scores(of: enrolment.id, connection)
        var sheets: [ExportQueue.Sealed] = []
        try StudyContributionStore.each(of: enrolment.id, connection) { record in
            let known = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            guard let known else { return }
            sheets.append(.init(record: record, questionnaire: known, scores: scores[record.id] ?? []))
        }
        return sheets
    }

    /// Answers in therapies during a participation: only of participants who consent to research as well.
    private func therapy(
        of enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> [ExportQueue.Sealed] {
        let account = enrolment.accountID
        guard let begin = enrolment.enrolledAt, try EnrolmentStore.agreesToResearch(enrolment, connection)
        else { return [] }
        let records = try StudyContributionStore.ofTherapies(
            of: account, from: begin, to: enrolment.end(in: study, at: now), connection)
        var sheets: [ExportQueue.Sealed] = []
        for part in stride(from: 0, to: records.count, by: 200).map({ records[$0...].prefix(200) }) {
            let scores = try ContributionStore.scores(of: part.map(\.id), account: account, connection)
            for record in part {
                let known = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
                guard let known else { continue }
                sheets.append(.init(record: record, questionnaire: known, scores: scores[record.id] ?? []))
            }
        }
        return sheets
    }

    /// The former states of the profiles among a participant's sheets.
    private func changes(
        of account: ID<Account>, among sheets: [ExportQueue.Sealed], _ connection: borrowing Connection
    ) throws -> [SealedProfileChange] {
        let own = Set(sheets.filter { $0.questionnaire.definition.mode == .living }.map(\.record.id))
        if own.isEmpty { return [] }
        return try LivingSheetStore.changes(of: account, connection).filter { own.contains($0.sheet) }
    }

    /// The rows of files that other areas fill, for a participant's time in the study.
    func further(
        of enrolment: EnrolmentRecord, _ key: PersonKey, _ named: Set<String>,
        _ connection: borrowing Connection
    ) throws -> [String: [[JSON]]] {
        let wanted = more.filter { named.contains($0.name) }
        let told = ToldRows(study: study, keys: keys, now: now)
        guard !wanted.isEmpty, let person = try told.person(enrolment, key, connection) else { return [:] }
        return try told.rows(of: person, in: wanted, connection)
    }

    private func versions(
        _ items: [StudyItem], _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try items.distinct.flatMap { try versions(of: $0.key, connection) }
    }

    private func versions(
        of key: String, _ connection: borrowing Connection
    ) throws -> [QuestionnaireRecord] {
        try QuestionnaireStore.versions(key, connection).compactMap {
            try QuestionnaireStore.find($0.id, cache, connection)
        }
    }

    /// Every version that was answered or is in use, with its questions and the meaning of their values.
    private func codebook(_ items: [StudyItem], _ connection: borrowing Connection) throws -> [JSON] {
        try items.distinct.flatMap { item in
            try QuestionnaireStore.versions(item.key, connection).compactMap {
                try QuestionnaireStore.file($0.id, connection)
            }
        }
    }
}
