import Database
import HTTP
import Wire

/// What a study asks somebody to fill in: a prompt until the end of its local day, or a questionnaire without prompts
/// until it has been answered once. Not stored: it follows from the prompts.
struct StudyAssignment: Sendable {
    let id: String
    let study: String
    let questionnaire: QuestionnaireRecord
    let availableFrom: Instant
    let dueAt: Instant
    let isAnswered: Bool

    func wire(draft: Answers, _ language: Language) -> Assignment {
        let shown = questionnaire.definition.visibleSections(draft).flatMap(\.questions)
        return Assignment(
            questionnaireID: questionnaire.id, questionnaireKey: questionnaire.key,
            version: questionnaire.version, title: questionnaire.title(language), source: "study",
            availableFrom: availableFrom, dueAt: dueAt,
            progress: .init(answered: shown.count { draft[$0.key] != nil }, total: shown.count))
    }
}

/// Finds what studies ask of one person.
struct StudyAssignments {
    let account: String
    let cache: QuestionnaireCache
    let now: Instant

    private static let aheadDays: Int64 = 31

    /// Today's prompts without an answer, the next one of each questionnaire, and what is asked without prompts; in
    /// order of when they are due. While a required baseline is open, nothing else is.
    func open(_ connection: borrowing Connection) throws -> [StudyAssignment] {
        try taking(connection).flatMap { study, enrolment -> [StudyAssignment] in
            guard study.isRunning(at: now), enrolment.state == .enrolled else { return [] }
            let found = try all(study, enrolment, on: now, connection)
            let baseline = found.filter { $0.isOpenBaseline }
            let asked = (baseline.isEmpty ? found : baseline).filter { !$0.assignment.isAnswered }
            let next = Dictionary(grouping: asked.filter { $0.assignment.availableFrom > now }, by: \.item)
                .compactMapValues { $0.map(\.assignment.availableFrom).min() }
            return asked.filter {
                $0.assignment.availableFrom <= now || $0.assignment.availableFrom == next[$0.item]
            }.map(\.assignment)
        }.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
    }

    /// One that could be answered at a moment, or on the day before, answered or not; nil for none. In the version of that
    /// time, also when the questionnaire went out of use since: it may come late.
    func find(
        _ id: String, at completed: Instant, _ connection: borrowing Connection
    ) throws -> StudyAssignment? {
        for (study, enrolment) in try taking(connection) {
            let found = try all(study, enrolment, on: completed, isLate: true, connection)
            if let match = found.first(where: { $0.assignment.id == id }) { return match.assignment }
        }
        return nil
    }

    private func taking(
        _ connection: borrowing Connection
    ) throws -> [(StudyRecord, EnrolmentRecord)] {
        try EnrolmentStore.all(of: account, connection).compactMap { enrolment in
            guard enrolment.enrolledAt != nil, enrolment.arm != .noApp,
                let study = try StudyStore.find(enrolment.studyID, connection)
            else { return nil }
            return (study, enrolment)
        }
    }

    private typealias Found = (item: String, isOpenBaseline: Bool, assignment: StudyAssignment)

    private func all(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, on moment: Instant, isLate: Bool = false,
        _ connection: borrowing Connection
    ) throws -> [Found] {
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        let sheets = try StudySheetStore.short(as: enrolment.id, connection)
        return try prompts.all.items.flatMap { item -> [Found] in
            guard moment <= (item.deactivatedAt ?? .distantFuture),
                let record = try version(of: item.key, at: isLate ? moment : nil, connection)
            else { return [] }
            let own = sheets.filter { $0.key == item.key }
            let hasPrompts = !item.schedules.isEmpty || prompts.own[item.id]?.last?.times != nil
            let found =
                hasPrompts
                ? asked(item, prompts, own, on: moment, isLate: isLate)
                : [once(item, enrolment, study, isAnswered: !own.isEmpty)]
            return found.map { entry in
                let assignment = StudyAssignment(
                    id: entry.id, study: study.id, questionnaire: record, availableFrom: entry.from,
                    dueAt: entry.due, isAnswered: entry.isAnswered)
                return (item.id, item.baseline == .required && own.isEmpty, assignment)
            }
        }
    }

    /// The version in use; of a past moment the one that phones had then.
    private func version(
        of key: String, at moment: Instant?, _ connection: borrowing Connection
    ) throws -> QuestionnaireRecord? {
        guard let moment else { return try QuestionnaireStore.newest(key, cache, connection) }
        let versions = try QuestionnaireStore.versions(key, connection)
        let known = versions.first { $0.publishedAt <= moment } ?? versions.last
        return try known.flatMap { try QuestionnaireStore.find($0.id, cache, connection) }
    }

    private typealias Asked = (id: String, from: Instant, due: Instant, isAnswered: Bool)

    /// The prompts of a local day, and the next one after it; of what comes late those of the day before too. A prompt is
    /// answered by the sheet that named it, else sheets that named none are taken in order.
    private func asked(
        _ item: StudyItem, _ prompts: StudyPrompts.OfOne, _ sheets: [StudySheetStore.Short],
        on moment: Instant, isLate: Bool
    ) -> [Asked] {
        let (enrolment, zone) = (prompts.enrolment, prompts.enrolment.zone)
        let day = LocalTime(moment, zone).date
        let begin = zone.instant(day.adding(days: isLate ? -1 : 0), hour: 0, minute: 0)
        let end = zone.instant(day.adding(days: 1), hour: 0, minute: 0)
        let found = prompts.prompts(
            of: item, answered: sheets.first?.at, since: begin, until: end.adding(days: Self.aheadDays))
        let id = { (prompt: Instant) in
            DerivedID.of("study", enrolment.id, item.id, String(prompt.milliseconds))
        }
        let named = Set(sheets.compactMap(\.prompt))
        let today = found.prefix { $0 < end }
        let free = sheets.filter { $0.prompt == nil && $0.at >= begin && $0.at < end }.map(\.at)
        let pairs = AskedSheet.paired(today.filter { !named.contains(id($0)) }, free, zone)
        let answered = Set(pairs.filter { $0.sheet != nil }.compactMap(\.prompt))
        return (today + found.dropFirst(today.count).prefix(1)).map { prompt in
            let next = LocalTime(prompt, zone).date.adding(days: 1)
            let due = zone.instant(next, hour: 0, minute: 0).adding(seconds: -1)
            return (id(prompt), prompt, due, named.contains(id(prompt)) || answered.contains(prompt))
        }
    }

    /// What is asked without a moment is open until the study ends, or for a year at a time.
    private func once(
        _ item: StudyItem, _ enrolment: EnrolmentRecord, _ study: StudyRecord, isAnswered: Bool
    ) -> Asked {
        let from = max(enrolment.enrolledAt ?? item.addedAt, item.addedAt)
        let year: Int64 = 365 * 86_400
        let years = max(0, now.seconds - from.seconds) / year + 1
        return (
            DerivedID.of("study", enrolment.id, item.id, "once"), from,
            study.endsAt ?? from.adding(seconds: years * year), isAnswered
        )
    }
}
