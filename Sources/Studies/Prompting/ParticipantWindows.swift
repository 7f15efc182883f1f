import Database
import Records
import Scheduling
import Therapies
import Web
import Wire

/// The sessions of a participant's therapy, as far as a study follows them (ST-1).
package struct ParticipantSessions: Sendable {
    /// By time point.
    package let dates: [String: [SessionDates]]
    /// The prompts about sessions that a sheet has answered, with their moments.
    let answered: [ID<Assignment>: Instant]

    static let none = ParticipantSessions(dates: [:], answered: [:])

    /// The id of the prompt about a session. It does not hang on the session's day.
    package static func prompt(
        _ item: ID<StudyItem>, _ enrolment: ID<Enrolment>, about session: String
    ) -> ID<Assignment> {
        ID(DerivedID.of("study", enrolment, item, "session", session))
    }

    /// Those about all sessions of an account that a study knows, whether they were asked or not.
    package static func prompts(
        of items: [StudyItem], of account: ID<Account>, in study: ID<Study>,
        _ connection: borrowing Connection
    ) throws -> [ID<Assignment>] {
        let each = items.filter(\.isAskedEachSession)
        if each.isEmpty { return [] }
        let enrolments = try EnrolmentStore.all(of: account, connection).filter { $0.studyID == study }
        return try enrolments.flatMap { enrolment in
            try AnchorStore.sessions(of: enrolment.id, connection).values.joined().flatMap { dates in
                each.map { prompt($0.id, enrolment.id, about: dates.session.text) }
            }
        }
    }
}

// The days of time points. What is asked once on them has one window, or one for each session (ST-1).
extension ParticipantPrompts {
    /// The windows of what is asked once at a time point, or for each session, in order of time, as they were planned at a moment, which
    /// phones had then; none before a date was entered.
    func windows(_ item: StudyItem, knownAt moment: Instant = .distantFuture) -> [Prompt] {
        let known = moment.endOfSecond
        return apart(
            anchored(item).map { (session: $0.session, window: window(item, $0.dates, known: known)) },
            of: item)
    }

    /// The same for a sheet: of each the last window that was planned until then and holds its moment, since a phone may not have heard that
    /// it was moved (RP-103); else the one of that moment. Devices tell whole seconds: what became known in one is known in it.
    func windows(_ item: StudyItem, completedAt completed: Instant) -> [Prompt] {
        let moment = completed.endOfSecond
        return apart(
            anchored(item).map { one in
                let changes = item.plans.map(\.since) + one.dates.map(\.since)
                let known = ([enrolment.enrolledAt].compactMap(\.self) + changes).filter { $0 < moment }
                let windows = ([moment] + known.sorted(by: >)).lazy.compactMap {
                    window(item, one.dates, known: $0.endOfSecond)
                }
                let holding = windows.first { $0.holds(moment) }
                return (session: one.session, window: holding ?? window(item, one.dates, known: moment))
            }, of: item)
    }

    /// What has a window of its own: each session, or the time point itself.
    private func anchored(_ item: StudyItem) -> [(session: ID<Session>?, dates: [AnchorDate])] {
        guard let key = item.timePoint else { return [] }
        guard item.isAskedEachSession else { return [(nil, anchors[key] ?? [])] }
        return (sessions.dates[key] ?? []).map { ($0.session, $0.dates) }
    }

    private func window(_ item: StudyItem, _ dates: [AnchorDate], known: Instant) -> Prompt? {
        item.asks(enrolment) ? item.window(of: enrolment, all.runs, zones, anchors: dates, known: known) : nil
    }

    /// What was answered keeps the moment of its prompt, wherever its session is moved. Moments tell the prompts of one questionnaire
    /// apart: of two windows that begin at once the second does so a thousandth of a second later.
    private func apart(
        _ found: [(session: ID<Session>?, window: Prompt?)], of item: StudyItem
    ) -> [Prompt] {
        guard item.isAskedEachSession else { return found.compactMap(\.window) }
        var prompts: [Prompt] = []
        var open: [(session: String, window: Prompt)] = []
        for one in found {
            guard let session = one.session?.text else { continue }
            let id = ParticipantSessions.prompt(item.id, enrolment.id, about: session)
            if let at = sessions.answered[id] {
                let end = max(at, one.window?.dueAt ?? at)
                prompts.append(Prompt(openFrom: at, until: end, session: session, zones))
            } else if let window = one.window {
                open.append((session, window))
            }
        }
        var taken = Set(prompts.map(\.at))
        open.sort {
            ($0.window.at, $0.window.dueAt, $0.session) < ($1.window.at, $1.window.dueAt, $1.session)
        }
        for (session, window) in open {
            var at = window.at
            while !taken.insert(at).inserted { at = Instant(milliseconds: at.milliseconds + 1) }
            prompts.append(Prompt(openFrom: at, until: max(at, window.dueAt), session: session, zones))
        }
        return prompts.sorted { $0.at < $1.at }
    }

    /// Whether a prompt about a session was answered.
    func isAnswered(_ prompt: Prompt, of item: StudyItem) -> Bool {
        guard let session = prompt.session else { return false }
        let id = ParticipantSessions.prompt(item.id, enrolment.id, about: session)
        return sessions.answered[id] != nil
    }

