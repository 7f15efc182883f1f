import HTTP
import Identity
import JSON
import Records
import Secrets
import Web
import Wire
import Wording

/// Links to providers over the API, and the hooks by which providers announce new data.
enum WearableAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/my/wearables"
        routes.call(
            .get, path, .patient,
            .many("Providers of measurements, and how far the own link to each has come", Wearable.self),
            index)
        routes.call(
            .post, path + "/:provider/link", .patient,
            .one(
                "Where the person is asked by the provider; counts only once it is confirmed",
                WearableAuthorization.self), link)
        routes.call(
            .post, path + "/:provider/confirmation", .patient,
            .one(
                "Make the link count, with the token that asked for it, once the person has come back",
                Wearable.self), confirm)
        routes.call(
            .delete, path + "/:provider", .patient,
            .nothing("End a link; data says whether what it brought stays: keep or remove", query: ["data"]),
            destroy)
        routes.call(
            .post, "/wearables/hooks/:provider/:secret", .anyone,
            .nothing("Look again soon; for providers alone", takes: .record).withOptionalBody, hook)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let all = try LinkActions.all(c)
        return try .data(Many(all.map { Item(id: $0.provider, $0) }, total: all.count, next: nil))
    }

    @Sendable static func link(_ c: Context<Member>) throws -> Reply {
        try .data(One(WearableAuthorization(authorizeURL: try LinkActions.ask(c))))
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        let wearable = try LinkActions.confirm(c)
        return try .data(One(id: wearable.provider, wearable))
    }

    static let fates = ["keep", "remove"]

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        _ = try LinkActions.named(c)
        let fields = InputReader(form: c.request.query)
        let fate = fields.choice("data", from: fates, required: true)
        try fields.finish()
        _ = try LinkActions.unlink(removingData: fate == "remove", c)
        return .response(.noContent)
    }

    // MARK: Hooks

    /// In seconds: announced data is not available at once, and busy days announce much.
    private static let soon: Int64 = 60
    private static let pause: Int64 = 600

    /// A hook is trusted in one thing alone: that it is worth fetching again.
    @Sendable static func hook(_ c: Context<Anyone>) throws -> Reply {
        let secret = Array((c.places["secret"] ?? "").utf8)
        guard let provider = c.services.part(WearableSignal.self).provider(c.places["provider"] ?? ""),
            let known = provider.hookSecret, equalInConstantTime(Array(known.utf8), secret)
        else { throw Problem.notFound }
        try c.services.limiter.count("wearable hook \(provider.name)", limit: 1_000, seconds: 60, now: c.now)
        if (try? JSON.parse(c.request.body))?["type"]?.string == "verification" {
            // A provider may test whether a second secret is checked: the same one, in a header.
            let header = Array((c.request.headers["Authorization"] ?? "").utf8)
            guard equalInConstantTime(Array(known.utf8), header) else { throw Problem.signInRequired }
            return .response(Response(status: 201))
        }
        guard let user = provider.provider.named(c.request.body) else { return .response(.noContent) }
        let lookup = c.keys.lookup(wearableUser: "\(provider.name) \(user)")
        try c.writeUnaudited(.wearables) { [now = c.now] connection in
            try WearableLinkStore.hint(
                provider.name, user: lookup, at: now.adding(seconds: soon), pause: pause, connection)
        }
        return .response(.noContent)
    }
}
