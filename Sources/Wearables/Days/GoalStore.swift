import Database
import Records
import Web
import Wire

/// An account's goals, and its order of sources.
package struct HealthWishes: Sendable, Equatable {
    package var goals: HealthGoals
    package var sources: [MeasurementSource]

    package init(
        goals: HealthGoals = HealthGoals(stepsPerDay: nil, sleepMinutes: nil),
        sources: [MeasurementSource] = []
    ) {
        self.goals = goals
        self.sources = sources
    }
}

/// Every statement about goals.
package enum GoalStore {
    package static func find(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> HealthWishes {
        try connection.first(
            "SELECT steps_per_day, sleep_minutes, sources FROM health_goals WHERE account_id = \(account)"
        ) { row in
            let sources: String = try row[2]
            return HealthWishes(
                goals: HealthGoals(stepsPerDay: try row[0], sleepMinutes: try row[1]),
                sources: sources.split(separator: " ").compactMap { MeasurementSource(rawValue: String($0)) })
        } ?? HealthWishes()
    }

    package static func save(
        _ wishes: HealthWishes, of account: ID<Account>, _ connection: borrowing Connection
    ) throws {
        let sources = wishes.sources.map(\.rawValue).joined(separator: " ")
        try connection.run(
            """
            INSERT INTO health_goals (account_id, steps_per_day, sleep_minutes, sources)
            VALUES (\(account), \(wishes.goals.stepsPerDay), \(wishes.goals.sleepMinutes), \(sources))
            ON CONFLICT (account_id) DO UPDATE SET steps_per_day = excluded.steps_per_day,
                sleep_minutes = excluded.sleep_minutes, sources = excluded.sources
            """)
    }

    static let revision: RevisionOf = { _, account, connection in
        let wishes = try find(of: account, connection)
        let goals = wishes.goals
        return Revision.number(of: [
            goals.stepsPerDay.map { .integer(Int64($0)) } ?? .null,
            goals.sleepMinutes.map { .integer(Int64($0)) } ?? .null,
            .text(wishes.sources.map(\.rawValue).joined(separator: " ")),
        ])
    }
}
