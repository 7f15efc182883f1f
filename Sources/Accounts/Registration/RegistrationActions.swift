import Database
import HTTP
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// The steps from an address to a confirmed account (IO-1), for page and call alike.
package enum RegistrationActions {
    /// A new account, and the token of its registration.
    package struct Made: Sendable {
        package let account: ID<Account>
        package let token: Token
    }

    /// - Parameters:
    ///   - ticket: of the errand that the form carried, which becomes the account's.
    ///   - next: the page to go on with once the address is confirmed; nil without one.
    ///   - old: the browser's former session, which ends.
    /// - Throws: `Problem` when the address is taken, when another privacy statement is in force than was shown, and after
    ///   ten tries a minute.
    package static func create(
        _ draft: RegistrationDraft, bringing ticket: Errand.Ticket? = nil, to next: String? = nil,
        instead old: Credential? = nil, _ c: Context<Anyone>
    ) throws -> Made {
        try countTry("register", c)
        let hash = try c.services.gate.hash(draft.password)
        let account = NewAccount(
            patient: draft.email, researchConsent: draft.researchConsent, passwordHash: hash,
            language: draft.language, timezone: draft.timezone, id: c.newID(), keys: c.keys, now: c.now)
        let credential = NewCredential(.registration, of: account.id, id: c.newID(), now: c.now)
        let link = Token()
        let key = try c.keys.unwrap(account.wrappedKey, owner: account.id)
        let envelope = try letter(with: link, to: draft.email, key, draft.language, c)
        try c.write(.accountRegistered, about: account.id) { [now = c.now, keys = c.keys] connection in
            try PrivacyStore.require(draft.privacyVersion, connection)
            try PrivacyStore.insert(account, isTold: draft.privacyVersion != nil, connection)
            if let old { try CredentialStore.endCredential(old.id, of: old.account, connection) }
            try CredentialStore.insert(credential, connection)
            var errand = try ticket?.take(now: now, connection) ?? Errand()
            if let next { errand.next = next }
            if errand != Errand() {
                try errand.give(to: account.id, under: key, keys, now: now, connection)
            }
            try store(link, envelope, connection)
        }
        c.services.deliver(at: c.now)
        return Made(account: account.id, token: credential.token)
    }

    /// Sends the link again; the old one no longer works.
    package static func resend(_ c: Context<Member>) throws {
        try countMail(c)
        let account = c.proof.account
        let link = Token()
        let envelope = try letter(
            with: link, to: try account.email(c.keys), try account.key(c.keys), account.language, c)
        try c.write(.verificationSent, about: account.id) { connection in
            try AccountStore.requireUnverified(account.id, connection)
            try store(link, envelope, connection)
        }
        c.services.deliver(at: c.now)
    }

    /// Corrects a mistyped address and sends the link there.
    package static func change(to email: String, _ c: Context<Member>) throws -> AccountRecord {
        try countMail(c)
        let account = c.proof.account
        let link = Token()
        let key = try account.key(c.keys)
        let sealed = key.seal(email, for: AccountPlace.email(account.id))
        let envelope = try letter(with: link, to: email, key, account.language, c)
        let lookup = c.keys.lookup(email: email)
        let changed = try c.write(.emailChanged, about: account.id) { connection in
            try AccountStore.setEmail(sealed, lookup: lookup, of: account.id, connection)
            try store(link, envelope, connection)
            return try AccountStore.find(account.id, connection)
        }
        guard let changed else { throw Problem.notFound }
        c.services.deliver(at: c.now)
        return changed
    }

    /// Limits calls that disclose whether an address is known to ten tries a minute and client address.
    static func countTry(_ name: String, _ c: Context<Anyone>) throws {
        guard c.services.settings.requestsPerMinute > 0 else { return }
        let peer = ClientAddress.of(c.request, c.services.settings)
        try c.services.limiter.count("\(name) \(peer)", limit: 10, seconds: 60, now: c.now)
    }

    /// Protects mailboxes from floods.
    private static func countMail(_ c: Context<Member>) throws {
        try c.services.limiter.count("mail \(c.proof.account.id)", limit: 10, seconds: 3600, now: c.now)
    }

    /// The link, and the mail that brings it.
    private static func store(
        _ link: Token, _ mail: QueuedMail, _ connection: borrowing Connection
    ) throws {
        let expires = mail.madeAt.adding(days: VerificationMail.lifetimeDays)
        try MailLinkStore.insertVerification(
            link.hash, of: mail.account, now: mail.madeAt, expires: expires, connection)
        try MailStore.insert(mail, connection)
    }

    private static func letter<P>(
        with link: Token, to email: String, _ key: PersonKey, _ language: Language, _ c: Context<P>
    ) throws -> QueuedMail {
        let texts = c.services.texts(language)
        let mail = VerificationMail.make(to: email, token: link, origin: c.services.origin, texts: texts)
        return try c.services.envelope(mail, to: key, at: c.now)
    }
}
