import Accounts
import Database
import Identity
import Records
import Secrets
import Web
import Wire
import Wording

/// Another address for an invitation that is open (RP-215): the new link kills the one that went to the wrong mailbox.
struct MendedInvitation: Sendable {
    private let account: ID<Account>
    private let sealed: [UInt8]
    private let lookup: [UInt8]
    private let link: Token
    private let mail: QueuedMail
    private let inviter: ID<Account>
    private let now: Instant

    /// Nil for the address that it has already.
    /// - Throws: `Problem.conflict` once a password was chosen.
    init?(_ email: String, of member: StaffMember, _ c: Context<Member>) throws {
        let person = member.account
        lookup = c.keys.lookup(email: email)
        if lookup == c.keys.lookup(email: try person.email(c.keys)) { return nil }
        guard member.state == .invited else { throw StaffAccountStore.invitationIsOver }
        let key = try person.key(c.keys)
        account = person.id
        sealed = key.seal(email, for: AccountPlace.email(person.id))
        (link, mail) = try StaffActions.letter(to: email, person.language, key, c)
        inviter = c.proof.account.id
        now = c.now
    }

    func store(_ connection: borrowing Connection) throws {
        try StaffAccountStore.setInvitedEmail(sealed, lookup: lookup, of: account, connection)
        try PasswordStore.insertReset(
            link.hash, of: account, invitedBy: inviter, now: now,
            expires: now.adding(days: StaffActions.invitationDays), connection)
        try MailStore.removeGivenUp(of: account, connection)
        try MailStore.insert(mail, connection)
    }
}
