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
            let baseline = found.filter { $0.item.baseline == .required && !$0.assignment.isAnswered }
            let asked = (baseline.isEmpty ? found : baseline).filter { !$0.assignment.isAnswered }
            let next = Dictionary(grouping: asked.filter { $0.assignment.availableFrom > now }, by: \.item.id)
                .compactMapValues { $0.map(\.assignment.availableFrom).min() }
            return asked.filter {
                $0.assignment.availableFrom <= now || $0.assignment.availableFrom == next[$0.item.id]
            }.map(\.assignment)
        }.sorted { ($0.dueAt, $0.id) < ($1.dueAt, $1.id) }
    }

    /// One that could be answered at a moment, answered or not; nil for none.
    func find(
        _ id: String, at completed: Instant, _ connection: borrowing Connection
    ) throws -> StudyAssignment? {
        for (study, enrolment) in try taking(connection) {
            let found = try all(study, enrolment, on: completed, connection)
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

    private func all(
        _ study: StudyRecord, _ enrolment: EnrolmentRecord, on moment: Instant,
        _ connection: borrowing Connection
    ) throws -> [(item: StudyItem, assignment: StudyAssignment)] {
        let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
        let sheets = try StudySheetStore.completed(as: enrolment.id, connection)
        return try prompts.all.items.flatMap { item -> [(item: StudyItem, assignment: StudyAssignment)] in
            guard item.deactivatedAt == nil,
                let record = try QuestionnaireStore.newest(item.key, cache, connection)
            else { return [] }
            let times = sheets.filter { $0.key == item.key }.map(\.at)
            let hasPrompts = !item.schedules.isEmpty || prompts.own[item.id]?.last?.times != nil
            let found =
                hasPrompts
                ? asked(item, prompts, times, on: moment)
                : [once(item, enrolment, study, isAnswered: !times.isEmpty)]
            return found.map { entry in
                let assignment = StudyAssignment(
                    id: entry.id, study: study.id, questionnaire: record, availableFrom: entry.from,
                    dueAt: entry.due, isAnswered: entry.isAnswered)
                return (item, assignment)
            }
        }
    }

    private typealias Asked = (id: String, from: Instant, due: Instant, isAnswered: Bool)

    /// The prompts of a local day, and the next one after it.
    private func asked(
        _ item: StudyItem, _ prompts: StudyPrompts.OfOne, _ times: [Instant], on moment: Instant
    ) -> [Asked] {
        let (enrolment, zone) = (prompts.enrolment, prompts.enrolment.zone)
        let day = LocalTime(moment, zone).date
        let (begin, end) = (
            zone.instant(day, hour: 0, minute: 0), zone.instant(day.adding(days: 1), hour: 0, minute: 0)
        )
        let soon = end.adding(days: Self.aheadDays)
        let found = prompts.prompts(of: item, answered: times.first, since: begin, until: soon)
        let today = found.prefix { $0 < end }
        let ownSheets = times.filter { $0 >= begin && $0 < end }
        let answered = Set(
            AskedSheet.paired(Array(today), ownSheets, zone).filter { $0.sheet != nil }.compactMap(\.prompt))
        return (today + found.dropFirst(today.count).prefix(1)).map { prompt in
            let local = LocalTime(prompt, zone).date.adding(days: 1)
            let id = DerivedID.of("study", enrolment.id, item.id, String(prompt.milliseconds))
            let due = zone.instant(local, hour: 0, minute: 0).adding(seconds: -1)
            return (id, prompt, due, answered.contains(prompt))
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
