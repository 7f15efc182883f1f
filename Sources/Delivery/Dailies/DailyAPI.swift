import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire

/// The plan of dailies that all of a patient's devices share.
enum DailyAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/dailies", .paired,
            .many("The plan: today's rest and the days ahead", Daily.self, query: ["days"]), index)
    }

    @Sendable static func index(_ c: Context<PairedPatient>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let asked = fields.number("days") ?? Double(DailyPlan.daysAhead)
        let isWhole = asked.rounded() == asked && (1...Double(DailyPlan.daysAhead)).contains(asked)
        if !isWhole { fields.refuse("days", "errors.days", ["limit": String(DailyPlan.daysAhead)]) }
        try fields.finish()
        let therapy = c.proof.therapy.id
        try DailyPlanning.ensure(therapy, c)
        let last = LocalTime(c.now, Zone(c.proof.account.timezone)).date.adding(days: Int(asked))
        // Planned before the group was drawn; paper asks no dailies.
        let plan =
            c.proof.therapy.asksByApp
            ? try c.read { try DailyStore.plan(in: therapy, from: c.now, through: last, $0) } : []
        let (part, next) = paging.part(of: plan, .earliestFirst) { Position($0.opens, $0.id) }
        try Fetching.note(part.map(\.id), c)
        let items = part.map { daily in
            Item(
                id: daily.id,
                Daily(availableFrom: daily.opens, dueAt: daily.closes, assignmentID: daily.id.text))
        }
        return try .data(Many(items, total: plan.count, next: next))
    }
}
