import Database
import Identity
import Records
import Wire
import Wording

/// The audience of a route, as data: printed, documented and tested as a table.
package enum AccessRule: String, Sendable, CaseIterable {
    /// Everybody, signed in or not.
    case anyone
    /// An account after the right password, before its second factor.
    case halfway
    /// Any signed-in staff account.
    case staff
    case therapist
    case admin
    /// A therapist, and the patient in the path is one of theirs, or shared with them to act.
    case caseload
    /// The same, or shared with them to read.
    case caseloadReader
    /// The same as the therapist, second therapist or cover of either kind: for answers that have to be seen.
    case caseloadWatcher
    /// A second therapist or a cover of either kind: for what the therapist has at hand anyway.
    case caseloadStandIn
    /// A therapist, and the patient in the path is one of their own: for actions that no cover may take.
    case caseloadOwner
    /// Therapists and study leads.
    case author
    case lead
    /// Accounts that may see figures of the whole clinic.
    case clinicLead
    /// Study leads and administrators.
    case team
    /// A study lead, and the study in the path is one of theirs, in which they are not masked.
    case studyLead
    /// The same, and masked leads of it.
    case studyAssessor
    /// Any confirmed account over the API.
    case account
    /// A patient's account over the API.
    case patient
    /// A patient's account with a running therapy.
    case paired
    /// A visitor in the middle of registering.
    case registrant
}

/// Turns a request into proof that its actor may proceed; and again in the transaction of a write, because another
/// request may have come between.
package struct Access<Proof: Sendable>: Sendable {
    /// How a proof is found.
    package enum Admission: Sendable {
        /// By the actor alone.
        case byActor(@Sendable (Actor) throws -> Proof)
        /// By the database's rows about the actor and the thing in the path.
        case byRecords(@Sendable (Actor, [String: String], Instant, borrowing Connection) throws -> Proof)
    }

    package let rule: AccessRule
    package let admission: Admission
    /// Whether a later proof still says the same as an earlier one.
    package let isUnchanged: @Sendable (_ earlier: Proof, _ later: Proof) -> Bool

    package init(
        _ rule: AccessRule, _ admission: Admission,
        isUnchanged: @escaping @Sendable (Proof, Proof) -> Bool = { _, _ in true }
    ) {
        self.rule = rule
        self.admission = admission
        self.isUnchanged = isUnchanged
    }

    /// - Throws: `Problem` when the actor may not proceed.
    package func admit(_ actor: Actor, _ places: [String: String], _ records: Records, now: Instant) throws
        -> Proof
    {
        switch admission {
        case .byActor(let find): try find(actor)
        case .byRecords(let find): try records.read { try find(actor, places, now, $0) }
        }
    }

    /// Proves it once more, in the transaction of a write.
    /// - Throws: `Problem` when the actor may not proceed any more: 401 when their session or token has ended
    ///   meanwhile, 409 when they may proceed on other grounds than before.
    func admitAgain(
        _ actor: Actor, _ places: [String: String], having earlier: Proof, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        // A route that needs no proof needs none now.
        if rule == .anyone { return }
        let present = try actor.present(at: now, connection)
        let later: Proof =
            switch admission {
            case .byActor(let find): try find(present)
            case .byRecords(let find): try find(present, places, now, connection)
            }
        guard isUnchanged(earlier, later) else {
            throw Problem.conflict(Message("problems.changed_meanwhile"))
        }
    }
}

/// No proof needed.
package struct Anyone: Sendable {
    fileprivate init() {}
}

/// A signed-in account; its roles were checked before this was made.
package struct Member: Sendable {
    package let account: AccountRecord
    package let credential: Credential

    fileprivate init(_ person: SignedIn) {
        account = person.account
        credential = person.credential
    }

    /// A changed password or lost access in between invalidates the earlier proof.
    @Sendable fileprivate static func isUnchanged(_ earlier: Member, _ later: Member) -> Bool {
        earlier.account.accessEpoch == later.account.accessEpoch
    }
}

extension Access where Proof == Anyone {
    package static var anyone: Self { Access(.anyone, .byActor { _ in Anyone() }) }
}

extension Access where Proof == Member {
    package static var staff: Self {
        member(.staff) { $0.account.kind == .staff }
    }

    package static var therapist: Self {
        member(.therapist) { $0.account.roles.contains(.therapist) }
    }

    package static var admin: Self {
        member(.admin) { $0.account.roles.contains(.admin) }
    }

    package static var halfway: Self {
        Access(
            .halfway,
            .byActor { actor in
                guard case .halfway(let person) = actor else { throw Problem.signInRequired }
                return Member(person)
            }, isUnchanged: Member.isUnchanged)
    }

    package static var author: Self {
        member(.author) { !$0.account.roles.isDisjoint(with: [.therapist, .lead]) }
    }

    package static var lead: Self {
        member(.lead) { $0.account.roles.contains(.lead) }
    }

    package static var clinicLead: Self {
        member(.clinicLead) { $0.account.roles.contains(.clinicLead) }
    }

    package static var team: Self {
        member(.team) { !$0.account.roles.isDisjoint(with: [.lead, .admin]) }
    }

    package static var account: Self { member(.account) { _ in true } }

    package static var patient: Self {
        member(.patient) { $0.account.kind == .patient }
    }

    package static var registrant: Self {
        Access(
            .registrant,
            .byActor { actor in
                guard let person = actor.signedIn else { throw Problem.signInRequired }
                guard person.account.kind == .patient else {
                    throw Problem.forbidden(Message("problems.forbidden"))
                }
                return Member(person)
            }, isUnchanged: Member.isUnchanged)
    }

    private static func member(_ rule: AccessRule, _ mayPass: @escaping @Sendable (SignedIn) -> Bool) -> Self
    {
        Access(
            rule,
            .byActor { actor in
                let person = try actor.confirmed()
                guard mayPass(person) else { throw Problem.forbidden(Message("problems.forbidden")) }
                return Member(person)
            }, isUnchanged: Member.isUnchanged)
    }
}

/// The proof of a route that opens a patient's file: the visit is noted.
package protocol FileProof: Sendable {
    var openedFile: OpenedFile { get }
}

/// The file that was opened, and by which account.
package struct OpenedFile: Sendable {
    package let id: any SubjectID
    package let reader: ID<Account>
    /// The standing of the account, where the file is not its own: the patient is told it.
    package let standing: String?

    package init(id: any SubjectID, reader: ID<Account>, standing: String? = nil) {
        self.id = id
        self.reader = reader
        self.standing = standing
    }
}

extension Actor {
    /// A signed-in account, not one in the middle of registering.
    package func confirmed() throws -> SignedIn {
        guard let person = signedIn else { throw Problem.signInRequired }
        guard person.credential.kind != .registration else {
            throw Problem.forbidden(Message("problems.not_verified"))
        }
        return person
    }
}
