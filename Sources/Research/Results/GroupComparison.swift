import Database
import Psychometrics
import Records
import Studies
import Wire

/// A value of a scale, by the day since enrolment.
package struct DayValue: Sendable, Equatable {
    package let enrolment: ID<Enrolment>
    /// 0 is the local day of enrolment.
    let day: Int
    let value: Double
}

/// An outcome's result in each arm (IO-21).
///
/// By the day, begin is the first value of the first week, or of the first half of the time where that is shorter. The value at the
/// named day is the nearest one, at most a quarter of the time away, one day at least and fourteen at most. At a time point it is what
/// `TimePointOutcome` says. Participants without all values are left out.
struct GroupComparison: Sendable {
    /// The values of one person.
    struct Pair: Sendable, Equatable {
        /// Nil for all where the outcome has no begin.
        let begin: Double?
        let end: Double
    }

    struct Arm: Sendable {
        let arm: StudyArm.Key
        /// All in the arm, with or without values.
        let people: Int
        /// Those to whom the outcome does not apply: they lack no value.
        let excluded: Int
        /// Empty where the outcome has no begin.
        let begins: [Double]
        let ends: [Double]

        /// Those of whom a value may come.
        var applying: Int { people - excluded }
        var changes: [Double] { zip(ends, begins).map { $0 - $1 } }
        /// What the arms are compared by: the changes, or the values themselves where the outcome has no begin.
        var compared: [Double] { begins.isEmpty ? ends : changes }
    }

    let outcome: TrialDesign.Outcome
    let arms: [Arm]

    private init(
        _ outcome: TrialDesign.Outcome, _ order: [StudyArm.Key], _ people: [EnrolmentRecord],
        excluded: Set<ID<Enrolment>> = [], pair: (EnrolmentRecord) -> Pair?
    ) {
        let people = Self.firsts(people)
        self.outcome = outcome
        arms = order.map { arm in
            let own = people.filter { $0.arm == arm }
            let applying = own.filter { !excluded.contains($0.id) }
            let pairs = applying.compactMap(pair)
            return Arm(
                arm: arm, people: own.count, excluded: own.count - applying.count,
                begins: pairs.compactMap(\.begin), ends: pairs.map(\.end))
        }
    }

    init(
        _ outcome: TrialDesign.Outcome, _ groups: TrialDesign, in study: ID<Study>,
        of people: [EnrolmentRecord], _ connection: borrowing Connection
    ) throws {
        if let day = outcome.day {
            let values = try DayValueStore.all(of: outcome, on: day, in: study, of: people, connection)
            let byPerson = Dictionary(grouping: values, by: \.enrolment)
            self.init(outcome, groups.arms.map(\.key), people) { Self.pair(byPerson[$0.id] ?? [], day) }
        } else {
            let point = try TimePointOutcome(outcome, groups, in: study, of: people, connection)
            let values = try point?.pairs(connection)
            self.init(
                outcome, groups.arms.map(\.key), people, excluded: try point?.excluded(connection) ?? []
            ) { values?[$0.id] }
        }
    }

    /// Every outcome of a study, the primary ones first.
    static func all(
        _ groups: TrialDesign, in study: ID<Study>, of people: [EnrolmentRecord],
        _ connection: borrowing Connection
    ) throws -> [GroupComparison] {
        try groups.outcomes.map { try GroupComparison($0, groups, in: study, of: people, connection) }
    }

    /// A returned participant is one person: the first enrolment counts.
    private static func firsts(_ people: [EnrolmentRecord]) -> [EnrolmentRecord] {
        Dictionary(grouping: people, by: \.accountID).values.compactMap { own in
            own.min { ($0.enrolledAt ?? .distantFuture) < ($1.enrolledAt ?? .distantFuture) }
        }
    }

