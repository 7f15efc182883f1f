import Accounts
import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Covers (PR-20).
enum CoverAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/covers", .therapist,
            .many("Covers that the caller gives, and those by which they stand in", Cover.self), index)
        routes.call(
            .post, "/covers", .therapist,
            .one("Let a colleague stand in", Cover.self, status: 201, takes: Cover.sent), create)
        routes.call(
            .delete, "/covers/:cover", .therapist, .nothing("End a cover at once"), destroy)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let reader = c.proof.account.id
        let list = try c.read { connection in
            let all =
                try SharingStore.covers(by: reader, connection)
                + SharingStore.covers(for: reader, notOverBy: c.now, connection)
            let (part, next) = paging.part(of: all.sorted { ($1.startsAt, $0.id) < ($0.startsAt, $1.id) }) {
                Position($0.startsAt, $0.id)
            }
            return Many(
                try part.map { Item(id: $0.id, try wire($0, c, connection)) }, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try CoverDraft.read(try c.body(), today: c.dates.today)
        let id = try CoverActions.make(draft, c)
        let therapist = c.proof.account.id
        let cover = try c.read { connection in
            try SharingStore.cover(id, by: therapist, connection).map { try wire($0, c, connection) }
        }
        guard let cover else { throw Problem.notFound }
        return try .data(One(id: id, cover), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try CoverActions.end(try c.id("cover"), c)
        return .response(.noContent)
    }

    private static func wire(
        _ cover: CoverRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Cover {
        let isGiven = cover.therapistID == c.proof.account.id
        let patients = try SharingStore.patients(of: cover, connection).map(\.id.text)
        return Cover(
            direction: isGiven ? "given" : "received",
            therapist: try TherapistStore.name(of: cover.therapistID, c.keys, connection),
            colleague: try TherapistStore.name(of: cover.colleagueID, c.keys, connection),
            patients: isGiven && cover.isForAll ? .all : .named(patients), from: cover.startsOn,
            until: cover.endsOn, access: cover.access.rawValue, sharesAlias: cover.sharesAlias,
            endedAt: cover.endedAt)
    }
}
