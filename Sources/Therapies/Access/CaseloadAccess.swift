import Identity
import Records
import Web
import Wording

/// A therapist together with one of their own patients, or one that is shared with them.
package struct Caseload: FileProof {
    /// The therapist who sends the request.
    package let therapist: AccountRecord
    package let patient: Therapy
    package let standing: FileStanding

    fileprivate init(
        _ therapist: AccountRecord, _ patient: Therapy, _ standing: FileStanding = .owner
    ) {
        self.therapist = therapist
        self.patient = patient
        self.standing = standing
    }

    package var openedFile: OpenedFile {
        OpenedFile(
            id: patient.id, reader: therapist.id, standing: standing.isOwner ? nil : standing.name.rawValue)
    }

    /// Whether the first therapist's private words may be shown on this page: note and agenda.
    package var mayName: Bool { standing.knowsWords && !therapist.hidesNames }
    /// Whether the alias may be shown on this page: covers see it where it is shared, without the other words.
    package var mayShowAlias: Bool { standing.knowsAlias && !therapist.hidesNames }
    /// The same over the API, where no screen can be seen by others.
    package var mayKnowWords: Bool { standing.knowsWords }

    fileprivate func isUnchanged(_ later: Caseload) -> Bool {
        standing == later.standing && patient.isWithTheSamePerson(as: later.patient)
    }
}

extension Context where Proof == Caseload {
    /// The first therapist of the patient.
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
    /// One of the therapist's own patients, or one shared with them to act; others are not found.
    package static var caseload: Self { shared(.caseload) { $0.mayAct } }
    /// The same, or one that is shared with them to read.
    package static var caseloadReader: Self { shared(.caseloadReader) { $0.mayRead } }
    /// The same, or one that is shared with them as second therapist or cover of either kind (PR-27).
    package static var caseloadWatcher: Self { shared(.caseloadWatcher) { $0.isWatching } }
    /// One that is shared with them as second therapist or cover of either kind; not their own (PR-29).
    package static var caseloadStandIn: Self { shared(.caseloadStandIn) { $0.mayOpenEmergencyContact } }
    /// One of the therapist's own: for private words, the access log, the end of the therapy, and sharing the file.
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
                if isEnough(.owner),
                    let therapy = try TherapyStore.find(id, of: person.account.id, connection)
                {
                    return Caseload(person.account, therapy)
                }
                let shared = try SharingStore.find(id, with: person.account.id, now: now, connection)
                guard let shared, isEnough(shared.standing) else { throw Problem.notFound }
                return Caseload(person.account, shared.therapy, shared.standing)
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
