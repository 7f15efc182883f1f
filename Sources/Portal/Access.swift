import Database
import HTTP
import Wire

/// Who a route is for, as data: printed, documented and tested as a table.
enum AccessRule: String, Sendable, CaseIterable {
    /// Everybody, signed in or not.
    case anyone
    /// Somebody whose password was right and whose second factor is still asked for.
    case halfway
    /// Any signed-in staff account.
    case staff
    case therapist
    case admin
    /// A therapist, and the patient in the path is one of theirs.
    case caseload
    /// Therapists and study leads.
    case author
    case lead
    /// A study lead, and the study in the path is one of theirs.
    case studyLead
    /// Any confirmed account over the API.
    case account
    /// A patient's account over the API.
    case patient
    /// A patient's account with a running therapy.
    case paired
    /// Somebody in the middle of registering.
    case registrant
}

/// Turns a request into proof that its actor may proceed.
struct Access<Proof: Sendable>: Sendable {
    let rule: AccessRule
    let admit: @Sendable (Actor, [String: String], Services, Instant) throws -> Proof
}

/// No proof needed.
struct Anyone: Sendable {
    fileprivate init() {}
}

/// A signed-in account; what it may do was looked at before this was made.
struct Member: Sendable {
    let account: AccountRecord
    let credential: Credential

    fileprivate init(_ person: SignedIn) { (account, credential) = (person.account, person.credential) }
}

/// A therapist together with one of their own patients.
struct Caseload: Sendable {
    let therapist: AccountRecord
    let patient: Therapy

    fileprivate init(_ therapist: AccountRecord, _ patient: Therapy) {
        (self.therapist, self.patient) = (therapist, patient)
    }
}

/// A study lead together with one of their own studies.
struct StudyLead: Sendable {
    let lead: AccountRecord
    let study: StudyRecord

    fileprivate init(_ lead: AccountRecord, _ study: StudyRecord) { (self.lead, self.study) = (lead, study) }
}

/// A patient's account together with its running therapy.
struct PairedPatient: Sendable {
    let account: AccountRecord
    let therapy: Therapy

    fileprivate init(_ account: AccountRecord, _ therapy: Therapy) {
        (self.account, self.therapy) = (account, therapy)
    }
}

extension Access where Proof == Anyone {
    static var anyone: Self { Access(rule: .anyone) { _, _, _, _ in Anyone() } }
}

extension Access where Proof == Member {
    static var staff: Self {
        member(.staff) { $0.account.kind == .staff }
    }

    static var therapist: Self {
        member(.therapist) { $0.account.roles.contains(.therapist) }
    }

    static var admin: Self {
        member(.admin) { $0.account.roles.contains(.admin) }
    }

    static var halfway: Self {
        Access(rule: .halfway) { actor, _, _, _ in
            guard case .halfway(let person) = actor else { throw Problem.signInRequired }
            return Member(person)
        }
    }

    static var author: Self {
        member(.author) { !$0.account.roles.isDisjoint(with: [.therapist, .lead]) }
    }

    static var lead: Self {
        member(.lead) { $0.account.roles.contains(.lead) }
    }

    static var account: Self { member(.account) { _ in true } }

    static var patient: Self {
        member(.patient) { $0.account.kind == .patient }
    }

    static var registrant: Self {
        Access(rule: .registrant) { actor, _, _, _ in
            guard let person = actor.signedIn else { throw Problem.signInRequired }
            guard person.account.kind == .patient else {
                throw Problem.forbidden(Message("problems.forbidden"))
            }
            return Member(person)
        }
    }

    private static func member(_ rule: AccessRule, _ mayPass: @escaping @Sendable (SignedIn) -> Bool) -> Self
    {
        Access(rule: rule) { actor, _, _, _ in
            let person = try confirmed(actor)
            guard mayPass(person) else { throw Problem.forbidden(Message("problems.forbidden")) }
            return Member(person)
        }
    }
}

extension Access where Proof == Caseload {
    /// One of the therapist's own patients. Someone else's patient is not found, not forbidden.
    static var caseload: Self {
        Access(rule: .caseload) { actor, places, services, _ in
            let person = try confirmed(actor)
            guard person.account.roles.contains(.therapist) else {
                throw Problem.forbidden(Message("problems.forbidden"))
            }
            guard let id = places["patient"].flatMap(uuid) else { throw Problem.notFound }
            let therapist = person.account.id
            let therapy = try services.records.read { connection in
                try TherapyStore.find(id, of: therapist, connection)
            }
            guard let therapy else { throw Problem.notFound }
            return Caseload(person.account, therapy)
        }
    }
}

extension Access where Proof == StudyLead {
    /// One of the lead's own studies. Someone else's study is not found, not forbidden.
    static var studyLead: Self {
        Access(rule: .studyLead) { actor, places, services, _ in
            let person = try confirmed(actor)
            guard person.account.roles.contains(.lead) else {
                throw Problem.forbidden(Message("problems.forbidden"))
            }
            guard let id = places["study"].flatMap(uuid) else { throw Problem.notFound }
            let lead = person.account.id
            let study = try services.records.read { try StudyStore.find(id, ofLead: lead, $0) }
            guard let study else { throw Problem.notFound }
            return StudyLead(person.account, study)
        }
    }
}

extension Access where Proof == PairedPatient {
    /// Everything therapeutic works only while paired: IO-6.
    static var paired: Self {
        Access(rule: .paired) { actor, _, services, _ in
            let person = try confirmed(actor)
            guard person.account.kind == .patient else {
                throw Problem.forbidden(Message("problems.forbidden"))
            }
            let account = person.account.id
            let therapy = try services.records.read { connection in
                try TherapyStore.running(of: account, connection)
            }
            guard let therapy else { throw Problem.forbidden(Message("problems.not_paired")) }
            return PairedPatient(person.account, therapy)
        }
    }
}

/// A signed-in account, not somebody in the middle of registering.
private func confirmed(_ actor: Actor) throws -> SignedIn {
    guard let person = actor.signedIn else { throw Problem.signInRequired }
    guard person.credential.kind != .registration else {
        throw Problem.forbidden(Message("problems.not_verified"))
    }
    return person
}
