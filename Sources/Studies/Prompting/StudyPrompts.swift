import Database
import Identity
import Records
import Scheduling
import Wire

/// All data that decides the prompts of a study's participants, read once. The only source of prompts: reminders,
/// assignments, compliance and export use it.
package struct StudyPrompts: Sendable {
    package let study: StudyRecord
    package let items: [StudyItem]
    package let runs: StudyRuns
    /// Since when a questionnaire cannot be answered any more, because all its versions were retired; by key.
    fileprivate let retired: [String: Instant]
    /// Since when the latest version of drawing counts.
    private let drawnSince: Instant?

    package init(_ study: StudyRecord, _ connection: borrowing Connection) throws {
        self.study = study
        items = try StudyItemStore.all(in: study.id, connection)
        runs = try StudyStore.runs(study, connection)
        retired = try StudyItemStore.retired(in: study.id, connection)
        drawnSince = try DrawingVersionStore.since(.drawing, connection)
    }

    package func of(_ enrolment: EnrolmentRecord, _ connection: borrowing Connection) throws
        -> ParticipantPrompts
    {
        of(
            enrolment,
            zones: try AccountStore.zones(of: enrolment.accountID, since: enrolment.askedAt, connection),
            own: try NotificationTimesStore.all(of: enrolment.id, connection),
            anchors: hasEntered ? try AnchorStore.all(of: enrolment.id, connection) : [:],
            sessions: hasSessions
                ? ParticipantSessions(
                    dates: try AnchorStore.sessions(of: enrolment.id, connection),
                    answered: try StudyContributionStore.answeredSessions(
                        of: enrolment.id, perSession, connection)) : .none,
            firsts: try StudyContributionStore.firsts(of: enrolment, connection))
    }

    func of(
        _ enrolment: EnrolmentRecord, zones changes: [(at: Instant, zone: Zone)],
        own: [ID<StudyItem>: [OwnPlan]], anchors: [String: [AnchorDate]], sessions: ParticipantSessions,
        firsts: [ID<StudyItem>: Instant]
    ) -> ParticipantPrompts {
        let zones = ParticipantZones(enrolment.zone, changes: changes)
        return ParticipantPrompts(
            all: self, enrolment: enrolment, zones: zones,
            drawing: Drawing(latestSince: drawnSince, zones), own: own, anchors: anchors,
            sessions: sessions, firsts: firsts)
    }

    /// Whether time points are counted from dates of single participants.
    var hasEntered: Bool { study.timePoints.contains { $0.window.anchor.isOwn } }

    /// Whether they are counted from each session of a therapy.
    var hasSessions: Bool { study.timePoints.hasEachSession }

    /// The questionnaires that are asked once for each session.
    var perSession: [ID<StudyItem>] { items.filter(\.isAskedEachSession).map(\.id) }

    /// The questionnaire of the study that a sheet answers; nil for one that the study has no more.
    /// - Parameters:
    ///   - item: what the sheet names; nil for one from before sheets did: it answers the one without a time point.
    ///   - key: of the questionnaire.
    package func item(_ item: ID<StudyItem>?, key: String) -> StudyItem? {
        place(item, key: key).map { items[$0] }
    }

    /// The same as its place among the items.
    package func place(_ item: ID<StudyItem>?, key: String) -> Int? {
        items.firstIndex { other in
            if let item, namesItems { return other.id == item }
            return other.key == key && other.timePoint == nil
        }
    }

    /// Whether sheets are told apart by what they name: without time points their questionnaire says it. The name is read far behind
    /// the answers of a row.
    package var namesItems: Bool { items.contains { $0.timePoint != nil } }
}

