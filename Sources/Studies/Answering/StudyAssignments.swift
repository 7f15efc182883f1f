import Database
import Instruments
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// What a study asks somebody to fill in: a prompt until the end of its local day, or a questionnaire without prompts
/// until it has been answered once. Not stored: it follows from the prompts.
package struct StudyAssignment: Sendable {
    package let id: ID<Assignment>
    package let study: ID<Study>
    package let questionnaire: QuestionnaireRecord
    /// The moment of the prompt; nil for what is asked without one.
    package let promptedAt: Instant?
    package let opens: PromptTime
    package let closes: PromptTime
    package let isAnswered: Bool
    /// Whether devices tell of it when it opens: every prompt, and of what is asked without a moment what comes before all else.
    package let isAnnounced: Bool
    /// Where the questionnaire stands in its study, baselines first.
    fileprivate let place: Int

    package var availableFrom: Instant { opens.at }
    package var dueAt: Instant { closes.at }

    /// What a questionnaire that is asked without moments is called among somebody's assignments.
    package static func once(_ item: ID<StudyItem>, _ enrolment: ID<Enrolment>) -> ID<Assignment> {
        ID(DerivedID.of("study", enrolment, item, "once"))
    }

    /// What is due at one moment comes in the order of its moments, then of the study, the same for everybody.
    fileprivate static func isBefore(_ one: StudyAssignment, _ other: StudyAssignment) -> Bool {
        let order = { (asked: StudyAssignment) in
            (asked.dueAt, asked.promptedAt ?? .distantPast, asked.study, asked.place)
        }
        return order(one) < order(other)
    }

    package func wire(draft: Answers, _ readers: [Language]) -> Assignment {
        let shown = questionnaire.definition.visibleSections(draft).flatMap(\.questions)
        return Assignment(
            questionnaireID: questionnaire.id.text, questionnaireKey: questionnaire.key,
            version: questionnaire.version, title: questionnaire.title(readers), source: "study",
            availableFrom: availableFrom, dueAt: dueAt,
            progress: .init(answered: shown.count { draft[$0.key] != nil }, total: shown.count))
    }
}

