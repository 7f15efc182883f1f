import Database
import Identity
import Records
import Secrets
import Web
import Wire

/// The private address of a therapist's calendar feed: unguessable, and invalid once it is replaced or given up.
package enum CalendarFeed {
    package static func path(_ token: String) -> String { "/calendar/\(token).ics" }

    /// The address in force; nil without one.
    static func address(of account: AccountRecord, _ c: Context<Member>) throws -> String? {
        let sealed = try c.read { try CalendarFeedStore.token(of: account.id, $0) }
        guard let sealed else { return nil }
        let token = try account.key(c.keys).open(sealed, from: CalendarPlace.token(account.id))
        return c.services.origin + path(token)
    }

    /// Makes a new address; the old one no longer works.
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

    /// The therapist of a feed; nil for an unknown or invalid address.
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

/// The place of a feed's sealed field.
enum CalendarPlace {
    static func token(_ account: ID<Account>) -> SealContext {
        SealContext("calendar_feeds", account, "token")
    }
}

extension AuditAction {
    static let calendarFeedMade = AuditAction(name: "calendar_feed.made")
    static let calendarFeedRemoved = AuditAction(name: "calendar_feed.removed")
}
