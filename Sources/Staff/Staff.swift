import Accounts
import Identity
import Records
import Secrets
import Studies
import Web
import Wire
import Wording

/// An account of staff as administrators see it: nothing clinical is in it.
package struct StaffMember: Sendable {
    package enum State: String, Sendable { case invited, active, closed }

    package let account: AccountRecord
    /// Where they work; nil where there is only one place.
    let site: String?
    let createdAt: Instant
    let lastSignedInAt: Instant?
    let hasSecondFactor: Bool
    /// How many would lose their therapist.
    package let runningTherapies: Int
    /// Why the invitation did not arrive; nil when nothing is known against it.
    var undelivered: String?

    package var state: State {
        if account.disabledAt != nil { return .closed }
        return account.verifiedAt == nil ? .invited : .active
    }

    /// Whether the invitation was given up.
    var isUnreached: Bool { state == .invited && undelivered != nil }

    func wire(_ keys: Keyring) throws -> StaffAccount {
        StaffAccount(
            email: try account.email(keys), name: try account.name(keys) ?? "", roles: account.roleNames,
            language: account.language.rawValue, site: site, state: state.rawValue,
            secondFactor: hasSecondFactor,
            createdAt: createdAt, lastSignedInAt: lastSignedInAt)
    }
}

/// An invited member of staff. Made only by reading.
struct StaffDraft: Sendable {
    let email: String
    let name: String
    let roles: Set<Role>
    let language: Language
    let site: String?

    /// The most characters of a site's name.
    static let longestSite = 60

    /// - Throws: `Problem.invalid`.
    static func read(
        _ fields: InputReader, among installed: [Language], roles texts: [String]?
    ) throws(Problem) -> StaffDraft {
        let email = fields.email("email")
        let name = fields.text("name", required: true, limit: 120)
        let language = fields.language("language", among: installed)
        let site = fields.text("site", limit: longestSite)
        let roles = StaffRoles.read(texts, fields)
        try fields.finish()
        guard let email, let name, let roles else { throw .invalid(fields.errors) }
        return StaffDraft(
            email: email, name: name, roles: roles,
            language: language ?? .german, site: site)
    }

    private init(email: String, name: String, roles: Set<Role>, language: Language, site: String?) {
        self.email = email
        self.name = name
        self.roles = roles
        self.language = language
        self.site = site
    }
}

/// Inviting, changing and closing accounts of staff, for page and call alike.
enum StaffActions {
    static let invitationDays: Int64 = 7

    /// A new account without a password, and a mail with the link to choose one.
    /// - Returns: its id.
    static func invite(_ draft: StaffDraft, _ c: Context<Member>) throws -> ID<Account> {
        // This password is unknown to all: the link sets the first one.
        let hash = try c.services.gate.hash(Token().text)
        let account = NewAccount(
            invited: draft.name, email: draft.email, roles: draft.roles, passwordHash: hash,
            language: draft.language, timezone: c.services.timezone, id: c.newID(), keys: c.keys,
            now: c.now)
        let key = try c.keys.unwrap(account.wrappedKey, owner: account.id)
        let (link, envelope) = try letter(to: draft.email, draft.language, key, c)
        let expires = c.now.adding(days: invitationDays)
        let inviter = c.proof.account.id
        try c.write(.staffInvited, about: account.id) { [now = c.now] connection in
            try AccountStore.insert(account, connection)
            try StaffAccountStore.setSite(draft.site, of: account.id, connection)
            try PasswordStore.insertReset(
                link.hash, of: account.id, invitedBy: inviter, now: now, expires: expires, connection)
            try MailStore.insert(envelope, connection)
        }
        c.services.deliver(at: c.now)
        return account.id
    }

    /// The same mail with a new link; the old one no longer works.
    /// - Throws: `Problem.conflict` once a password was chosen.
    static func inviteAgain(_ member: StaffMember, _ c: Context<Member>) throws {
        guard member.state == .invited else { throw Problem.conflict(Message("staff.not_invited")) }
        let account = member.account
        let (link, envelope) = try letter(
            to: try account.email(c.keys), account.language, try account.key(c.keys), c)
        let expires = c.now.adding(days: invitationDays)
        let inviter = c.proof.account.id
        try c.write(.staffInvited, about: account.id) { [now = c.now] connection in
            // A mended address has a mail of its own by now; this one would open the account from the wrong mailbox.
            guard try AccountStore.hasAddress(of: account, connection) else {
                throw Problem.conflict(Message("problems.changed_meanwhile"))
            }
            try PasswordStore.insertReset(
                link.hash, of: account.id, invitedBy: inviter, now: now, expires: expires, connection)
            try MailStore.removeGivenUp(of: account.id, connection)
            try MailStore.insert(envelope, connection)
        }
        c.services.deliver(at: c.now)
    }

