import HTTP
import Instruments
import Records
import Therapies
import Web
import Wire
import Wording

/// Batteries, and assigning one to a patient.
enum BatteryAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/batteries", .author, .many("All batteries", QuestionnaireBattery.self), index)
        routes.call(
            .post, "/batteries", .author,
            .one(
                "Make a battery", QuestionnaireBattery.self, status: 201, takes: QuestionnaireBattery.schema),
            create)
        routes.call(
            .get, "/batteries/:battery", .author, .one("A battery", QuestionnaireBattery.self), show)
        routes.call(
            .patch, "/batteries/:battery", .author,
            .one(
                "Change a battery; what was assigned from it stays", QuestionnaireBattery.self,
                takes: QuestionnaireBattery.change
            ).matching, update)
        routes.call(
            .delete, "/batteries/:battery", .author,
            .nothing("Remove a battery that nothing uses").undone(.battery),
            destroy)
        routes.call(
            .post, "/batteries/:battery/return", .author,
            .one("Bring a removed battery back", QuestionnaireBattery.self).revised(Undo.battery.revision),
            bringBack)
        routes.call(
            .post, "/patients/:patient/battery-assignments", .caseload,
            .many("Assign a battery as one", Assignment.self, status: 201, takes: assignment), assign)
    }

    private static let assignment = Schema.object([
        Schema.property("battery_id", .id), Schema.optional("available_from", .time.orNull),
        Schema.optional("due_at", .time.orNull), Schema.optional(Permission.field, .boolean.orNull),
    ])

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try BatteryStore.all($0) }.sorted { $0.id < $1.id }
        let (part, next) = paging.part(of: all, .earliestFirst) { Position(number: 0, $0.id) }
        let items = part.map { Item(id: $0.id, $0.wire) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try BatteryDraft.read(try c.body(), known: try Batteries.known(c))
        let id: ID<Battery> = c.newID()
        try Batteries.save(draft, id: id, over: nil, c)
        return try answer(id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(try Batteries.found(c).id, c, status: 200)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let battery = try Batteries.found(c)
        let known = try Batteries.known(c).union(battery.keys)
        try Batteries.save(
            try BatteryDraft.read(try c.body(), over: battery, known: known), id: battery.id, over: battery,
            c)
        return try answer(battery.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try Batteries.remove(try Batteries.found(c), c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        try Batteries.bringBack(c)
        return try answer(try c.id("battery"), c, status: 200)
    }

    private static func answer(_ id: ID<Battery>, _ c: Context<Member>, status: Int) throws -> Reply {
        guard let battery = try c.read({ try BatteryStore.find(id, $0) }) else { throw Problem.notFound }
        return Conditional.tagged(
            try .data(One(id: id, battery.wire), status: status), revision: battery.revision, c.language)
    }

    @Sendable static func assign(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        let draft = try BatteryAssignmentDraft.read(fields, now: c.now)
        let made = try AssignmentActions.make(draft, c)
        let items = try c.read { connection in
            try made.compactMap { record -> Item<Assignment>? in
                let cache = c.services.questionnaires
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
                return questionnaire.map {
                    Item(id: record.id, AssignmentActions.wire(record, $0, c.languages))
                }
            }
        }
        return try .data(Many(items, total: items.count, next: nil), status: 201)
    }
}
