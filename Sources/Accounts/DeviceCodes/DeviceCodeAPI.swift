import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Signing in a further device, over the API (PW-4).
enum DeviceCodeAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/my/device-codes", .patient,
            .one("A code for another device of the same person", Wire.DeviceCode.self, status: 201), create)
        routes.call(
            .get, "/my/device-codes", .patient,
            .one("The live code, and whether a device waits", Wire.DeviceCode.self), show)
        routes.call(
            .post, "/my/device-codes/approval", .patient, .nothing("Let the waiting device in"), approve)
        routes.call(
            .post, "/my/device-codes/refusal", .patient,
            .nothing("Put the code away, and refuse what waits"), refuse)
        routes.call(
            .post, "/auth/device", .anyone,
            .one(
                "Enter a code; the token counts once the first device has said yes", AccessToken.self,
                takes: claim), claimToken)
    }

    private static let claim = Schema.object([
        Schema.property("code", .string), Schema.optional("device_name", .string),
        Schema.optional(
            "client",
            .object([
                Schema.optional("platform", .choice(LoginAPI.platforms)),
                Schema.optional("os_version", .string), Schema.optional("app_version", .string),
            ])),
    ])

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let made = try DeviceCodeActions.make(c)
        let wire = Wire.DeviceCode(
            code: made.code, expiresAt: made.expiresAt, waiting: false, deviceName: nil)
        return try .data(One(wire), status: 201)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        guard let record = try c.read({ try DeviceCodeStore.find(of: account.id, now: c.now, $0) }) else {
            throw Problem.notFound
        }
        let key = try account.key(c.keys)
        return try .data(
            One(
                Wire.DeviceCode(
                    code: try record.code(key), expiresAt: record.expiresAt, waiting: record.claim != nil,
                    deviceName: try record.claimName(key), askedAt: record.claim?.at,
                    browser: record.claim?.traits.browser?.rawValue,
                    system: record.claim?.traits.system?.rawValue)))
    }

    @Sendable static func approve(_ c: Context<Member>) throws -> Reply {
        try DeviceCodeActions.approve(c)
        return .response(.noContent)
    }

    @Sendable static func refuse(_ c: Context<Member>) throws -> Reply {
        try DeviceCodeActions.refuse(c)
        return .response(.noContent)
    }

    /// A device that is not approved yet is not told whether the account is paired.
    @Sendable static func claimToken(_ c: Context<Anyone>) throws -> Reply {
        let fields = try c.body()
        let code = fields.text("code", required: true, limit: 40)
        let name = fields.text("device_name", limit: 100)
        let client = fields.object("client")
        let device = DeviceCodeActions.Device(
            kind: .token, name: name, platform: client?.choice("platform", from: LoginAPI.platforms),
            osVersion: client?.text("os_version", limit: 50),
            appVersion: client?.text("app_version", limit: 50))
        fields.adopt(client)
        try fields.finish()
        let made = try DeviceCodeActions.claim(code ?? "", as: device, c)
        return try .data(
            One(
                AccessToken(
                    token: made.token.text, expiresAt: made.expiresAt, roles: ["patient"], paired: false)))
    }
}