/// Finds what studies ask of one person.
package struct StudyAssignments {
    package let account: ID<Account>
    package let cache: QuestionnaireCache
    package let now: Instant

    package init(account: ID<Account>, cache: QuestionnaireCache, now: Instant) {
        self.account = account
        self.cache = cache
        self.now = now
    }

    private static let aheadDays: Int64 = 31

    /// Today's prompts without an answer, the next one of each questionnaire, and what is asked without prompts; in
    /// order of when they are due. While a required baseline is open, nothing else is.
    package func open(_ connection: borrowing Connection) throws -> [StudyAssignment] {
        try taking(connection).flatMap { study, enrolment -> [StudyAssignment] in
            guard study.isRunning(at: now), enrolment.state == .enrolled else { return [] }
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            return try prompts.all.items.enumerated().flatMap { place, item -> [StudyAssignment] in
                if prompts.isHeldUp(item, at: now) { return [] }
                let asked = try all(item, at: place, prompts, on: now, connection).filter { !$0.isAnswered }
                let next = asked.map(\.availableFrom).filter { $0 > now }.min()
                return asked.filter { $0.availableFrom <= now || $0.availableFrom == next }
            }
        }.sorted(by: StudyAssignment.isBefore)
    }

    /// Everything that can be answered until a moment, every prompt of it: for a browser that will be without a network.
    package func coming(
        until last: Instant, _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        try taking(connection).flatMap { study, enrolment -> [StudyAssignment] in
            guard study.isRunning(at: now), enrolment.state == .enrolled else { return [] }
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            let today = prompts.zones.begin(of: prompts.zones.day(of: now))
            return try prompts.all.items.enumerated().flatMap { place, item -> [StudyAssignment] in
                guard now <= (item.deactivatedAt ?? .distantFuture), !prompts.isHeldUp(item, at: now),
                    let record = try version(of: item.key, at: nil, connection)
                else { return [] }
                if !prompts.hasPrompts(item) { return [once(item, at: place, record, prompts)] }
                let moments = prompts.prompts(of: item, since: today, until: last).filter { $0.dueAt >= now }
                return try asked(
                    withKept(moments, of: item, prompts), of: item, at: place, record, prompts, connection)
            }
        }.filter { !$0.isAnswered }.sorted(by: StudyAssignment.isBefore)
    }

    /// One that could be answered at a moment, or on the day before, answered or not; nil for none. In the version of that
    /// time, also when the questionnaire went out of use since: it may come late.
    package func find(
        _ id: ID<Assignment>, at completed: Instant, _ connection: borrowing Connection
    ) throws -> StudyAssignment? {
        for (study, enrolment) in try taking(connection) {
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            for (place, item) in prompts.all.items.enumerated() {
                let found = try all(item, at: place, prompts, on: completed, isLate: true, connection)
                if let match = found.first(where: { $0.id == id }) { return match }
            }
        }
        return nil
    }

    /// One that is open, or was answered; nil for what is over, what waits for a baseline, and after leaving.
    func known(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> StudyAssignment? {
        if let open = try open(connection).first(where: { $0.id == id }) { return open }
        guard let found = try find(id, at: now, connection), found.isAnswered else { return nil }
        let isIn = try taking(connection).contains { $0.id == found.study && $1.state == .enrolled }
        return isIn ? found : nil
    }

    private func taking(
        _ connection: borrowing Connection
    ) throws -> [(StudyRecord, EnrolmentRecord)] {
        try EnrolmentStore.all(of: account, connection).compactMap { enrolment in
            guard enrolment.enrolledAt != nil, !enrolment.isOnPaper,
                let study = try StudyStore.find(enrolment.studyID, connection)
            else { return nil }
            return (study, enrolment)
        }
    }

    private func all(
        _ item: StudyItem, at place: Int, _ prompts: ParticipantPrompts, on moment: Instant,
        isLate: Bool = false, _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        guard moment <= (item.deactivatedAt ?? .distantFuture),
            let record = try version(of: item.key, at: isLate ? moment : nil, connection)
        else { return [] }
        if !prompts.hasPrompts(item) { return [once(item, at: place, record, prompts)] }
        return try asked(item, at: place, record, prompts, on: moment, isLate: isLate, connection)
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

    /// The prompts of a local day, and the next one after it; of what comes late those of the day before too, whatever
    /// held them up.
    private func asked(
        _ item: StudyItem, at place: Int, _ record: QuestionnaireRecord, _ prompts: ParticipantPrompts,
        on moment: Instant, isLate: Bool, _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        let zones = prompts.zones
        let day = zones.day(of: moment)
        let isKept = isLate && prompts.isKept(item)
        let begin = isKept ? nil : zones.begin(of: day.adding(days: isLate ? -1 : 0))
        let end = zones.begin(of: day.adding(days: 1))
        let last = end.adding(days: Self.aheadDays)
        let found =
            isLate
            ? prompts.planned(item, since: begin, until: last)
            : prompts.prompts(of: item, since: begin, until: last).filter { $0.dueAt >= moment }
        let today = found.prefix { $0.at < end }
        let wanted = Array(today + found.dropFirst(today.count).prefix(1))
        return try asked(
            isLate ? wanted : withKept(wanted, of: item, prompts), of: item, at: place, record, prompts,
            isLate: isLate, connection)
    }

    /// With the last prompt of a baseline that is awaited, though its day is over; a later one that has come takes its place.
    private func withKept(
        _ moments: [Prompt], of item: StudyItem, _ prompts: ParticipantPrompts
    ) -> [Prompt] {
        guard let kept = prompts.kept(item, at: now) else { return moments }
        return [kept] + moments.filter { $0.at > kept.at }
    }

    /// Until when a prompt can be answered: the end of its day. Of a baseline that is awaited until its next one comes, and to the
    /// end where there is none.
    private func due(
        _ prompt: Prompt, before next: Prompt?, of item: StudyItem, _ prompts: ParticipantPrompts,
        isLate: Bool
    ) -> PromptTime {
        guard prompts.isKept(item) else { return .set(prompt.dueAt) }
        if isLate { return .set(end(from: prompt.at, prompts)) }
        let soon = { (since: Instant) in
            prompts.planned(item, since: since, until: since.adding(days: Self.aheadDays)).first
        }
        let following = next ?? soon(prompt.at.adding(seconds: 1))
        // What ends with a prompt tells when that one comes.
        return following.map { PromptTime(at: $0.at.adding(seconds: -1), kind: $0.opens.kind) }
            ?? .set(end(from: prompt.at, prompts))
    }

    private func asked(
        _ moments: [Prompt], of item: StudyItem, at place: Int, _ record: QuestionnaireRecord,
        _ prompts: ParticipantPrompts, isLate: Bool = false, _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        let wanted = moments.map { prompt in
            (id: PromptMatch.id(prompt.at, of: item, as: prompts.enrolment), prompt: prompt)
        }
        let answered = try StudyContributionStore.answered(wanted.map(\.id), by: account, connection)
        return wanted.enumerated().map { index, one in
            let next = index + 1 < wanted.count ? wanted[index + 1].prompt : nil
            return StudyAssignment(
                id: one.id, study: prompts.all.study.id, questionnaire: record, promptedAt: one.prompt.at,
                opens: one.prompt.opens,
                closes: due(one.prompt, before: next, of: item, prompts, isLate: isLate),
                isAnswered: answered.contains(one.id), isAnnounced: true, place: place)
        }
    }

    /// What is asked without a moment is open until the study ends, or for a year at a time.
    private func once(
        _ item: StudyItem, at place: Int, _ record: QuestionnaireRecord, _ prompts: ParticipantPrompts
    ) -> StudyAssignment {
        let enrolment = prompts.enrolment
        let study = prompts.all.study
        let from = max(enrolment.enrolledAt ?? item.addedAt, item.addedAt)
        return StudyAssignment(
            id: StudyAssignment.once(item.id, enrolment.id), study: study.id,
            questionnaire: record,
            promptedAt: nil, opens: .set(from), closes: .set(end(from: from, prompts)),
            isAnswered: prompts.firsts[item.key] != nil, isAnnounced: item.baseline == .required, place: place
        )
    }

    /// The end of the study, or of a whole year from a moment on that is not over yet.
    private func end(from begin: Instant, _ prompts: ParticipantPrompts) -> Instant {
        let year: Int64 = 365 * 86_400
        let years = max(0, now.seconds - begin.seconds) / year + 1
        return prompts.all.study.endsAt ?? begin.adding(seconds: years * year)
    }
}
