import HTTP
import JSON
import Records
import Web
import Wire
import Wording

/// Alerts: things a therapist should look at.
enum AlertAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/alerts", .therapist,
            .many("Alerts, the newest first", Alert.self, query: ["acknowledged"]), index)
        routes.call(
            .post, "/alerts/:alert/acknowledge", .therapist,
            .one(
                "Acknowledge an alert with a word", Alert.self,
                takes: .object([Schema.optional("comment", .string.orNull)])
            ).withOptionalBody, acknowledge)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let isAcknowledged = fields.choice("acknowledged", from: ["true", "false"]).map { $0 == "true" }
        try fields.finish()
        let (list, shown) = try c.read { connection in
            let wanted = isAcknowledged.map { [$0] } ?? [false, true]
            let all = try wanted.flatMap {
                try AlertReader.all(c, isAcknowledged: $0, limit: .max, connection)
            }.sorted { ($1.raisedAt, $0.id) < ($0.raisedAt, $1.id) }
            let (part, next) = paging.part(of: all) { Position($0.raisedAt, $0.id) }
            let reader = try AlertReader(c, connection)
            let items = try part.map { Item(id: $0.id, try reader.wire($0, connection)) }
            return (Many(items, total: all.count, next: next), part.map(\.firing.therapyID))
        }
        c.noteVisits(of: shown, to: "alerts")
        return try .data(list)
    }

    @Sendable static func acknowledge(_ c: Context<Member>) throws -> Reply {
        let id: ID<Alert> = try c.id("alert")
        // The comment is optional, and so is a body.
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let comment = fields.text("comment", limit: AlertReader.commentLimit, lines: true)
        try fields.finish()
        try AlertReader.acknowledge(id, comment, c)
        let alert = try c.read { connection -> Alert in
            guard let record = try AlertStore.find(id, connection) else {
                throw Problem.notFound
            }
            return try AlertReader(c, connection).wire(record, connection)
        }
        return try .data(One(id: id, alert))
    }
}
