import Database
import HTTP
import Identity
import Records
import Scheduling
import Web
import Wire
import Wording

/// Sleeps and activities over the API: lists, storing or changing one under the device's own id, deleting one for good.
enum HealthRecordAPI<Value: HealthRecordValue> {
    static func routes(_ routes: inout Routes, of things: String, _ thing: String) {
        let path = Value.kind.path
        routes.call(
            .get, path, .patient,
            .many("\(things), the newest first", Value.self, query: ["from", "to"]), index)
        routes.call(.get, path + "/:entry", .patient, .one("One of them: \(thing)", Value.self), show)
        routes.call(
            .put, path + "/:entry", .patient,
            .one(
                "Keep \(thing), or change it with If-Match; a deleted one stays deleted", Value.self,
                status: 201, takes: Value.sent),
            put)
        routes.call(.delete, path + "/:entry", .patient, .nothing("Delete \(thing)"), destroy)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let zone = Zone(account.timezone)
        let fields = InputReader(form: c.request.query)
        let to = fields.date("to") ?? LocalTime(c.now, zone).date
        let from = fields.date("from") ?? to.adding(days: -27)
        if from > to { fields.refuse("from", "health.order") }
        try fields.finish()
        let begin = zone.instant(from, hour: 0, minute: 0)
        let end = zone.instant(to.adding(days: 1), hour: 0, minute: 0)
        let key = try account.key(c.keys)
        let all = try c.read { connection in
            // A night belongs to the day of waking, as on the pages.
            try Value.kind == .sleep
                ? HealthRecordStore.all(Value.self, of: account.id, endingIn: begin..<end, key, connection)
                : HealthRecordStore.all(
                    Value.self, of: account.id, from: begin, until: end, key, connection)
        }
        let (part, next) = paging.part(of: all) { Position($0.value.startsAt, $0.id) }
        return try .data(Many(part.map { Item(id: $0.id, $0.value) }, total: all.count, next: next))
    }

    private static func id(_ c: Context<Member>) throws -> ID<HealthEntry> {
        guard let id = ID<HealthEntry>(uuid: c.places["entry"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        return id
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<HealthEntry>(uuid: c.places["entry"]) else { throw Problem.notFound }
        return try answer(id, c, status: 200)
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let id = try id(c)
        let value = try Value.read(try c.body(), now: c.now)
        let isNew = try HealthRecordActions.keep(value, id, c) { [request = c.request] revision in
            try Conditional.requireRevision(request, current: revision)
        }
        return try answer(id, c, status: isNew ? 201 : 200)
    }

    private static func answer(_ id: ID<HealthEntry>, _ c: Context<Member>, status: Int) throws -> Reply {
        let account = c.proof.account
        let key = try account.key(c.keys)
        let found = try c.read { connection in
            try HealthRecordStore.find(Value.self, id, of: account.id, key, connection)
        }
        switch found {
        case .none: throw Problem.notFound
        case .deleted: throw Problem.gone(Message("health.deleted"))
        case .kept(let value, let revision):
            let reply = try Reply.data(One(id: id, value), status: status)
            return Conditional.tagged(reply, revision: revision, c.language)
        }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try HealthRecordActions.delete(Value.self, try id(c), c) { [request = c.request] revision in
            try Conditional.requireRevision(request, current: revision, isRequired: false)
        }
        return .response(.noContent)
    }
}

/// The same for pages and calls.
enum HealthRecordActions {
    /// The limit of an account: a diary has fewer.
    private static let limit = 20_000

    /// - Parameter check: gets the revision to be changed, inside the write; throws when the change is based on
    ///   another.
    /// - Returns: whether it is new.
    /// - Throws: `Problem.gone` for a deleted one.
    static func keep<Value: HealthRecordValue>(
        _ value: Value, _ id: ID<HealthEntry>, _ c: Context<Member>,
        check: @escaping @Sendable (Int?) throws -> Void = { _ in }
    ) throws -> Bool {
        let account = c.proof.account.id
        let key = try c.proof.account.key(c.keys)
        if try c.read({ try known(value, id, account, key, $0) }).value == value { return false }
        return try c.write(.healthKept, about: account, object: id) { [now = c.now] connection in
            let before = try known(value, id, account, key, connection)
            // Another request may have stored the same in between.
            if before.value == value { return false }
            try check(before.revision)
            let isNew = before.revision == nil
            if isNew, try HealthRecordStore.count(of: account, connection) >= limit {
                throw Problem.conflict(Message("health.too_many_records", ["n": String(limit)]))
            }
            try HealthRecordStore.save(value, id, of: account, key, at: now, connection)
            return isNew
        }
    }

    private static func known<Value: HealthRecordValue>(
        _ value: Value, _ id: ID<HealthEntry>, _ account: ID<Account>, _ key: PersonKey,
        _ connection: borrowing Connection
    ) throws -> KnownRecord<Value> {
        let found = try HealthRecordStore.find(Value.self, id, of: account, key, connection)
        if found.isDeleted { throw Problem.gone(Message("health.deleted")) }
        return found
    }

    /// - Throws: `Problem.notFound`, `Problem.gone`.
    static func delete<Value: HealthRecordValue>(
        _ type: Value.Type, _ id: ID<HealthEntry>, _ c: Context<Member>,
        check: @escaping @Sendable (Int?) throws -> Void = { _ in }
    ) throws {
        let account = c.proof.account.id
        let key = try c.proof.account.key(c.keys)
        try c.write(.healthDeleted, about: account, object: id) { [now = c.now] connection in
            let found = try HealthRecordStore.find(type, id, of: account, key, connection)
            if found.isDeleted { throw Problem.gone(Message("health.deleted")) }
            guard let revision = found.revision else { throw Problem.notFound }
            try check(revision)
            try HealthRecordStore.delete(Value.kind, id, of: account, at: now, connection)
        }
    }
}

extension AuditAction {
    static let healthKept = AuditAction(name: "health_record.kept")
    static let healthDeleted = AuditAction(name: "health_record.deleted")
}
