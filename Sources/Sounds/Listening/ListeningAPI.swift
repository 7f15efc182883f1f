import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Listening over the API (SN-2, SN-3).
enum ListeningAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/my/listening-sessions"
        routes.call(
            .get, path, .patient, .many("What was heard, the newest first", ListeningSession.self), index)
        routes.call(
            .put, path + "/:listening", .patient,
            .one(
                "Keep what was heard; it never changes, and the same again is harmless",
                ListeningSession.self,
                status: 201, takes: ListeningSession.sent), put)
        routes.call(
            .get, "/my/listening-statistics", .patient,
            .many("What was heard, sound by sound", ListeningStatistic.self, query: ["sort"]), statistics)
        let favourite = SoundFavourite.self
        routes.call(
            .get, "/my/sound-favourites", .patient, .many("Favourites, the newest first", favourite),
            favourites)
        let one = "/my/sound-favourites/:sound"
        routes.call(.get, one, .patient, .one("A favourite", favourite), showFavourite)
        routes.call(.put, one, .patient, .one("Make a sound a favourite", favourite), addFavourite)
        routes.call(.delete, one, .patient, .nothing("Let a favourite go"), removeFavourite)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let (all, titles) = try c.read { connection in
            (try ListeningStore.all(of: account, connection), try ListeningActions.titles(c, connection))
        }
        let (part, next) = paging.part(of: all) { Position($0.startedAt, $0.id) }
        return try .data(
            Many(part.map { Item(id: $0.id, $0.wire(titles)) }, total: all.count, next: next))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        guard let id = ID<ListeningSession>(uuid: c.places["listening"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let draft = try ListeningDraft.read(try c.body(), now: c.now)
        let kept = try ListeningActions.keep(draft, id, c)
        let titles = try c.read { try ListeningActions.titles(c, $0) }
        return try .data(One(id: id, kept.record.wire(titles)), status: kept.isNew ? 201 : 200)
    }

    @Sendable static func statistics(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let order = fields.choice("sort", from: ListeningStatistic.sorts)
        try fields.finish()
        let account = c.proof.account.id
        let lines = try c.read { connection in
            ListeningStatistics.lines(
                of: try ListeningStore.all(of: account, connection),
                titles: try ListeningActions.titles(c, connection),
                by: order.flatMap(ListeningStatistics.Order.init(rawValue:)) ?? .name)
        }
        return try .data(paging.part(of: lines.map { Item(id: $0.sound, $0.wire) }))
    }

    // MARK: Favourites

    private static func all(_ c: Context<Member>) throws -> [Item<SoundFavourite>] {
        let account = c.proof.account.id
        return try c.read { connection in
            let titles = try ListeningActions.titles(c, connection)
            return try FavouriteStore.all(of: account, connection).map { found in
                Item(
                    id: found.sound, SoundFavourite(title: titles[found.sound] ?? "", addedAt: found.addedAt))
            }
        }
    }

    @Sendable static func favourites(_ c: Context<Member>) throws -> Reply {
        try .data(try Paging(c.request).part(of: try all(c)))
    }

    @Sendable static func showFavourite(_ c: Context<Member>) throws -> Reply {
        let id: ID<Sound> = try c.id("sound")
        guard let found = try all(c).first(where: { $0.id == id.text }) else { throw Problem.notFound }
        return try .data(One(id: id, found.attributes))
    }

    @Sendable static func addFavourite(_ c: Context<Member>) throws -> Reply {
        try ListeningActions.setFavourite(true, c)
        return try showFavourite(c)
    }

    @Sendable static func removeFavourite(_ c: Context<Member>) throws -> Reply {
        try ListeningActions.setFavourite(false, c)
        return .response(.noContent)
    }
}
