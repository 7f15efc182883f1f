import HTTP
import Identity
import Records
import Secrets
import Therapies
import Web
import Wire
import Wording

/// Signing in and out over the API, for patients and staff.
enum LoginAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .post, "/auth/login", .anyone,
            .one(
                "Sign in. The account's own token, even run out, in Authorization keeps tries of others from delaying this one",
                AccessToken.self, takes: credentials), create)
        routes.call(.post, "/auth/logout", .account, .nothing("Sign out: the token is dead"), destroy)
    }

    private static let credentials = Schema.object([
        Schema.property("email", .string), Schema.property("password", .string),
        Schema.optional("device_name", .string), Schema.optional("totp", .string),
        Schema.optional(
            "client",
            .object([
                Schema.optional("platform", .choice(platforms)), Schema.optional("os_version", .string),
                Schema.optional("app_version", .string),
            ])),
    ])
    static let platforms = ["ios", "android", "web", "other"]

    /// The data a device gives about itself.
    private struct Draft {
        let email: String
        let password: String
        let deviceName: String?
        let totp: String?
        let platform: String?
        let osVersion: String?
        let appVersion: String?

        init(_ fields: InputReader) throws {
            let email = fields.text("email", required: true, limit: 254)
            let password = fields.secret("password")
            deviceName = fields.text("device_name", limit: 100)
            totp = fields.text("totp", limit: 40)
            let client = fields.object("client")
            platform = client?.choice("platform", from: LoginAPI.platforms)
            osVersion = client?.text("os_version", limit: 50)
            appVersion = client?.text("app_version", limit: 50)
            fields.adopt(client)
            try fields.finish()
            self.email = email ?? ""
            self.password = password ?? ""
        }
    }

    @Sendable static func create(_ c: Context<Anyone>) throws -> Reply {
        let draft = try Draft(try c.body())
        let account = try Login.check(email: draft.email, password: draft.password, c)
        guard account.verifiedAt != nil else { return try unverified(account, c) }
        let hasFactor = try requireFactor(of: account, draft.totp, c)
        var credential = NewCredential(.token, of: account, id: c.newID(), now: c.now)
        credential.isBySecondFactor = hasFactor
        if let name = draft.deviceName {
            credential.deviceName = try account.key(c.keys).seal(
                name, for: AccountPlace.device(credential.id))
        }
        credential.platform = draft.platform
        credential.osVersion = draft.osVersion
        credential.appVersion = draft.appVersion
        let made = credential
        let address = c.keys.lookup(address: c.clientAddress, of: account.id)
        let isPaired = try c.write(.signedIn, by: .account(account.id), about: account.id) { connection in
            try CredentialStore.insert(made, connection)
            try KnownOriginStore.note(address: address, of: account.id, at: made.createdAt, connection)
            return try TherapyStore.running(of: account.id, connection) != nil
        }
        let wire = AccessToken(
            token: made.token.text, expiresAt: made.expiresAt, roles: account.roleNames, paired: isPaired)
        return try .data(One(wire))
    }

    /// - Returns: whether a code was required, and given.
    /// - Throws: `Problem.secondFactor` when the code is missing or wrong, and when it must be set up in the portal
    ///   first.
    private static func requireFactor(
        of account: AccountRecord, _ code: String?, _ c: Context<Anyone>
    ) throws -> Bool {
        switch try SecondFactor.step(for: account, c.services) {
        case .none: return false
        case .setUp: throw Problem.secondFactor(Message("factor.set_up_first"))
        case .code:
            guard let code else { throw Problem.secondFactor(Message("factor.missing")) }
            guard try SecondFactor.isRight(code, for: account, c) else {
                throw Problem.secondFactor(Message("factor.wrong"))
            }
            return true
        }
    }

    /// The right password before the address is confirmed: 403, and a fresh token to correct the address.
    private static func unverified(_ account: AccountRecord, _ c: Context<Anyone>) throws -> Reply {
        let credential = NewCredential(.registration, of: account, id: c.newID(), now: c.now)
        try c.write(.unverifiedSignIn, by: .account(account.id), about: account.id) { connection in
            try CredentialStore.insert(credential, connection)
        }
        let problem = Problem.forbidden(Message("problems.not_verified"))
        let body = Unverified(
            message: c.texts[problem.message], code: ProblemCode.of(problem),
            meta: ["registration_token": credential.token.text])
        return try .data(body, status: problem.status)
    }

    private struct Unverified: Encodable {
        let message: String
        let errors: [String: [String]] = [:]
        let code: String
        let meta: [String: String]
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let credential = c.proof.credential.id
        try c.write(.signedOut, about: account) { connection in
            try CredentialStore.endCredential(credential, of: account, connection)
        }
        return .response(.noContent)
    }
}
