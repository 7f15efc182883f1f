import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The sessions of an account, in browsers and other programs; each can be ended (C12).
package enum DevicePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/profile/devices", .staff, index)
        routes.page(.post, "/profile/devices/:device/removal", .staff, destroy)
        routes.page(.post, "/profile/devices/removal", .staff, destroyOthers)
    }

    package struct Index: Page {
        package static let template = "accounts/devices"
        package static let section: NavigationItem? = .profile
        package let rows: [Row]
        let hasOthers: Bool

        package struct Row: Encodable, Sendable {
            package let name: String
            /// Where it is installed; nil for a tab of a browser, and for programs.
            package let place: String?
            package let facts: String
            package let isCurrent: Bool
            package let removal: String
        }
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let rows = try rows(below: "/profile/devices", c)
        return .page(Index(rows: rows, hasOthers: rows.count > 1))
    }

    /// The caller's sessions, the newest first.
    /// - Parameter path: of the page; each session is ended below it.
    package static func rows(below path: String, _ c: Context<Member>) throws -> [Index.Row] {
        let account = c.proof.account
        let key = try account.key(c.keys)
        let all = try c.read {
            try CredentialStore.devices(of: account.id, kinds: [.session, .token], at: c.now, $0)
        }
        return try all.filter { $0.isAlive(at: c.now, of: account.kind) }.map { device in
            let own = try device.sealedName.map { try key.open($0, from: AccountPlace.device(device.id)) }
            let isCurrent = device.id == c.proof.credential.id
            let last =
                device.isNotedByDay(of: account.kind)
                ? c.dates.day(device.lastUsedAt) : c.dates.dayAndTime(device.lastUsedAt)
            let times = ["begin": c.dates.dayAndTime(device.createdAt), "last": last]
            return Index.Row(
                name: DeviceNames.text(own: own, kind: device.kind, device.traits, c.texts),
                place: device.traits.isInstalled ? c.texts["devices.installed"] : nil,
                facts: c.texts[isCurrent ? "devices.facts_current" : "devices.facts", times],
                isCurrent: isCurrent, removal: "\(path)/\(device.id)/removal")
        }
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try end(c)
        return .seeOther("/profile/devices", flash: Message("devices.ended"))
    }

    /// Ends the session in the path.
    package static func end(_ c: Context<Member>) throws {
        let id: ID<Credential> = try c.id("device")
        let account = c.proof.account.id
        try c.write(.signedOut, about: account, object: id) { connection in
            guard try CredentialStore.removeDevice(id, of: account, connection) else {
                throw Problem.notFound
            }
        }
    }

    @Sendable static func destroyOthers(_ c: Context<Member>) throws -> Reply {
        try endOthers(c)
        return .seeOther("/profile/devices", flash: Message("devices.ended"))
    }

    /// Ends all sessions except the caller's; no other browser is known any more.
    package static func endOthers(_ c: Context<Member>) throws {
        let account = c.proof.account.id
        let kept = c.proof.credential.id
        try c.write(.signedOut, about: account) { connection in
            try CredentialStore.endCredentials(of: account, but: kept, connection)
        }
    }
}
