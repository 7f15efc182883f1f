import Database
import Records
import Responses
import Rules
import Therapies
import Wire

/// What figures and sums of a whole therapy rest on, read once for a page: slim rows, because years of them are thousands.
struct TherapyHistory: Sendable {
    /// The earliest first.
    let answers: [(at: Instant, thought: Double, feeling: Double?)]
    let slots: [DailyStore.Slot]
    /// When sheets other than dailies were completed.
    let sheets: [Instant]
    let interventions: [InterventionRecord]

    init(
        _ therapy: ID<Therapy>, now: Instant, _ connection: borrowing Connection
    ) throws {
        // A phone's clock may be five minutes ahead.
        answers = try ContributionStore.dailies(
            inTherapy: therapy, from: .distantPast, until: now.adding(seconds: 301), connection)
        slots = try DailyStore.slots(in: therapy, from: .distantPast, until: now, connection)
        sheets = try ContributionStore.completions(inTherapy: therapy, connection)
        interventions = try InterventionStore.all(in: therapy, withWithdrawn: false, connection)
    }
}

/// What the time between two sessions comes to.
struct IntervalSums: Sendable {
    var delivered = 0
    var answered = 0
    /// Dailies that count, and those that told of a thought.
    var answers = 0
    var thoughts = 0
    var feelings = 0
    var feeling = 0.0
    var sheets = 0
    var given = 0
    var completed = 0

    /// The mood that came with the thoughts; nil without any.
    var mood: (mean: Double, n: Int)? { feelings == 0 ? nil : (feeling / Double(feelings), feelings) }

    /// Of every interval that sessions cut, the first lying before all of them.
    /// - Parameter starts: when the sessions that were held began, the earliest first.
    static func all(_ history: TherapyHistory, _ starts: [Instant]) -> [IntervalSums] {
        var sums = [IntervalSums](repeating: IntervalSums(), count: starts.count + 1)
        for slot in history.slots where slot.isDelivered {
            let place = Interval.place(of: slot.at, starts)
            sums[place].delivered += 1
            if slot.isAnswered { sums[place].answered += 1 }
        }
        for answer in history.answers {
            let place = Interval.place(of: answer.at, starts)
            sums[place].answers += 1
            if answer.thought > 0 { sums[place].thoughts += 1 }
            if let feeling = answer.feeling {
                sums[place].feelings += 1
                sums[place].feeling += feeling
            }
        }
        for sheet in history.sheets { sums[Interval.place(of: sheet, starts)].sheets += 1 }
        for record in history.interventions {
            let place = Interval.place(of: record.assignedAt, starts)
            sums[place].given += 1
            if record.completedAt != nil { sums[place].completed += 1 }
        }
        return sums
    }
}
