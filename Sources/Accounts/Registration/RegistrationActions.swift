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
    /// - Throws: `Problem` when the address is an account's already (proved, or of an invited member of staff), when another privacy statement is in force than was shown, and after
    ///   ten tries a minute.
    package static func create(
        _ draft: RegistrationDraft, bringing ticket: Errand.Ticket? = nil, to next: String? = nil,
        instead old: Credential? = nil, _ c: Context<Anyone>
    ) throws -> Made {
        try countTry("register", c)
        let hash = try c.services.gate.hash(draft.password)
        let account = NewAccount(
            patient: draft.email, researchConsent: draft.researchConsent, passwordHash: hash,
            language: draft.language, timezone: draft.zone.name, id: c.newID(), keys: c.keys, now: c.now)
        let credential = NewCredential(.registration, of: account.id, id: c.newID(), now: c.now)
        let key = try c.keys.unwrap(account.wrappedKey, owner: account.id)
        let letter = try letter(to: draft.email, Registrant(draft, key), c)
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
            try letter?.store(connection)
        }
        c.services.deliver(at: c.now)
        return Made(account: account.id, token: credential.token)
    }

    /// Sends the link again; the old one no longer works. After three mails to the address in an hour nothing is sent, and
    /// the old one stays.
    package static func resend(_ c: Context<Member>) throws {
        try countMail(c)
        let account = c.proof.account
        try c.read { try AccountStore.requireUnverified(account.id, $0) }
        let letter = try letter(to: try account.email(c.keys), Registrant(account, c.keys), c)
        try c.write(.verificationSent, about: account.id) { connection in
            try AccountStore.requireUnverified(account.id, connection)
            // A link that went to an address that was mended meanwhile would prove the new one.
            guard try AccountStore.hasAddress(of: account, connection) else {
                throw Problem.conflict(Message("problems.changed_meanwhile"))
            }
            try letter?.store(connection)
        }
        c.services.deliver(at: c.now)
    }

    /// Corrects a mistyped address and sends the link there.
    package static func change(to email: String, _ c: Context<Member>) throws -> AccountRecord {
        try countMail(c)
        let account = c.proof.account
        let sealed = try account.key(c.keys).seal(email, for: AccountPlace.email(account.id))
        let lookup = c.keys.lookup(email: email)
        let letter = try letter(to: email, Registrant(account, c.keys), c)
        let changed = try c.write(.emailChanged, about: account.id) { [now = c.now] connection in
            try AccountStore.setEmail(sealed, lookup: lookup, of: account.id, connection)
            // A link to the old address does not prove the new one.
            try MailLinkStore.spendAll(of: account.id, now: now, connection)
            try letter?.store(connection)
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

    /// A link, and the mail that brings it.
    private struct Letter: Sendable {
        let link: Token
        let mail: QueuedMail

        func store(_ connection: borrowing Connection) throws {
            let expires = mail.madeAt.adding(days: RegistrationMail.lifetimeDays)
            try MailLinkStore.insertVerification(
                link.hash, of: mail.account, now: mail.madeAt, expires: expires, connection)
            try MailStore.insert(mail, connection)
        }
    }

    /// Nil after too many mails to the address.
    private static func letter<P>(
        to email: String, _ person: Registrant, _ c: Context<P>
    ) throws -> Letter? {
        guard try RegistrationMail.mayBeSent(to: c.keys.lookup(email: email), c) else { return nil }
        let link = Token()
        return Letter(link: link, mail: try RegistrationMail.link(link, to: email, of: person, c))
    }
}
