import Dispatch
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Changing a password, and resetting a forgotten one, for page and call alike.
package enum Password {
    static let linkSeconds: Int64 = 3600

    /// Sends a link when the address is known; the answer is the same either way. An address that is not proved gets
    /// the way to register, never a link that sets a password.
    package static func forgot(_ email: String, _ c: Context<Anyone>) throws {
        try limit(c)
        // Making a mail takes time: every answer takes as long as the slowest.
        let began = DispatchTime.now()
        defer { c.services.hold(since: began, milliseconds: 100) }
        let lookup = c.keys.lookup(email: email)
        let account = try c.read { try AccountStore.find(lookup: lookup, $0) }
        guard let account, account.verifiedAt != nil || account.kind == .staff, account.disabledAt == nil
        else {
            let mail = try invitingMail(to: lookup, c)
            try c.write(.resetAsked, by: .nobody, about: mail?.account) { connection in
                // Registrations end by themselves, and when another one of the address is proved.
                guard let mail, try AccountStore.find(mail.account, connection) != nil else { return }
                try MailStore.insert(mail, connection)
            }
            if mail != nil { c.services.deliver(at: c.now) }
            return
        }
        // Protects mailboxes from floods; the answer stays the same.
        let limiter = c.services.limiter
        if try limiter.value("reset \(account.id)", now: c.now) >= 5 { return }
        try limiter.count("reset \(account.id)", limit: 5, seconds: 3600, now: c.now)
        let link = Token()
        let now = c.now
        let envelope = try letter(with: link, to: account, c)
        try c.write(.resetAsked, about: account.id) { connection in
            // A mailbox that was left meanwhile gets no link.
            guard try AccountStore.hasAddress(of: account, connection) else { return }
            try PasswordStore.insertReset(
                link.hash, of: account.id, now: now, expires: now.adding(seconds: linkSeconds), connection)
            try MailStore.insert(envelope, connection)
        }
        c.services.deliver(at: now)
    }

    /// The mail that names the way to register; nil where no registration waits, or too many mails went to the address.
    private static func invitingMail(to lookup: [UInt8], _ c: Context<Anyone>) throws -> QueuedMail? {
        let waiting = try c.read { try AccountStore.registrations(of: lookup, $0).first }
        guard let waiting, try RegistrationMail.mayBeSent(to: lookup, c) else { return nil }
        return try RegistrationMail.wayToRegister(waiting, c)
    }

    private static func letter<P>(
        with link: Token, to account: AccountRecord, _ c: Context<P>
    ) throws -> QueuedMail {
        let texts = c.services.texts(account.language)
        let address = "\(c.services.origin)/password/reset?token=\(link.text)"
        let mail = Mail(
            recipient: try account.email(c.keys), subject: texts["password.mail_subject"],
            body: texts["password.mail_body", ["link": address]])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }

    /// Calls that send mails are limited to ten a minute and client address.
    private static func limit(_ c: Context<Anyone>) throws {
        guard c.services.settings.requestsPerMinute > 0 else { return }
        let peer = ClientAddress.of(c.request, c.services.settings)
        try c.services.limiter.count("forgot \(peer)", limit: 10, seconds: 60, now: c.now)
    }

    /// Sets a new password by a link. Everything that was signed in ends, and the owner gets a mail.
    /// - Throws: `Problem.notFound`, `.gone`, `.invalid`.
    static func reset(_ fields: InputReader, _ c: Context<Anyone>) throws {
        guard let text = fields.secret("token") else {
            _ = PasswordRules.read(fields, context: [])
            throw Problem.invalid(fields.errors)
        }
        guard let token = Token(text) else { throw Problem.notFound }
        let now = c.now
        let account = try c.read { connection in
            let id = try PasswordStore.owner(of: token.hash, now: now, connection)
            return try AccountStore.find(id, connection)
        }
        guard let account, account.disabledAt == nil else { throw Problem.notFound }
        let password = try read(fields, of: account, c.keys)
        let hash = try c.services.gate.hash(password)
        let notice = try notice(to: account, c)
        try c.write(.passwordReset, about: account.id) { connection in
            // Of two requests at once the second finds the link used.
            _ = try PasswordStore.owner(of: token.hash, now: now, connection)
            try PasswordStore.change(hash, of: account.id, at: now, connection)
            try CredentialStore.endCredentials(of: account.id, but: nil, connection)
            try DeviceCodeStore.remove(of: account.id, connection)
            try SecondFactorStore.forgive(account.id, connection)
            // An invitation: having the link proves the address.
            if account.kind == .staff { try AccountStore.markVerified(account.id, at: now, connection) }
            try MailStore.insert(notice, connection)
        }
        // Waits after wrong passwords, not those after wrong codes: a mailbox is no second factor.
        try c.services.logins.forgive(c.keys.lookup(email: try account.email(c.keys)), now: now)
        c.services.deliver(at: now)
    }

    /// The invitation of a link that sets a member of staff's first password; nil for other and unknown links.
    /// - Throws: `Problem.gone` for a used or expired one.
    static func invitation(_ text: String, _ c: Context<Anyone>) throws -> Invitation? {
        guard let token = Token(text) else { return nil }
        do {
            return try c.read { connection in
                let id = try PasswordStore.owner(of: token.hash, now: c.now, connection)
                guard let account = try AccountStore.find(id, connection), account.kind == .staff,
                    account.verifiedAt == nil
                else { return nil }
                let inviter = try PasswordStore.inviter(of: id, connection)
                return try Invitation(by: inviter, c)
            }
        } catch Problem.notFound {
            return nil
        }
    }

    /// Asks for the present password; other devices are signed out.
    /// - Throws: `Problem.invalid` under `current_password` for a wrong one.
    package static func change(_ fields: InputReader, _ c: Context<Member>) throws {
        let account = c.proof.account
        let credential = c.proof.credential.id
        let current = fields.secret("current_password")
        let password = try read(fields, of: account, c.keys)
        try confirm(current ?? "", of: account, field: "current_password", c)
        let hash = try c.services.gate.hash(password)
        let notice = try notice(to: account, c)
        try c.write(.passwordChanged, about: account.id) { [now = c.now] connection in
            try PasswordStore.change(hash, of: account.id, at: now, connection)
            try CredentialStore.endCredentials(of: account.id, but: credential, connection)
            try DeviceCodeStore.remove(of: account.id, connection)
            try MailStore.insert(notice, connection)
        }
        c.services.deliver(at: c.now)
    }

    /// Asks a signed-in account for its password; wrong ones count in its session alone.
    /// - Throws: `Problem.invalid` under the field's name, `.tooManyRequests`.
    package static func confirm<P>(
        _ password: String, of account: AccountRecord, field: String, _ c: Context<P>
    ) throws {
        let lookup = c.keys.lookup(email: try account.email(c.keys))
        let source = try c.trySource(of: account.id)
        try c.services.logins.begin(lookup, from: source, now: c.now)
        guard try c.services.gate.verify(password, against: account.passwordHash) else {
            try c.write(.signInFailed, about: account.id) { _ in }
            throw Problem.invalid(field, "password.wrong")
        }
        try c.services.logins.right(lookup, from: source, now: c.now)
    }

    private static func read(_ fields: InputReader, of account: AccountRecord, _ keys: Keyring) throws
        -> String
    {
        let context = [try account.email(keys), try account.name(keys) ?? ""]
        let password = PasswordRules.read(fields, context: context)
        try fields.finish()
        guard let password else { throw Problem.invalid(fields.errors) }
        return password
    }

    /// Tells the owner that the password was changed.
    private static func notice<P>(to account: AccountRecord, _ c: Context<P>) throws -> QueuedMail {
        let texts = c.services.texts(account.language)
        let mail = Mail(
            recipient: try account.email(c.keys), subject: texts["password.changed_subject"],
            body: texts["password.changed_body"])
        return try c.services.envelope(mail, to: try account.key(c.keys), at: c.now)
    }
}

extension AuditAction {
    static let resetAsked = AuditAction(name: "password.reset_asked")
    static let passwordReset = AuditAction(name: "password.reset")
    static let passwordChanged = AuditAction(name: "password.changed")
}
