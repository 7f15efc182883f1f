import Database
import Identity
import Records
import Secrets
import Web
import Wire

/// The private address of a therapist's calendar feed: unguessable, and dead once another is made or it is given up.
package enum CalendarFeed {
    package static func path(_ token: String) -> String { "/calendar/\(token).ics" }

    /// The address in the present, nil when there is none.
    static func address(of account: AccountRecord, _ c: Context<Member>) throws -> String? {
        let sealed = try c.read { try CalendarFeedStore.token(of: account.id, $0) }
        guard let sealed else { return nil }
        let token = try account.key(c.keys).open(sealed, from: CalendarPlace.token(account.id))
        return c.services.origin + path(token)
    }

    /// Makes a new address; the old one is dead.
    package static func make(_ c: Context<Member>) throws {
        let account = c.proof.account
        let token = Token()
        let sealed = try account.key(c.keys).seal(token.text, for: CalendarPlace.token(account.id))
        try c.write(.calendarFeedMade, about: account.id) { [now = c.now] connection in
            try CalendarFeedStore.save(
                lookup: token.hash, token: sealed, of: account.id, at: now, connection)
        }
    }

    package static func remove(_ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.calendarFeedRemoved, about: account) { connection in
            try CalendarFeedStore.remove(of: account, connection)
        }
    }

    /// The therapist whose feed it is; nil for an unknown or dead address.
    package static func owner(
        _ segment: String, _ connection: borrowing Connection
    ) throws -> AccountRecord? {
        let text = segment.hasSuffix(".ics") ? String(segment.dropLast(4)) : segment
        guard let token = Token(text),
            let id = try CalendarFeedStore.account(lookup: token.hash, connection),
            let account = try AccountStore.find(id, connection), account.roles.contains(.therapist),
            account.disabledAt == nil
        else { return nil }
        return account
    }
}

/// Where the sealed field of a feed belongs.
enum CalendarPlace {
    static func token(_ account: ID<Account>) -> SealContext {
        SealContext("calendar_feeds", account, "token")
    }
}

extension AuditAction {
    static let calendarFeedMade = AuditAction(name: "calendar_feed.made")
    static let calendarFeedRemoved = AuditAction(name: "calendar_feed.removed")
}
