import HTTP
import Records
import Scheduling
import Web
import Wire

/// The audit log over the API, for administrators.
enum AuditLogAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/audit-log", .admin,
            .many("The audit log", AuditEntry.self, query: ["since", "until", "action", "actor"]), index)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        var filter = try AuditLogFilter.read(c.request.query, Zone(c.services.timezone))
        filter.before = paging.after.map { Int($0.at) }
        let list = try c.read { connection in
            let words = try AuditFormatter(c.keys, c.texts, connection)
            let lines = try AuditLogStore.lines(filter, limit: paging.limit + 1, connection)
            let items = lines.prefix(paging.limit).map { line in
                Item(
                    id: DerivedID.of("audit", String(line.id)),
                    AuditEntry(
                        number: line.id, at: line.at, actorID: line.actor?.text,
                        actor: line.actor.flatMap { words.names[$0] }, action: line.action,
                        subjectID: line.subject, object: line.object))
            }
            let isMore = lines.count > paging.limit
            let next = isMore ? items.last.map { Position(number: Int64($0.attributes.number), $0.id) } : nil
            let total = try AuditLogStore.count(filter, connection)
            return Many(Array(items), total: total, next: next.map(paging.next))
        }
        return try .data(list)
    }
}
