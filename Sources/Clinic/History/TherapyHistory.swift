import Contributions
import Database
import Delivery
import Records
import Rules
import Therapies
import Wire

/// The data of a whole therapy's figures and sums, read once a page in few columns: years are thousands of rows.
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
        // A phone's clock may be five minutes fast.
        answers = try ContributionStore.dailies(
            inTherapy: therapy, from: .distantPast, until: now.adding(seconds: 301), connection)
        slots = try DailyStore.slots(in: therapy, from: .distantPast, until: now, connection)
        sheets = try ContributionStore.completions(inTherapy: therapy, connection)
        interventions = try InterventionStore.all(in: therapy, withWithdrawn: false, connection)
    }
}

/// The sums of the time between two sessions.
struct IntervalSums: Sendable {
    var delivered = 0
    var answered = 0
    /// Dailies that count, and those with a thought of the therapy.
    var answers = 0
    var thoughts = 0
    var feelings = 0
    var feeling = 0.0
    var sheets = 0
    var given = 0
    var completed = 0

    /// The mood that came with the thoughts; nil without any.
    var mood: (mean: Double, n: Int)? { feelings == 0 ? nil : (feeling / Double(feelings), feelings) }

    /// For every interval between sessions, the first before all of them.
    /// - Parameter starts: the begins of the held sessions, the earliest first.
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
