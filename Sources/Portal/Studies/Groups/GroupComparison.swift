import Database
import Wire

/// A value of a scale, by the day since enrolment.
struct DayValue: Sendable, Equatable {
    let enrolment: String
    /// 0 is the local day of enrolment.
    let day: Int
    let value: Double
}

/// What became of an outcome in each arm (IO-21).
///
/// Begin is the first value of the first week, or of the first half of the time where that is shorter. The value at the
/// named day is the nearest one, at most a quarter of the time away, one day at least and fourteen at most. Who lacks one
/// of both is not in the comparison.
struct GroupComparison: Sendable {
    struct Arm: Sendable {
        let arm: Therapy.Arm
        /// All in the arm, whether or not they have both values.
        let people: Int
        let begins: [Double]
        let ends: [Double]

        var changes: [Double] { zip(ends, begins).map { $0 - $1 } }
    }

    let outcome: StudyGroups.Outcome
    let arms: [Arm]

    /// - Parameter values: of the outcome's scale, each person's earliest first.
    init(
        _ outcome: StudyGroups.Outcome, _ order: [Therapy.Arm], _ people: [EnrolmentRecord],
        _ values: [DayValue]
    ) {
        let byPerson = Dictionary(grouping: values, by: \.enrolment)
        self.outcome = outcome
        arms = order.map { arm in
            let own = people.filter { $0.arm == arm }
            let pairs = own.compactMap { Self.pair(byPerson[$0.id] ?? [], outcome.day) }
            return Arm(
                arm: arm, people: own.count, begins: pairs.map(\.begin), ends: pairs.map(\.end))
        }
    }

    static func pair(_ values: [DayValue], _ day: Int) -> (begin: Double, end: Double)? {
        guard let first = values.first, first.day <= min(7, day / 2) else { return nil }
        let reach = max(1, min(14, day / 4))
        let near = values.dropFirst().filter { abs($0.day - day) <= reach && $0.day > first.day }
        let last = near.min { (abs($0.day - day), $0.day) < (abs($1.day - day), $1.day) }
        return last.map { (first.value, $0.value) }
    }

    /// Of the change in the first arm against each other one.
    var effects: [(arm: Therapy.Arm, effect: EffectSize?)] {
        guard let first = arms.first else { return [] }
        return arms.dropFirst().map { ($0.arm, EffectSize(first.changes, $0.changes)) }
    }
}

/// Means of a scale by week since enrolment, for one arm or for all.
struct WeeklyMeans: Sendable {
    /// Nil for all.
    let arm: Therapy.Arm?
    let weeks: [(week: Int, mean: Double, people: Int)]

    private static let mostWeeks = 104

    /// Means over persons of their own means in each week, so that who answers more does not count more.
    init(_ arm: Therapy.Arm?, _ people: [EnrolmentRecord], _ values: [DayValue]) {
        let own = Set(people.filter { arm == nil || $0.arm == arm }.map(\.id))
        self.arm = arm
        weeks = Self.weeks(values.filter { own.contains($0.enrolment) })
    }

    /// Of persons, by week.
    static func weeks(_ values: [DayValue]) -> [(week: Int, mean: Double, people: Int)] {
        var sums: [Int: [String: (sum: Double, count: Double)]] = [:]
        for value in values where value.day / 7 < Self.mostWeeks {
            let known = sums[value.day / 7]?[value.enrolment] ?? (0, 0)
            sums[value.day / 7, default: [:]][value.enrolment] = (known.sum + value.value, known.count + 1)
        }
        return sums.sorted { $0.key < $1.key }.map { week, persons in
            let means = persons.values.map { $0.sum / $0.count }
            return (week, means.reduce(0, +) / Double(means.count), means.count)
        }
    }
}
