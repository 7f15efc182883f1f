import Database
import HTTP
import Wire

/// Batteries, and giving one to a patient.
enum BatteryAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/batteries", .author, .many("All batteries", QuestionnaireBattery.self), index)
        routes.call(
            .post, "/batteries", .author,
            .one(
                "Make a battery", QuestionnaireBattery.self, status: 201, takes: QuestionnaireBattery.schema),
            create)
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
        let items = part.map {
            Item(id: $0.id, QuestionnaireBattery(name: $0.name, questionnaireKeys: $0.keys))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let known = try c.read { connection in
            Set(try QuestionnaireStore.newest(c.services.questionnaires, connection).map(\.key))
        }
        let (id, draft) = (c.newID(), try BatteryDraft.read(try c.body(), known: known))
        try c.write(.batterySaved, object: id) { [now = c.now] connection in
            try BatteryStore.save(draft, id: id, at: now, connection)
        }
        let battery = QuestionnaireBattery(name: draft.name, questionnaireKeys: draft.keys)
        return try .data(One(id: id, battery), status: 201)
    }

    @Sendable static func assign(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        let draft = try BatteryAssignmentDraft.read(fields, now: c.now)
        let made = try Assigning.make(draft, c)
        let items = try c.read { connection in
            try made.compactMap { record -> Item<Assignment>? in
                let cache = c.services.questionnaires
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
                return questionnaire.map { Item(id: record.id, Assigning.wire(record, $0, c.language)) }
            }
        }
        return try .data(Many(items, total: items.count, next: nil), status: 201)
    }
}
