import Database
import HTTP
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// What participants note with buttons (ST-2).
enum EventAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/my/events/:event"
        routes.call(
            .get, "/my/events", .patient,
            .many(
                "Own events that have no end or began in the last seven days, the latest first",
                StudyEvent.self),
            index)
        routes.call(
            .put, path, .patient,
            .one(
                "Note an event; the same again is harmless, other times correct it until a sheet names it",
                StudyEvent.self, status: 201, takes: StudyEvent.sent), put)
        routes.call(.delete, path, .patient, .nothing("Take away an event that no sheet names"), remove)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let events = try c.read { try OwnEvents.recent(of: c.proof.account.id, at: c.now, $0) }
        return try .data(
            paging.part(of: events.map { Item(id: $0.record.id, $0.record.wire(of: $0.item)) }))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<StudyEvent>(uuid: c.places["event"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let account = c.proof.account
        let event = try EventNoting.read(try c.body(), as: id, of: account, at: c.now)
        let isNew = try EventNoting.note(event, c)
        let found = try c.read { connection in
            try StudyEventStore.find(id, of: account.id, connection).flatMap { record in
                try OwnEvents.item(of: record, connection).map { record.wire(of: $0) }
            }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: id, found), status: isNew ? 201 : 200)
    }

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        try EventNoting.remove(try c.id("event"), c)
        return .response(.noContent)
    }
}
