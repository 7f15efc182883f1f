import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The library of interventions over the API.
enum LibraryAPI {
    static func routes(_ routes: inout Routes) {
        let type = LibraryIntervention.self
        let revision = LibraryStore.revision
        routes.call(.get, "/interventions", .author, .many("The library of interventions", type), index)
        routes.call(
            .post, "/interventions", .author,
            .one("Add a text to the library", type, status: 201, takes: draft), create)
        routes.call(
            .get, "/interventions/:intervention", .author,
            .one("A text of the library", type).revised(revision), show)
        routes.call(
            .patch, "/interventions/:intervention", .author,
            .one("Change a text; what was given stays as it was", type, takes: change).revised(revision),
            update)
        routes.call(
            .delete, "/interventions/:intervention", .author,
            .nothing("Take a text out of the library").revised(revision).undone(.shelf),
            destroy)
        routes.call(
            .post, "/interventions/:intervention/return", .author,
            .one("Bring a text back into the library", type).revised(Undo.shelf.revision), bringBack)
    }

    private static let draft = Schema.object([
        Schema.property("kind", .choice(Intervention.kinds)),
        Schema.property("text", LocalizedText.schema),
        Schema.optional("shared", .boolean.orNull),
    ])
    private static let change = Schema.object([
        Schema.optional("kind", .choice(Intervention.kinds)),
        Schema.optional("text", LocalizedText.schema), Schema.optional("shared", .boolean.orNull),
    ])

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let (all, uses) = try c.read { connection in
            (try LibraryStore.all(for: account, connection), try LibraryStore.uses(of: account, connection))
        }
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
        let items = part.map { Item(id: $0.id, wire($0, uses[$0.id], account)) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try LibraryDraft.read(try c.body())
        let id: ID<LibraryIntervention> = c.newID()
        let owner = c.proof.account.id
        try c.write(.libraryChanged, object: id) { [now = c.now] connection in
            try LibraryStore.insert(draft, id: id, owner: owner, at: now, connection)
        }
        return try answer(id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try answer(try c.id("intervention"), c, status: 200)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let existing = try Shelf.editable(c)
        let draft = try LibraryDraft.read(try c.body(), over: existing)
        try Shelf.save(draft, over: existing, c)
        return try answer(existing.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try Shelf.retire(c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        try Shelf.bringBack(c)
        return try answer(try c.id("intervention"), c, status: 200)
    }

    private static func answer(_ id: ID<LibraryIntervention>, _ c: Context<Member>, status: Int) throws
        -> Reply
    {
        let account = c.proof.account.id
        let (record, uses) = try c.read { connection in
            (
                try LibraryStore.find(id, for: account, connection),
                try LibraryStore.uses(of: account, connection)
            )
        }
        guard let record, !record.isRetired else { throw Problem.notFound }
        return try .data(One(id: id, wire(record, uses[id], account)), status: status)
    }

    private static func wire(
        _ record: LibraryRecord, _ use: LibraryUse?, _ account: ID<Account>
    ) -> LibraryIntervention {
        var wire = LibraryIntervention(
            kind: record.kind.rawValue, text: record.text, shared: record.isShared,
            editable: record.mayBeChanged(by: account), createdAt: record.createdAt,
            changedAt: record.changedAt)
        let use = use ?? LibraryUse()
        wire.uses = use.uses
        wire.opened = use.opened
        wire.completed = use.completed
        return wire
    }
}

/// Changing the library, for page and call alike.
enum Shelf {
    /// The text in the path, if this account may change it; a shared one of another owner may only be read.
    static func editable(_ c: Context<Member>) throws -> LibraryRecord {
        let id: ID<LibraryIntervention> = try c.id("intervention")
        let account = c.proof.account.id
        guard let found = try c.read({ try LibraryStore.find(id, for: account, $0) }), !found.isRetired else {
            throw Problem.notFound
        }
        guard found.mayBeChanged(by: account) else {
            throw Problem.forbidden(Message("interventions.not_yours"))
        }
        return found
    }

    static func save(_ draft: LibraryDraft, over existing: LibraryRecord, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.libraryChanged, object: existing.id) { [now = c.now] connection in
            try LibraryStore.update(draft, id: existing.id, by: account, at: now, connection)
        }
    }

    /// Undoes a removal.
    static func bringBack(_ c: Context<Member>) throws {
        let id: ID<LibraryIntervention> = try c.id("intervention")
        let account = c.proof.account.id
        guard let found = try c.read({ try LibraryStore.find(id, for: account, $0) }),
            found.mayBeChanged(by: account)
        else { throw Problem.notFound }
        try c.write(.libraryChanged, object: id) { connection in
            try LibraryStore.bringBack(id, by: account, connection)
        }
    }

    static func retire(_ c: Context<Member>) throws {
        let existing = try editable(c)
        let account = c.proof.account.id
        try c.write(.libraryChanged, object: existing.id) { [now = c.now] connection in
            try LibraryStore.retire(existing.id, by: account, at: now, connection)
        }
    }
}

extension Undo {
    static let shelf = Undo(
        by: "/interventions/:intervention/return", shown: "/interventions/:intervention",
        LibraryStore.removal)
}
