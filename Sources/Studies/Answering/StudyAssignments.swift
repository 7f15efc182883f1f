import Database
import Instruments
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// Finds the assignments of one participant's studies.
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

    /// What has no answer, in order of when it is due: today's prompts, the next one of each questionnaire, and what is asked
    /// without prompts. While a required baseline is open, nothing else is.
    /// - Parameters:
    ///   - first: with it no prompt of which nothing is told after it, but for a baseline that is awaited.
    ///   - last: with it every prompt until then.
    package func asked(
        since first: Instant? = nil, until last: Instant? = nil, _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        try taking(connection) { $0.state == .enrolled }.flatMap { study, enrolment -> [StudyAssignment] in
            guard study.isRunning(at: now) else { return [] }
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            let day = prompts.zones.day(of: now)
            let end = prompts.zones.begin(of: day.adding(days: 1))
            return try prompts.all.items.enumerated().flatMap { place, item -> [StudyAssignment] in
                // What participants note when it happens is asked at no time.
                guard item.event == nil, item.asks(enrolment), now <= (item.deactivatedAt ?? .distantFuture),
                    !prompts.isOver(item),
                    !prompts.isHeldUp(item, at: now),
                    let record = try version(of: item.key, at: nil, connection)
                else { return [] }
                if !prompts.hasPrompts(item) { return [once(item, at: place, record, prompts)] }
                // What has come may be called again.
                let isRepeated = item.plans.contains { $0.schedules.contains { !$0.repeatMinutes.isEmpty } }
                let begin = isRepeated ? nil : first
                var moments = prompts.prompts(
                    of: item,
                    since: item.isAskedInWindow ? nil : begin ?? prompts.begin(of: day, for: item),
                    until: last ?? end.adding(days: Self.aheadDays)
                ).filter { prompt in
                    guard prompt.dueAt >= now, let first, prompt.announcedAt < first else {
                        return prompt.dueAt >= now
                    }
                    return prompt.calls(beforeEnd: study.endsAt).contains { $0 >= first }
                }
                if last == nil {
                    let next = moments.first { $0.at > now }?.at ?? .distantPast
                    moments.removeAll { $0.at > max(now, next) }
                }
                return try asked(
                    withKept(moments, of: item, prompts), of: item, at: place, record, prompts,
                    isToCome: begin != nil, connection)
            }
        }.filter { !$0.isAnswered }.sorted(by: StudyAssignment.isBefore)
    }

    /// One that could be answered at a moment, or on the day before, answered or not; nil for none. In the version of
    /// that time, also when the questionnaire is no longer in use: it may come late.
    package func find(
        _ id: ID<Assignment>, at completed: Instant, _ connection: borrowing Connection
    ) throws -> StudyAssignment? {
        for (study, enrolment) in try taking(connection) {
            let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
            for (place, item) in prompts.all.items.enumerated()
            where item.event == nil && item.asks(enrolment) {
                // What was asked before it was put out of use is found: the rule for sheets knows until when it is taken.
                guard let record = try version(of: item.key, at: completed, connection) else { continue }
                let found =
                    prompts.hasPrompts(item)
                    ? try asked(
                        around(completed, of: item, prompts), of: item, at: place, record, prompts,
                        isLate: true, connection)
                    : [once(item, at: place, record, prompts)]
                if let match = found.first(where: { $0.id == id }) { return match }
            }
        }
        return nil
    }

    /// One that is open, or was answered; nil for one that is over or waits for a baseline, and after leaving.
    func known(_ id: ID<Assignment>, _ connection: borrowing Connection) throws -> StudyAssignment? {
        if let open = try asked(connection).first(where: { $0.id == id }) { return open }
        guard let found = try find(id, at: now, connection), found.isAnswered else { return nil }
        let isIn = try taking(connection).contains { $0.id == found.study && $1.state == .enrolled }
        return isIn ? found : nil
    }

    private func taking(
        _ connection: borrowing Connection, where isWanted: (EnrolmentRecord) -> Bool = { _ in true }
    ) throws -> [(StudyRecord, EnrolmentRecord)] {
        try EnrolmentStore.all(of: account, connection).compactMap { enrolment in
            guard enrolment.enrolledAt != nil, !enrolment.isOnPaper, isWanted(enrolment),
                let study = try StudyStore.find(enrolment.studyID, connection)
            else { return nil }
            return (study, enrolment)
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

    /// The prompts of a local day and the day before, of an awaited baseline all earlier ones, and the next one after it.
    private func around(_ moment: Instant, of item: StudyItem, _ prompts: ParticipantPrompts) -> [Prompt] {
        // A phone may hold days that were moved since.
        if item.isAskedInWindow { return prompts.windows(item, completedAt: moment) }
        let day = prompts.zones.day(of: moment)
        let end = prompts.zones.begin(of: day.adding(days: 1))
        let found = prompts.planned(
            item, since: prompts.isKept(item) ? nil : prompts.zones.begin(of: day.adding(days: -1)),
            until: end.adding(days: Self.aheadDays))
        let next = found.first { $0.at >= end }?.at ?? end
        return found.filter { $0.at < end || $0.at == next }
    }

    /// Adds the last prompt of an awaited baseline, though its day is over; a later one replaces it.
    private func withKept(
        _ moments: [Prompt], of item: StudyItem, _ prompts: ParticipantPrompts
    ) -> [Prompt] {
        guard let kept = prompts.kept(item, at: now) else { return moments }
        return [kept] + moments.filter { $0.at > kept.at }
    }

    /// The deadline of a prompt: the end of its day, or of the study; for an awaited baseline the next prompt, or the study's end. It is
    /// what pages, devices and reminders say (RP-103).
    private func due(
        _ prompt: Prompt, before next: Prompt?, of item: StudyItem, _ prompts: ParticipantPrompts,
        isLate: Bool
    ) -> PromptTime {
        guard prompts.isKept(item) else {
            return prompt.closes(beforeEnd: prompts.all.study.endsAt)
        }
        if isLate { return .set(end(from: prompt.at, prompts)) }
        let soon = { (since: Instant) in
            prompts.planned(item, since: since, until: since.adding(days: Self.aheadDays)).first
        }
        let following = next ?? soon(prompt.at.adding(seconds: 1))
        // One that ends with the next prompt would disclose that moment.
        return following.map { PromptTime(at: $0.at.adding(seconds: -1), kind: $0.opens.kind) }
            ?? .set(end(from: prompt.at, prompts))
    }

    private func asked(
        _ moments: [Prompt], of item: StudyItem, at place: Int, _ record: QuestionnaireRecord,
        _ prompts: ParticipantPrompts, isLate: Bool = false, isToCome: Bool = false,
        _ connection: borrowing Connection
    ) throws -> [StudyAssignment] {
        let wanted = moments.map { prompt in
            (id: PromptMatch.id(prompt, of: item, as: prompts.enrolment), prompt: prompt)
        }
        // What was never answered has no answered prompt.
        let answered =
            isToCome || prompts.firsts[item.id] == nil
            ? [] : try StudyContributionStore.answered(wanted.map(\.id), by: account, connection)
        return wanted.enumerated().map { index, one in
            let next = index + 1 < wanted.count ? wanted[index + 1].prompt : nil
            let closes = due(one.prompt, before: next, of: item, prompts, isLate: isLate)
            let takenUntil = max(closes.at, one.prompt.dueAt)
            return StudyAssignment(
                id: one.id, study: prompts.all.study.id, item: item, enrolment: prompts.enrolment,
                questionnaire: record, promptedAt: one.prompt.at, announcedAt: one.prompt.announcedAt,
                calls: one.prompt.calls(beforeEnd: prompts.all.study.endsAt).filter { $0 < closes.at },
                opens: one.prompt.opens,
                closes: closes, takenUntil: takenUntil,
                arrivesUntil: one.prompt.arrives(after: takenUntil),
                isAnswered: prompts.isOver(item) || answered.contains(one.id)
                    || prompts.isAnswered(one.prompt, of: item),
                isAwaited: prompts.isAwaited(item), place: place)
        }
    }

    /// A questionnaire without prompts is open until the study ends, or for a year at a time.
    private func once(
        _ item: StudyItem, at place: Int, _ record: QuestionnaireRecord, _ prompts: ParticipantPrompts
    ) -> StudyAssignment {
        let enrolment = prompts.enrolment
        let study = prompts.all.study
        let from = max(enrolment.enrolledAt ?? item.addedAt, item.addedAt)
        let end = end(from: from, prompts)
        return StudyAssignment(
            id: StudyAssignment.once(item.id, enrolment.id), study: study.id, item: item,
            enrolment: enrolment, questionnaire: record, promptedAt: nil, announcedAt: from,
            calls: [], opens: .set(from),
            closes: .set(end), takenUntil: end, arrivesUntil: nil, isAnswered: prompts.firsts[item.id] != nil,
            isAwaited: prompts.isAwaited(item), place: place)
    }

    /// The end of the study, or of the present year counted from a moment.
    private func end(from begin: Instant, _ prompts: ParticipantPrompts) -> Instant {
        let year: Int64 = 365 * 86_400
        let years = max(0, now.seconds - begin.seconds) / year + 1
        return prompts.all.study.endsAt ?? begin.adding(seconds: years * year)
    }
}