    /// How many of those in groups to whom an outcome applies have all values of it: what the comparison would count, without its values.
    static func complete(
        _ outcome: TrialDesign.Outcome, _ groups: TrialDesign, in study: ID<Study>,
        of people: [EnrolmentRecord], _ connection: borrowing Connection
    ) throws -> (complete: Int, people: Int) {
        let own = firsts(people).filter { $0.arm.flatMap { groups.arms[$0] } != nil }
        guard let day = outcome.day else {
            let point = try TimePointOutcome(outcome, groups, in: study, of: people, connection)
            let complete = try point?.complete(connection) ?? []
            let excluded = try point?.excluded(connection) ?? []
            let applying = own.filter { !excluded.contains($0.id) }
            return (applying.count { complete.contains($0.id) }, applying.count)
        }
        let found = try DayValueStore.complete(of: outcome, on: day, in: study, connection)
        let values = try DayValueStore.all(
            of: outcome, on: day, in: study, of: own.filter { found.unsure.contains($0.id) }, connection)
        let unsure = Dictionary(grouping: values, by: \.enrolment)
        let complete = own.count { person in
            found.sure.contains(person.id) || pair(unsure[person.id] ?? [], day) != nil
        }
        return (complete, own.count)
    }

    /// The last day that counts as begin.
    static func beginDays(_ day: Int) -> Int { min(7, day / 2) }

    /// How many days from the named one a value may lie.
    static func reach(_ day: Int) -> Int { max(1, min(14, day / 4)) }

    /// - Parameter values: of one person, the earliest first.
    static func pair(_ values: [DayValue], _ day: Int) -> Pair? {
        guard let first = values.first, first.day <= beginDays(day) else { return nil }
        let reach = reach(day)
        let near = values.dropFirst().filter { abs($0.day - day) <= reach && $0.day > first.day }
        let last = near.min { (abs($0.day - day), $0.day) < (abs($1.day - day), $1.day) }
        return last.map { Pair(begin: first.value, end: $0.value) }
    }

    /// The effect in the first arm against each other one.
    var effects: [(arm: StudyArm.Key, effect: EffectSize?)] {
        guard let first = arms.first else { return [] }
        return arms.dropFirst().map { ($0.arm, EffectSize(first.compared, $0.compared)) }
    }
}

/// One person's value on a scale in one week since they enrolled.
package struct PersonWeek: Sendable {
    package let enrolment: ID<Enrolment>
    let key: String
    let scale: String
    let week: Int
    let sum: Double
    let sheets: Int
}

/// The means of a scale over persons: answering more often gives no more weight.
struct ScaleMeans: Sendable {
    let spread: SampleStatistics?
    let people: Int
    let sheets: Int

    /// - Parameter weeks: of one scale.
    init(_ weeks: [PersonWeek]) {
        let persons = Dictionary(grouping: weeks, by: \.enrolment).values.map { own in
            own.reduce(0) { $0 + $1.sum } / Double(own.reduce(0) { $0 + $1.sheets })
        }
        spread = SampleStatistics(persons)
        people = persons.count
        sheets = weeks.reduce(0) { $0 + $1.sheets }
    }

    /// The values of the given people, by scale.
    static func weeks(
        in study: ID<Study>, of people: [EnrolmentRecord], _ connection: borrowing Connection
    ) throws -> [String: [PersonWeek]] {
        let weeks = try StudyContributionStore.personWeeks(in: study, of: people, connection)
        return Dictionary(grouping: weeks) { "\($0.key)/\($0.scale)" }
    }
}

/// Means of a scale by week since enrolment, for one arm or for all.
struct WeeklyMeans: Sendable {
    /// Nil for all.
    let arm: StudyArm.Key?
    let weeks: [(week: Int, mean: Double, people: Int)]

    private static let mostWeeks = 104

    /// Means over persons of their own means in each week, so that answering more often gives no more weight.
    init(_ arm: StudyArm.Key?, _ people: [EnrolmentRecord], _ values: [PersonWeek]) {
        let own = Set(people.filter { arm == nil || $0.arm == arm }.map(\.id))
        let kept = values.filter { own.contains($0.enrolment) && $0.week < Self.mostWeeks }
        self.arm = arm
        weeks = Dictionary(grouping: kept, by: \.week).sorted { $0.key < $1.key }.map { week, persons in
            // Joins several versions in one week.
            let means = Dictionary(grouping: persons, by: \.enrolment).values.map { own in
                own.reduce(0) { $0 + $1.sum } / Double(own.reduce(0) { $0 + $1.sheets })
            }
            return (week, means.mean ?? 0, means.count)
        }
    }
}