    /// The windows that hold a moment.
    private func open(_ item: StudyItem, at moment: Instant) -> [Prompt] {
        windows(item, knownAt: moment).filter { $0.holds(moment) }
    }

    /// Of what is asked for each session the prompt that a sheet of a moment answers which names none: of those that are open and
    /// unanswered the one that ends first.
    package func awaited(_ item: StudyItem, at moment: Instant) -> Prompt? {
        open(item, at: moment).filter { !isAnswered($0, of: item) }.min { $0.dueAt < $1.dueAt }
    }

    /// For how many sessions it was asked by a moment, and for how many of them answered.
    package func eachSession(
        _ item: StudyItem, until moment: Instant
    ) -> (asked: Int, answered: Int) {
        let come = prompts(of: item, until: moment.adding(seconds: 1))
        return (come.count, come.count { isAnswered($0, of: item) })
    }

    /// Whether nothing of it can be filled in any more: what is asked once after its answer, and what is asked for each session where
    /// all that is open at a moment is answered.
    package func isSettled(_ item: StudyItem, at moment: Instant) -> Bool {
        guard item.isAskedEachSession else { return isOver(item) }
        let open = open(item, at: moment)
        return !open.isEmpty && open.allSatisfy { isAnswered($0, of: item) }
    }

    /// Whether it was filled in: what is asked for each session for those that are open, else for the last one.
    package func isFilledOut(_ item: StudyItem, at moment: Instant) -> Bool {
        guard item.isAskedEachSession else { return firsts[item.id] != nil }
        let open = open(item, at: moment)
        if !open.isEmpty { return open.allSatisfy { isAnswered($0, of: item) } }
        let last = windows(item, knownAt: moment).last { $0.at.seconds <= moment.seconds }
        return last.map { isAnswered($0, of: item) } ?? false
    }

    /// The days of a time point as they are planned at a moment; nil before its anchor has a date, and where it comes with each session.
    package func days(of point: TimePoint, at moment: Instant) -> ClosedRange<LocalDate>? {
        guard let enrolled = enrolment.day, point.window.anchor != .eachSession else { return nil }
        let entered = anchors[point.key]?.last { $0.since <= moment }?.date
        return point.window.date(enrolledOn: enrolled, entered: entered).map(point.window.days)
    }

    /// The same of a questionnaire, by its plan of that time; nil without a time point.
    private func days(of item: StudyItem, at moment: Instant) -> ClosedRange<LocalDate>? {
        guard let key = item.timePoint, let enrolled = enrolment.day,
            let window = (item.plans.last { $0.since <= moment } ?? item.plans.last)?.window
        else { return nil }
        let entered = anchors[key]?.last { $0.since <= moment }?.date
        return window.date(enrolledOn: enrolled, entered: entered).map(window.days)
    }

    /// Whether it is asked by a moment: what is asked at a time point from the first of its days on.
    package func hasBegun(_ item: StudyItem, at moment: Instant) -> Bool {
        if !item.asks(enrolment) { return false }
        if item.timePoint == nil { return true }
        if item.isAskedInWindow {
            return windows(item, knownAt: moment).contains { $0.at.seconds <= moment.seconds }
        }
        return days(of: item, at: moment).map { zones.begin(of: $0.lowerBound) <= moment } ?? false
    }

    /// The same, but for what came while the participant waited for a group: that was not asked.
    package func wasAsked(_ item: StudyItem, at moment: Instant) -> Bool {
        guard hasBegun(item, at: moment) else { return false }
        return !item.isAskedInWindow || !prompts(of: item, until: moment.adding(seconds: 1)).isEmpty
    }

    /// The end of the days of its time point, of several the last one that has begun; nil where they have not come, and without one.
    package func windowEnd(_ item: StudyItem, at moment: Instant) -> Instant? {
        if item.isAskedInWindow {
            let begun = windows(item, knownAt: moment).filter { $0.at.seconds <= moment.seconds }
            return begun.map(\.dueAt).max()
        }
        guard hasBegun(item, at: moment) else { return nil }
        return days(of: item, at: moment).map {
            zones.begin(of: $0.upperBound.adding(days: 1)).adding(seconds: -1)
        }
    }

    /// Whether it can be filled in at a moment as far as its time point goes. A baseline that is awaited can be afterwards, too.
    package func isOpen(_ item: StudyItem, at moment: Instant) -> Bool {
        guard item.timePoint != nil else { return true }
        guard let end = windowEnd(item, at: moment) else { return false }
        return isAwaited(item) || moment.seconds <= end.seconds
    }
}

extension Prompt {
    /// Whether it is open at a moment, in whole seconds.
    fileprivate func holds(_ moment: Instant) -> Bool {
        at.seconds <= moment.seconds && moment.seconds <= dueAt.seconds
    }
}

extension Instant {
    fileprivate var endOfSecond: Instant {
        let rest = (milliseconds % 1000 + 1000) % 1000
        return milliseconds > .max - 1000 ? self : Instant(milliseconds: milliseconds + 999 - rest)
    }
}
