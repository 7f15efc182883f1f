import Database
import Identity
import Records
import Scheduling
import Wire

/// Everything that says when the participants of a study are asked, read once. The one way to prompts: reminders,
/// assignments, compliance and export go through it.
package struct StudyPrompts: Sendable {
    package let study: StudyRecord
    package let items: [StudyItem]
    package let runs: StudyRuns
    /// Since when nobody can answer a questionnaire any more, because all its versions were retired; by key.
    fileprivate let retired: [String: Instant]

    package init(_ study: StudyRecord, _ connection: borrowing Connection) throws {
        self.study = study
        items = try StudyItemStore.all(in: study.id, connection)
        runs = try StudyStore.runs(study, connection)
        retired = try StudyItemStore.retired(in: study.id, connection)
    }

    package func of(_ enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws
        -> ParticipantPrompts
    {
        ParticipantPrompts(
            all: self, enrolment: enrolment,
            zones: ParticipantZones(
                enrolment.zone,
                changes: try AccountStore.zones(
                    of: enrolment.accountID, since: enrolment.askedAt, connection)),
            own: try NotificationTimesStore.all(of: enrolment.id, connection),
            firsts: try StudyContributionStore.firsts(of: enrolment, connection))
    }
}

/// When one participant is asked what.
package struct ParticipantPrompts: Sendable {
    package let all: StudyPrompts
    package let enrolment: EnrolmentRecord
    let zones: ParticipantZones
    let own: [ID<StudyItem>: [OwnPlan]]
    /// When each questionnaire was answered first, by key.
    package let firsts: [String: Instant]

    /// What somebody is asked, and can answer: nothing but baselines while a required one is open.
    package func prompts(of item: StudyItem, since: Instant? = nil, until: Instant) -> [Prompt] {
        let closed = closed(to: item, until: until)
        let planned = planned(item, since: since, until: until)
        if closed.isEmpty { return planned }
        return planned.filter { prompt in !closed.contains { $0.contains(prompt.at) } }
    }

    /// The same, whatever else is open.
    func planned(_ item: StudyItem, since: Instant? = nil, until: Instant) -> [Prompt] {
        item.prompts(
            of: enrolment, all.runs, zones, own: own[item.id] ?? [], answered: firsts[item.key],
            since: since, until: until)
    }

    /// Whether it is asked at moments, or once and for all.
    func hasPrompts(_ item: StudyItem) -> Bool {
        !item.schedules.isEmpty || own[item.id]?.last?.times != nil
    }

    /// Whether a required baseline that nobody has answered comes before a questionnaire, at a moment.
    package func isHeldUp(_ item: StudyItem, at moment: Instant) -> Bool {
        baselines(before: item).contains { baseline in
            guard end(of: baseline) == .distantFuture else { return false }
            return begin(of: baseline, until: moment.adding(seconds: 1)).map { $0 <= moment } ?? false
        }
    }

    /// Whether it is a baseline that has to come first and has not come yet: it is offered until it is there, however long its
    /// time has passed, because nothing else can be answered before.
    func isAwaited(_ item: StudyItem) -> Bool { item.baseline == .required && firsts[item.key] == nil }

    /// Whether a prompt of it is answered as long as the study lasts. What comes a second time finds its prompt, too.
    func isKept(_ item: StudyItem) -> Bool {
        item.baseline == .required && (item.isOnetime || firsts[item.key] == nil)
    }

    /// The prompt of an awaited baseline that has come last.
    func kept(_ item: StudyItem, at moment: Instant) -> Prompt? {
        isAwaited(item) ? planned(item, until: moment.adding(seconds: 1)).last : nil
    }

    /// Since when a required baseline that is not answered has been open; nil for everything else.
    package func opening(ofBaseline item: StudyItem, at now: Instant) -> Instant? {
        guard isAwaited(item), item.deactivatedAt == nil else { return nil }
        return hasPrompts(item) ? kept(item, at: now)?.at : begin(of: item, until: .distantFuture)
    }

    /// When required baselines are open and everything else waits.
    private func closed(to item: StudyItem, until: Instant) -> [Range<Instant>] {
        baselines(before: item).compactMap { baseline in
            let end = end(of: baseline)
            return begin(of: baseline, until: min(end, until)).flatMap { $0 < end ? $0..<end : nil }
        }
    }

    /// Baselines do not wait for each other.
    private func baselines(before item: StudyItem) -> [StudyItem] {
        item.baseline == .required ? [] : all.items.filter { $0.baseline == .required }
    }

    /// A baseline holds others up from when it is first asked.
    private func begin(of baseline: StudyItem, until: Instant) -> Instant? {
        if hasPrompts(baseline) { return planned(baseline, until: until).first?.at }
        return enrolment.enrolledAt.map { max($0, baseline.addedAt) }
    }

    /// It does so until it is answered, or until nobody can answer it any more.
    private func end(of baseline: StudyItem) -> Instant {
        let ends = [firsts[baseline.key], baseline.deactivatedAt, all.retired[baseline.key]]
        return ends.compactMap(\.self).min() ?? .distantFuture
    }
}
