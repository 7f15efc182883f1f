import Database
import Identity
import Records
import Web
import Wire
import Wording

/// A therapist together with one of their own patients, or one that is shared with them.
package struct Caseload: FileProof {
    /// Whose request it is.
    package let therapist: AccountRecord
    package let patient: Therapy
    package let standing: FileStanding
    private let sharesWords: Bool

    fileprivate init(
        _ therapist: AccountRecord, _ patient: Therapy, _ standing: FileStanding = .owner,
        sharesWords: Bool = false
    ) {
        self.therapist = therapist
        self.patient = patient
        self.standing = standing
        self.sharesWords = sharesWords
    }

    package var openedFile: OpenedFile {
        OpenedFile(
            id: patient.id, reader: therapist.id, standing: standing.isOwner ? nil : standing.name.rawValue)
    }

    /// Whether what the first therapist wrote for their own eyes may stand on this page: alias, note, agenda.
    package var mayName: Bool { (standing.isOwner || sharesWords) && !therapist.hidesNames }
    /// The same over the API, where no screen is shared.
    package var mayKnowWords: Bool { standing.isOwner || sharesWords }

    fileprivate func isUnchanged(_ later: Caseload) -> Bool {
        standing == later.standing && patient.isWithTheSamePerson(as: later.patient)
    }
}

extension Context where Proof == Caseload {
    /// The therapist whose patient it is.
    package func owner() throws -> AccountRecord {
        if proof.standing.isOwner { return proof.therapist }
        guard let owner = try read({ try AccountStore.find(proof.patient.therapistID, $0) }) else {
            throw Problem.notFound
        }
        return owner
    }
}

/// A patient's account together with its running therapy.
package struct PairedPatient: Sendable {
    package let account: AccountRecord
    package let therapy: Therapy

    fileprivate init(_ account: AccountRecord, _ therapy: Therapy) {
        self.account = account
        self.therapy = therapy
    }
}

extension Access where Proof == Caseload {
    /// One of the therapist's own patients, or one that is shared with them to act. Someone else's patient is not found,
    /// not forbidden.
    package static var caseload: Self { shared(.caseload) { $0.mayAct } }
    /// The same, or one that is shared with them to read.
    package static var caseloadReader: Self { shared(.caseloadReader) { _ in true } }
    /// One of the therapist's own: the first therapist's words, the trail, the end, and who else may open the file.
    package static var caseloadOwner: Self { shared(.caseloadOwner) { $0.isOwner } }

    private static func shared(
        _ rule: AccessRule, _ isEnough: @escaping @Sendable (FileStanding) -> Bool
    ) -> Self {
        Access(
            rule,
            .byRecords { actor, places, now, connection in
                let person = try actor.confirmed()
                guard person.account.roles.contains(.therapist) else {
                    throw Problem.forbidden(Message("problems.forbidden"))
                }
                guard let id = ID<Therapy>(uuid: places["patient"]) else { throw Problem.notFound }
                if let therapy = try TherapyStore.find(id, of: person.account.id, connection) {
                    return Caseload(person.account, therapy)
                }
                let shared = try SharingStore.find(id, with: person.account.id, now: now, connection)
                guard let shared, isEnough(shared.standing) else { throw Problem.notFound }
                return Caseload(
                    person.account, shared.therapy, shared.standing, sharesWords: shared.sharesWords)
            }, isUnchanged: { $0.isUnchanged($1) })
    }
}

extension Access where Proof == PairedPatient {
    /// Everything therapeutic works only while paired: IO-6.
    package static var paired: Self {
        Access(
            .paired,
            .byRecords { actor, _, _, connection in
                let person = try actor.confirmed()
                guard person.account.kind == .patient else {
                    throw Problem.forbidden(Message("problems.forbidden"))
                }
                guard let therapy = try TherapyStore.running(of: person.account.id, connection) else {
                    throw Problem.forbidden(Message("problems.not_paired"))
                }
                return PairedPatient(person.account, therapy)
            },
            isUnchanged: { $0.therapy.id == $1.therapy.id && $0.therapy.isWithTheSamePerson(as: $1.therapy) })
    }
}
