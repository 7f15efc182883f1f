import Database
import Dispatch
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Another address for a confirmed account (PW-5, IO-2, RP-215).
package enum EmailChangeActions {
    /// Sends a link to the new address and a notice to the old one; nothing changes until the link is confirmed.
    /// Whether another account has the address is told to its owner alone. Staff with a second factor give a code of it.
    /// - Throws: `Problem.invalid` under the field's name, `.secondFactor` for a missing or wrong code, `.tooManyRequests`.
    package static func ask(_ fields: InputReader, _ c: Context<Member>) throws {
        let account = c.proof.account
        let email = fields.email("email")
        let password = fields.secret("password")
        let hasFactor = try SecondFactor.step(for: account, c.services) == .code
        let code = hasFactor ? fields.text("totp", limit: 40) : nil
        let lookup = email.map { c.keys.lookup(email: $0) }
        let own = c.keys.lookup(email: try account.email(c.keys))
        if lookup == own { fields.refuse("email", "email_change.same") }
        try fields.finish()
        guard let email, let password, let lookup else { throw Problem.invalid(fields.errors) }
        try Password.confirm(password, of: account, field: "password", c)
        if hasFactor {
            guard let code else { throw Problem.secondFactor(Message("factor.missing")) }
            guard try SecondFactor.isRight(code, for: account, c) else {
                throw Problem.secondFactor(Message("factor.wrong"))
            }
        }
        try c.services.limiter.count("mail \(account.id)", limit: 10, seconds: 3600, now: c.now)
        // Writing to another account's owner may take another time than writing to the new address.
        let began = DispatchTime.now()
        defer { c.services.hold(since: began, milliseconds: 100) }
        let owner = try c.read { try AccountStore.find(lookup: lookup, $0) }
        let link = Token()
        let change = EmailChange(
            to: email, of: account.id, under: try account.key(c.keys), hash: link.hash, id: c.newID(),
            now: c.now)
        var mails = [try notice("asked", to: account, c)]
        if try isWelcome(lookup, c) {
            mails.append(
                try owner.map { try notice("foreign", to: $0, c) } ?? letter(with: link, to: email, c))
        }
        try c.write(.emailChangeAsked, about: account.id) { [mails] connection in
            // The address was registered or erased meanwhile: the mail would be the wrong one.
            guard try AccountStore.find(lookup: lookup, connection)?.id == owner?.id else {
                throw Problem.conflict(Message("problems.changed_meanwhile"))
            }
            try EmailChangeStore.insert(change, connection)
            for mail in mails { try MailStore.insert(mail, connection) }
        }
        c.services.deliver(at: c.now)
    }

    /// The address that waits for confirmation; nil without one.
    package static func waiting(_ c: Context<Member>) throws -> String? {
        let account = c.proof.account
        let change = try c.read { try EmailChangeStore.waiting(of: account.id, now: c.now, $0) }
        return try change?.email(try account.key(c.keys))
    }

    /// Puts the new address into force. Everything that was signed in ends, except the browser that confirms; links
    /// sent to the old address no longer work.
    /// - Throws: `Problem.notFound`, `.gone`, and `.conflict` when another account has the address by now.
    static func confirm(_ link: Token, _ c: Context<Anyone>) throws -> AccountRecord {
        let now = c.now
        let found = try c.read { connection in
            let change = try EmailChangeStore.find(link.hash, now: now, connection)
            return (change: change, account: try AccountStore.find(change.account, connection))
        }
        guard let account = found.account else { throw Problem.notFound }
        let key = try account.key(c.keys)
        let email = try found.change.email(key)
        let lookup = c.keys.lookup(email: email)
        let sealed = key.seal(email, for: AccountPlace.email(account.id))
        let back = account.kind == .staff ? Token() : nil
        let way = try back.map { token in
            EmailReturn(
                to: try account.email(c.keys), from: found.change, under: key, hash: token.hash, now: now)
        }
        let notice = try notice(
            back == nil ? "done" : "done_staff", to: account, back: back, c)
        let kept = c.actor.member.flatMap { $0.account.id == account.id ? $0.credential.id : nil }
        let changed = try c.write(.emailChanged, about: account.id) { connection in
            // Two confirmations at once, or a change of the password meanwhile: the second finds the link used.
            let change = try EmailChangeStore.find(link.hash, now: now, connection)
            try AccountStore.changeEmail(sealed, lookup: lookup, of: change.account, connection)
            try EmailChangeStore.spendAll(of: change.account, now: now, connection)
            try EmailChangeStore.noteConfirmed(link.hash, at: now, connection)
            if let way { try EmailChangeStore.insert(way, of: link.hash, connection) }
            try PasswordStore.spendAll(of: change.account, now: now, connection)
            try CredentialStore.endCredentials(of: change.account, but: kept, connection)
            try DeviceCodeStore.remove(of: change.account, connection)
            try MailStore.insert(notice, connection)
            return try AccountStore.find(change.account, connection)
        }
        guard let changed else { throw Problem.notFound }
        c.services.deliver(at: now)
        return changed
    }

    // MARK: Mails

    /// Protects every mailbox from floods; the sender is not told.
    private static func isWelcome(_ lookup: [UInt8], _ c: Context<Member>) throws -> Bool {
        let limiter = c.services.limiter
        let name = "address wanted \(lookup)"
        if try limiter.value(name, now: c.now) >= 5 { return false }
        try limiter.count(name, limit: 6, seconds: 3600, now: c.now)
        return true
    }

    private static func letter(
        with link: Token, to email: String, _ c: Context<Member>
    ) throws -> QueuedMail {
        let account = c.proof.account
        let texts = c.services.texts(account.language)
        let values = [
            "link": RegistrationMail.address(of: link, c.services.origin),
            "hours": String(EmailChange.lifetimeHours),
        ]
        let mail = Mail(
            recipient: email, subject: texts["email_change.link_subject"],
            body: texts["email_change.link_body", values])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }

    /// A mail to an account's present address.
    /// - Parameter back: of the link by which the address can be taken back; nil for a mail without a link.
    static func notice<P>(
        _ name: String, to account: AccountRecord, back: Token? = nil, _ c: Context<P>
    ) throws -> QueuedMail {
        let texts = c.services.texts(account.language)
        let link = back.map { "\(c.services.origin)\(EmailReturnPages.path)?token=\($0.text)" }
        let values = link.map { ["link": $0, "days": String(EmailReturn.days)] } ?? [:]
        let mail = Mail(
            recipient: try account.email(c.keys), subject: texts["email_change.\(name)_subject"],
            body: texts["email_change.\(name)_body", values])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }
}

extension AuditAction {
    static let emailChangeAsked = AuditAction(name: "account.email_change_asked")
}
