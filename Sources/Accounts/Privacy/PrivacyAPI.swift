import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// Consent to research (IO-17), given and withdrawn at any time, and the signed-in devices (IO-2).
package enum PrivacyAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/privacy", .patient,
            .one("Consent to research, with its history", Privacy.self).revised(AccountRevisionStore.privacy),
            show)
        routes.call(
            .put, "/my/privacy", .patient,
            .one(
                "Give consent to research, or take it back; in force at once", Privacy.self,
                takes: Privacy.sent
            ).revised(AccountRevisionStore.privacy),
            put)
        routes.call(.get, "/my/devices", .account, .many("Devices that are signed in", Device.self), devices)
        routes.call(.delete, "/my/devices/:device", .account, .nothing("Sign a device out"), destroy)
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try c.read { try privacy(c.proof.account.id, $0) }))
    }

    @Sendable static func put(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        if fields.value("research_consent") == nil { fields.refuse("research_consent", "errors.required") }
        let consent = fields.bool("research_consent") ?? false
        try fields.finish()
        try choose(consent, c)
        return try .data(One(try c.read { try privacy(c.proof.account.id, $0) }))
    }

    /// Gives or withdraws consent to research, with immediate effect.
    /// - Parameter version: of the privacy statement that was shown; nil where it was not told. A no needs none.
    /// - Throws: `Problem.conflict` for a yes to another one than is in force.
    package static func choose(_ consent: Bool, shown version: Int? = nil, _ c: Context<Member>) throws {
        let account = c.proof.account
        // A repeated answer is no new choice, except a no after the account has agreed to a study since.
        let isNew =
            try consent != account.researchConsent
            || (!consent
                && c.read { connection in
                    let last = try PrivacyStore.lastChoice(of: account.id, connection)
                    return try c.services.hasAgreed(account.id, after: last, connection)
                })
        if isNew {
            try c.write(.consentChosen, about: account.id) {
                [now = c.now, services = c.services] connection in
                if consent { try PrivacyStore.require(version, connection) }
                try PrivacyStore.choose(
                    consent, of: account.id, isTold: version != nil, at: now, connection)
                try services.participates(account.id, at: now, connection)
            }
        }
    }

    package static func privacy(_ account: ID<Account>, _ connection: borrowing Connection) throws -> Privacy
    {
        let history = try PrivacyStore.history(of: account, connection)
        let isGiven = try AccountStore.find(account, connection)?.researchConsent ?? false
        return Privacy(researchConsent: isGiven, history: history)
    }

    // MARK: Devices

    @Sendable static func devices(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account
        let (all, reminded) = try c.read { connection in
            (
                try Self.devices(of: account, at: c.now, connection),
                try c.services.reminded(account.id, connection)
            )
        }
        let key = try account.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
        let items = try part.map { device in
            Item(
                id: device.id,
                try device.wire(key, current: c.proof.credential, push: reminded[device.id] ?? "off"))
        }
        return try .data(Many(items, total: all.count, next: next))
    }

    /// Includes browsers for patients and participants: they count as devices there (IO-25).
    private static func devices(
        of account: AccountRecord, at now: Instant, _ connection: borrowing Connection
    ) throws -> [CredentialStore.DeviceRecord] {
        let kinds: [Credential.Kind] = account.kind == .patient ? [.session, .token] : [.token]
        return try CredentialStore.devices(of: account.id, kinds: kinds, at: now, connection).filter {
            $0.isAlive(at: now, of: account.kind)
        }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let id: ID<Credential> = try c.id("device")
        let account = c.proof.account.id
        let isKnown = try c.read { connection in
            try Self.devices(of: c.proof.account, at: c.now, connection).contains { $0.id == id }
        }
        guard isKnown else { throw Problem.notFound }
        try c.write(.signedOut, about: account, object: id) { connection in
            try CredentialStore.removeDevice(id, of: account, connection)
        }
        return .response(.noContent)
    }
}

extension AuditAction {
    static let consentChosen = AuditAction(name: "consent.chosen", endsConsent: true)
}
