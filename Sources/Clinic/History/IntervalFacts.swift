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

    var sums: IntervalSums {
        var sums = IntervalSums()
        sums.delivered = dailies.delivered
        sums.answered = dailies.answered
        sums.answers = dailies.answers
        sums.thoughts = dailies.thoughts
        if let mood = dailies.mood {
            sums.feelings = mood.n
            sums.feeling = mood.mean * Double(mood.n)
        }
        sums.given = given
        sums.completed = completed
        return sums
    }
}

extension IntervalSums {
    /// Each value with what it counts; what did not occur is left out.
    /// - Parameter before: the sums of the interval before it, which shares and means are compared with.
    func figures(before: IntervalSums? = nil, _ texts: Texts) -> [Fact] {
        var figures: [Fact] = []
        let add = { (value: String, label: String) in figures.append(Fact(label: label, value: value)) }
        let earlier = { (words: String?) in
            words.map { " (" + texts["briefing.earlier", ["words": $0]] + ")" } ?? ""
        }
        if delivered > 0 {
            add(texts.count("timeline.n_of", answered, of: delivered), texts["timeline.prompts"])
        }
        if answers > 0 {
            let basis = texts.count("contributions.items", thoughts, of: answers)
            let last = before.flatMap { $0.answers > 0 ? texts.percent($0.thoughts, of: $0.answers) : nil }
            add(
                texts.percent(thoughts, of: answers),
                "\(texts["timeline.thoughts"]) (\(basis))" + earlier(last))
        }
        if let mood {
            let basis = texts.count("contributions.items", mood.n, of: answers)
            let last = before?.mood.map { texts.number($0.mean) }
            add(texts.number(mood.mean), texts["timeline.mood", ["n": basis]] + earlier(last))
        }
        if sheets > 0 {
            add(String(sheets), texts[sheets == 1 ? "timeline.sheets_one" : "timeline.sheets_many"])
        }
        if given > 0 {
            add(texts.count("timeline.n_of", completed, of: given), texts["timeline.completed"])
        }
        return figures
    }
}