package struct ParticipantPrompts: Sendable {
    package let all: StudyPrompts
    package let enrolment: EnrolmentRecord
    package let zones: ParticipantZones
    let drawing: Drawing
    let own: [ID<StudyItem>: [OwnPlan]]
    /// The dates of the participant alone, by time point.
    package let anchors: [String: [AnchorDate]]
    package let sessions: ParticipantSessions
    /// When each was answered first.
    package let firsts: [ID<StudyItem>: Instant]

    /// What the participant is asked: without the questionnaires of other arms.
    package var items: [StudyItem] { all.items.filter { $0.asks(enrolment) } }

    /// The prompts that can be answered: only those of baselines while a required one is open, and of what is asked once
    /// those until its answer. They are what is asked, announced and counted.
    package func prompts(of item: StudyItem, since: Instant? = nil, until: Instant) -> [Prompt] {
        let closed = closed(to: item, until: until)
        let planned = planned(item, since: since, until: until).filter { !isOver(item, before: $0) }
        if closed.isEmpty { return planned }
        return planned.filter { prompt in !closed.contains { $0.contains(prompt.at) } }
    }

    /// What `prompts` says, regardless of open baselines and of an answer to what is asked once: a second sheet finds its prompt, too.
    func planned(_ item: StudyItem, since: Instant? = nil, until: Instant) -> [Prompt] {
        if !item.asks(enrolment) { return [] }
        if item.isAskedInWindow {
            return windows(item).filter { $0.at >= since ?? .distantPast && $0.at < until }
        }
        return item.prompts(
            of: enrolment, all.runs, zones, drawing, own: own[item.id] ?? [],
            anchors: item.timePoint.flatMap { anchors[$0] } ?? [], since: since, until: until)
    }

    /// The moment since which prompts of a questionnaire can be open on a local day: its begin, or that of the day before where own
    /// windows reach over midnight.
    func begin(of day: LocalDate, for item: StudyItem) -> Instant {
        // It is open for days.
        if item.isAskedInWindow { return .distantPast }
        let hasNights = own[item.id]?.contains { $0.times?.isOvernight ?? false } ?? false
        return zones.begin(of: hasNights ? day.adding(days: -1) : day)
    }

    /// Whether it is asked at moments or on days, or at any time.
    func hasPrompts(_ item: StudyItem) -> Bool {
        !item.schedules.isEmpty || item.isAskedInWindow || own[item.id]?.last?.times != nil
    }

    /// Whether a required baseline without an answer comes before a questionnaire, at a moment.
    package func isHeldUp(_ item: StudyItem, at moment: Instant) -> Bool {
        // Until the participant is allocated; a sheet of a phone may have come before that, behind the baseline.
        if enrolment.waits, item.baseline != .required { return true }
        return baselines(before: item).contains { baseline in
            guard end(of: baseline) == .distantFuture else { return false }
            return begin(of: baseline, until: moment.adding(seconds: 1)).map { $0 <= moment } ?? false
        }
    }

    /// The required baselines in use that have no answer.
    package var missingBaselines: [StudyItem] {
        items.filter { $0.isAwaitedFirst && firsts[$0.id] == nil }
    }

    /// Whether it is a required baseline without an answer: it is offered until answered, even after its time,
    /// because nothing else can be answered before.
    package func isAwaited(_ item: StudyItem) -> Bool {
        item.baseline == .required && item.asks(enrolment) && firsts[item.id] == nil
    }

    /// Whether it is asked once and has been answered: later prompts of that day ask nothing any more.
    package func isOver(_ item: StudyItem) -> Bool { item.isOnetime && firsts[item.id] != nil }

    /// Whether it is asked once and was answered before a prompt. Whole seconds, the precision of phones.
    private func isOver(_ item: StudyItem, before prompt: Prompt) -> Bool {
        guard item.isOnetime, let answered = firsts[item.id] else { return false }
        return prompt.at.seconds > answered.seconds
    }

    /// Whether its prompt can be answered as long as the study lasts. A second sheet finds its prompt, too.
    func isKept(_ item: StudyItem) -> Bool {
        item.baseline == .required && (item.isOnetime || firsts[item.id] == nil)
    }

    /// The latest prompt of an awaited baseline.
    func kept(_ item: StudyItem, at moment: Instant) -> Prompt? {
        isAwaited(item) ? planned(item, until: moment.adding(seconds: 1)).last : nil
    }

    /// When required baselines are open and everything else waits.
    private func closed(to item: StudyItem, until: Instant) -> [Range<Instant>] {
        let waiting = item.baseline == .required ? nil : enrolment.waitingTime
        return baselines(before: item).compactMap { baseline in
            let end = end(of: baseline)
            return begin(of: baseline, until: min(end, until)).flatMap { $0 < end ? $0..<end : nil }
        } + [waiting].compactMap(\.self)
    }

    /// Baselines do not wait for each other.
    private func baselines(before item: StudyItem) -> [StudyItem] {
        item.baseline == .required ? [] : items.filter { $0.baseline == .required }
    }

    /// A baseline blocks others from its first prompt on.
    private func begin(of baseline: StudyItem, until: Instant) -> Instant? {
        if hasPrompts(baseline) { return planned(baseline, until: until).first?.at }
        return enrolment.enrolledAt.map { max($0, baseline.addedAt) }
    }

    /// It does so until it is answered, or cannot be answered any more.
    private func end(of baseline: StudyItem) -> Instant {
        let ends = [firsts[baseline.id], baseline.deactivatedAt, all.retired[baseline.key]]
        return ends.compactMap(\.self).min() ?? .distantFuture
    }
}
