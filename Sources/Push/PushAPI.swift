import HTTP
import Records
import Web
import Wire

/// Web Push for apps (IO-25): the key to subscribe with, and each device's subscription.
enum PushAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/push/key", .anyone, .one("The key that devices subscribe with", PushKey.self), key)
        let path = "/my/devices/:device/push"
        routes.call(
            .put, path, .patient,
            .one(
                "Be called on this device; the same again is harmless", PushSubscription.self,
                takes: PushSubscription.sent), put)
        routes.call(.delete, path, .patient, .nothing("Be called no more on this device"), destroy)
        routes.call(
            .post, path + "/test", .patient,
            .nothing("Send a message now, as empty as any other", status: 202), test)
    }

    @Sendable static func key(_ c: Context<Anyone>) throws -> Reply {
        try .data(One(PushKey(publicKey: c.services.part(PushSignal.self).publicKey)))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let draft = try PushDraft.read(try c.body(), c.services.settings)
        let record = try PushActions.subscribe(try c.id("device"), draft, c)
        return try .data(One(id: record.credentialID, try PushActions.wire(record, c)))
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try PushActions.unsubscribe(try c.id("device"), c)
        return .response(.noContent)
    }

    @Sendable static func test(_ c: Context<Member>) throws -> Reply {
        try PushActions.test(try c.id("device"), c)
        return .response(Response(status: 202))
    }
}
