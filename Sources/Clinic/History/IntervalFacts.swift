import Database
import Delivery
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The time from one held session to the next; the first is before all of them, the last is not over.
struct Stretch: Sendable {
    let begin: SessionList.Numbered?
    let end: SessionList.Numbered?

    var from: Instant { begin?.session.startsAt ?? .distantPast }
    /// A phone's clock may be five minutes fast.
    func until(_ now: Instant) -> Instant { end?.session.startsAt ?? now.adding(seconds: 301) }

    /// The days between its sessions, or passed so far; nil before the first.
    func days(_ dates: DateFormat) -> Int? {
        guard let begin else { return nil }
        let from = LocalTime(begin.session.startsAt, dates.zone).date
        let to = end.map { LocalTime($0.session.startsAt, dates.zone).date } ?? dates.today
        return Int(to.daysSince1970 - from.daysSince1970)
    }

    /// The earliest first.
    static func all(_ sessions: SessionList) -> [Stretch] {
        let held = sessions.held
        return (0...held.count).map { index in
            Stretch(begin: index > 0 ? held[index - 1] : nil, end: index < held.count ? held[index] : nil)
        }
    }
}

/// The sums of such a time.
struct IntervalFacts: Sendable {
    let dailies: DailyFigures
    let given: Int
    let completed: Int

    init(
        _ stretch: Stretch, in therapy: ID<Therapy>, now: Instant, _ connection: borrowing Connection
    ) throws {
        let from = stretch.from
        let until = stretch.until(now)
        dailies = try DailyFigures(in: therapy, from: from, until: until, now: now, connection)
        let interventions = try InterventionStore.given(
            in: therapy, since: from, before: until, withWithdrawn: false, connection)
        given = interventions.count
        completed = interventions.count { $0.completedAt != nil }
    }

    /// Each value with what it counts; what did not occur is left out.
    func figures(_ texts: Texts) -> [Fact] {
        var figures: [Fact] = []
        if dailies.delivered > 0 {
            figures.append(
                Fact(
                    label: texts["timeline.prompts"],
                    value: texts.count("timeline.n_of", dailies.answered, of: dailies.delivered)))
        }
        if dailies.answers > 0 {
            let basis = texts.count("contributions.items", dailies.thoughts, of: dailies.answers)
            figures.append(
                Fact(
                    label: "\(texts["timeline.thoughts"]) (\(basis))",
                    value: texts.percent(dailies.thoughts, of: dailies.answers)))
        }
        if let mood = dailies.mood {
            let basis = texts.count("contributions.items", mood.n, of: dailies.answers)
            figures.append(
                Fact(label: texts["timeline.mood", ["n": basis]], value: texts.number(mood.mean)))
        }
        if given > 0 {
            figures.append(
                Fact(
                    label: texts["timeline.completed"],
                    value: texts.count("timeline.n_of", completed, of: given)))
        }
        return figures
    }
}
