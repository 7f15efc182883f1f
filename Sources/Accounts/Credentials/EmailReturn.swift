import Database
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// The way back from a changed address to the former one, for staff (RP-215): their mailboxes are the house's, and a second
/// factor stands behind them. Patients have none: a mailbox that another person reads is a reason to leave it.
struct EmailReturn: Sendable, FromRow {
    static let days: Int64 = 7

    let change: ID<EmailChange>
    let account: ID<Account>
    let hash: [UInt8]
    /// The former address; nil once its time was over.
    let sealedEmail: [UInt8]?
    let until: Instant

    /// - Parameter key: the account's.
    init(to email: String, from change: EmailChange, under key: PersonKey, hash: [UInt8], now: Instant) {
        self.change = change.id
        account = change.account
        self.hash = hash
        sealedEmail = key.seal(email, for: Self.place(change.id))
        until = now.adding(days: Self.days)
    }

    init(row: borrowing Row) throws {
        change = try row["id"]
        account = try row["account_id"]
        hash = try row["return_hash"]
        sealedEmail = try row["former_email"]
        until = try row["return_until"]
    }

    private func email(_ key: PersonKey) throws -> String {
        guard let sealedEmail else { throw Problem.gone(Message("email_change.return_over")) }
        return try key.open(sealedEmail, from: Self.place(change))
    }

    private static func place(_ id: ID<EmailChange>) -> SealContext {
        SealContext("email_changes", id, "former_email")
    }

    /// Whether a link opens a way back.
    /// - Throws: `Problem.notFound`, `.gone`.
    static func require(_ text: String, _ c: Context<Anyone>) throws {
        guard let token = Token(text) else { throw Problem.notFound }
        _ = try c.read { try EmailChangeStore.way(back: token.hash, now: c.now, $0) }
    }

    /// Gives the account its former address again. Everything that was signed in ends, and so does the password: the address was
    /// changed with it.
    /// - Throws: `Problem.notFound` for an unknown link and a closed account, `.gone` for a link that is over, `.conflict`
    ///   when another account has the address by now.
    static func take(_ text: String, _ c: Context<Anyone>) throws {
        guard let token = Token(text) else { throw Problem.notFound }
        let now = c.now
        let found = try c.read { connection in
            let way = try EmailChangeStore.way(back: token.hash, now: now, connection)
            return (way: way, account: try AccountStore.find(way.account, connection))
        }
        guard let account = found.account else { throw Problem.notFound }
        let key = try account.key(c.keys)
        let email = try found.way.email(key)
        let lookup = c.keys.lookup(email: email)
        let sealed = key.seal(email, for: AccountPlace.email(account.id))
        let unknown = try c.services.gate.hash(Token().text)
        let notice = try EmailChangeActions.notice("returned", to: account, c)
        try c.write(.emailReturned, by: .nobody, about: account.id) { connection in
            // Of two requests at once the second finds no way back.
            let way = try EmailChangeStore.way(back: token.hash, now: now, connection)
            try AccountStore.changeEmail(sealed, lookup: lookup, of: account.id, connection)
            try EmailChangeStore.endReturns(since: way, connection)
            try PasswordStore.change(unknown, of: account.id, at: now, connection)
            try CredentialStore.endCredentials(of: account.id, but: nil, connection)
            try MailStore.insert(notice, connection)
        }
        c.services.deliver(at: now)
    }
}

extension AuditAction {
    static let emailReturned = AuditAction(name: "account.email_returned")
}
