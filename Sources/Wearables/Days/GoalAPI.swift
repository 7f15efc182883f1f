import HTTP
import Identity
import Records
import Web
import Wire

/// An account's goals, over the API.
enum GoalAPI {
    static func routes(_ routes: inout Routes) {
        let type = HealthGoals.self
        routes.call(
            .get, "/my/goals", .patient,
            .one("Steps a day and minutes of sleep that are aimed at", type).revised(GoalStore.revision), show
        )
        routes.call(
            .put, "/my/goals", .patient,
            .one("Set goals; null is none", type, takes: HealthGoals.sent).revised(GoalStore.revision), put)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try GoalStore.find(of: c.proof.account.id, $0).goals }))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let goals = try read(try c.body())
        try save(c) { $0.goals = goals }
        return try .data(One(goals))
    }

    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader) throws -> HealthGoals {
        let goals = HealthGoals(
            stepsPerDay: whole("steps_per_day", 1...120_000, fields),
            sleepMinutes: whole("sleep_minutes", 1...1_440, fields))
        try fields.finish()
        return goals
    }

    private static func whole(
        _ name: String, _ range: ClosedRange<Int>, _ fields: InputReader
    ) -> Int? {
        fields.value(name) == nil ? nil : fields.whole(name, range, first: range.lowerBound)
    }

    /// Changes goals or the order of sources; writes nothing when nothing changes.
    static func save(
        _ c: Context<Member>, _ change: @escaping @Sendable (inout HealthWishes) -> Void
    ) throws {
        let account = c.proof.account.id
        var wanted = try c.read { try GoalStore.find(of: account, $0) }
        let before = wanted
        change(&wanted)
        if wanted == before { return }
        try c.write(.goalsSet, about: account) { connection in
            var wishes = try GoalStore.find(of: account, connection)
            change(&wishes)
            try GoalStore.save(wishes, of: account, connection)
        }
    }
}

extension AuditAction {
    static let goalsSet = AuditAction(name: "health_goals.set")
}