    static func letter(
        to email: String, _ language: Language, _ key: PersonKey, _ c: Context<Member>
    ) throws -> (Token, QueuedMail) {
        let link = Token()
        let texts = c.services.texts(language)
        let invitation = try Invitation(by: c.proof.account, c)
        let values = [
            "link": "\(c.services.origin)/password/reset?token=\(link.text)", "days": String(invitationDays),
            "invitation": invitation.sentence(texts),
        ]
        let mail = Mail(
            recipient: email, subject: invitation.subject(texts), body: texts["staff.mail_body", values])
        return (link, try c.services.envelope(mail, to: key, at: c.now))
    }

    /// The changeable parts; nil keeps the value.
    struct Change: Sendable {
        var name: String?
        /// Only while the invitation is open: a mistyped one is mended, and goes out again.
        var email: String?
        var roles: Set<Role>?
        var isClosed: Bool?
        /// Whether running therapies may be left without a reader.
        var leavesTherapies = false
        /// An inner nil for none.
        var site: String??
    }

    /// - Throws: `Problem.conflict` when no administrator or lead would be left, the caller's own account would be
    ///   closed, running therapies would be left without confirmation, or an address is no invitation's any more.
    static func apply(_ change: Change, to member: StaffMember, _ c: Context<Member>) throws {
        let account = member.account
        let id = member.account.id
        let mayLose = change.isClosed == true || change.roles?.contains(.admin) == false
        if change.isClosed == true && id == c.proof.account.id {
            throw Problem.conflict(Message("staff.own_account"))
        }
        let sealed = try change.name.map { try account.key(c.keys).seal($0, for: AccountPlace.name(id)) }
        let mended = try change.email.flatMap { try MendedInvitation($0, of: member, c) }
        let values = try words(change, member, c)
        let action: AuditAction =
            switch change.isClosed {
            case true?: .staffClosed
            case false?: .staffReopened
            case nil: .staffChanged
            }
        try c.write(action, about: id, change: values) { [now = c.now] connection in
            let isAdministrator = try AccountStore.find(id, connection)?.roles.contains(.admin) == true
            if mayLose, isAdministrator, try !StaffStore.hasOtherAdministrator(than: id, connection) {
                throw Problem.conflict(Message("staff.last_administrator"))
            }
            if change.isClosed == true, !change.leavesTherapies {
                guard try HandOverStore.running(of: id, connection).isEmpty else {
                    let message = Message("staff.therapies_first")
                    throw Problem.conflict(message, FieldErrors("confirmation", message))
                }
            }
            let losesLead = change.isClosed == true || change.roles?.contains(.lead) == false
            if losesLead, let study = try StudyStore.ledAlone(by: id, connection).first {
                let title = study.title.text(in: .german) ?? study.name
                throw Problem.conflict(Message("staff.only_lead", ["study": title]))
            }
            try mended?.store(connection)
            if let sealed { try AccountStore.setName(sealed, of: id, connection) }
            if let roles = change.roles { try StaffAccountStore.setRoles(roles, of: id, connection) }
            if let site = change.site { try StaffAccountStore.setSite(site, of: id, connection) }
            guard let isClosed = change.isClosed else { return }
            try StaffAccountStore.setDisabled(isClosed ? now : nil, of: id, connection)
            if isClosed { try CredentialStore.endCredentials(of: id, but: nil, connection) }
        }
        if mended != nil { c.services.deliver(at: c.now) }
    }

    private static func words(
        _ change: Change, _ member: StaffMember, _ c: Context<Member>
    ) throws -> AuditChange {
        let account = member.account
        var before: [String: String?] = [:]
        var after: [String: String?] = [:]
        if let name = change.name {
            before["name"] = try account.name(c.keys)
            after["name"] = name
        }
        if let email = change.email {
            before["email"] = try account.email(c.keys)
            after["email"] = email
        }
        if let roles = change.roles {
            let list = { (roles: Set<Role>) in
                Role.allCases.filter(roles.contains).map(\.rawValue).joined(separator: ", ")
            }
            before["roles"] = list(account.roles)
            after["roles"] = list(roles)
        }
        if let site = change.site {
            before["site"] = member.site
            after["site"] = site
        }
        return try c.change(of: try account.key(c.keys), from: before, to: after)
    }
}

extension AuditAction {
    static let staffInvited = AuditAction(name: "staff.invited")
    static let staffChanged = AuditAction(name: "staff.changed")
    static let staffClosed = AuditAction(name: "staff.closed")
    static let staffReopened = AuditAction(name: "staff.reopened")
}
