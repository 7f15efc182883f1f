import Database
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Another address for a confirmed account, for the page and the call alike (IO-2, PW-5): nothing changes until the link
/// that goes there is opened, and the old address is told.
package enum AddressChange {
    static let lifetimeHours: Int64 = 24

    /// Sends the link to the new address and a word to the old one.
    /// - Throws: `Problem.invalid` for a wrong password, and an address that is taken or one's own.
    package static func ask(_ fields: InputReader, _ c: Context<Member>) throws {
        let account = c.proof.account
        let email = fields.email("email")
        let password = fields.secret("current_password")
        try fields.finish()
        guard let email else { throw Problem.invalid(fields.errors) }
        try Password.confirm(password ?? "", of: account, field: "current_password", c)
        let old = try account.email(c.keys)
        let lookup = c.keys.lookup(email: email)
        if lookup == c.keys.lookup(email: old) { throw Problem.invalid("email", "address.own") }
        // Nobody's mailbox is to be flooded, and nobody tries addresses one after the other.
        try c.services.limiter.count("mail \(account.id)", limit: 10, seconds: 3600, now: c.now)
        if try c.read({ try AccountStore.find(lookup: lookup, $0) }) != nil {
            throw Problem.invalid("email", "errors.email_taken")
        }
        let key = try account.key(c.keys)
        let link = Token()
        let letters = [
            try letter(
                "link", to: email, ["link": "\(c.services.origin)/confirm-email?token=\(link.text)"], account,
                c),
            try letter("notice", to: old, [:], account, c),
        ]
        let sealed = key.seal(email, for: AccountPlace.email(account.id))
        try c.write(.addressAsked, about: account.id) { [now = c.now] connection in
            // The password was right for the account as it was.
            try AccountStore.requireUnchanged(account, connection)
            try AddressChangeStore.insert(
                link.hash, email: sealed, lookup: lookup, of: account.id, at: now,
                until: now.adding(seconds: lifetimeHours * 3600), connection)
            for letter in letters { try MailStore.insert(letter, connection) }
        }
        c.services.deliver(at: c.now)
    }

    /// Gives the account the address that its owner has opened the link at.
    /// - Throws: `Problem.notFound`, `.gone`; `.conflict` when somebody else has the address by now.
    static func confirm(_ text: String, _ c: Context<Anyone>) throws {
        guard let token = Token(text) else { throw Problem.notFound }
        let now = c.now
        let asked = try c.read { try AddressChangeStore.find(token.hash, at: now, $0) }
        guard let account = try c.read({ try AccountStore.find(asked.account, $0) }),
            account.disabledAt == nil
        else { throw Problem.notFound }
        try c.write(.addressChanged, by: .account(account.id), about: account.id) { connection in
            // Two at once: the second finds it spent.
            let change = try AddressChangeStore.find(token.hash, at: now, connection)
            do {
                try AccountStore.moveEmail(
                    change.email, lookup: change.lookup, of: change.account, connection)
            } catch Problem.invalid {
                throw Problem.conflict(Message("errors.email_taken"))
            }
            try AddressChangeStore.endAll(of: change.account, at: now, connection)
            // Links that went to the old address open nothing any more.
            try PasswordStore.spendAll(of: change.account, now: now, connection)
        }
    }

    private static func letter(
        _ name: String, to address: String, _ values: [String: String], _ account: AccountRecord,
        _ c: Context<Member>
    ) throws -> QueuedMail {
        let texts = c.services.texts(account.language)
        let mail = Mail(
            recipient: address, subject: texts["address.\(name)_subject"],
            body: texts["address.\(name)_body", values])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }
}

extension AuditAction {
    static let addressAsked = AuditAction(name: "account.address_asked")
    static let addressChanged = AuditAction(name: "account.address_changed")
}
