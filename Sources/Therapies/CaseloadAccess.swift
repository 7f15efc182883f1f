import Identity
import Records
import Web
import Wording

/// A therapist together with one of their own patients.
package struct Caseload: FileProof {
    package let therapist: AccountRecord
    package let patient: Therapy

    fileprivate init(_ therapist: AccountRecord, _ patient: Therapy) {
        self.therapist = therapist
        self.patient = patient
    }

    package var openedFile: OpenedFile { OpenedFile(id: patient.id, reader: therapist.id) }
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
    /// One of the therapist's own patients. Someone else's patient is not found, not forbidden.
    package static var caseload: Self {
        Access(
            .caseload,
            .byRecords { actor, places, connection in
                let person = try actor.confirmed()
                guard person.account.roles.contains(.therapist) else {
                    throw Problem.forbidden(Message("problems.forbidden"))
                }
                guard let id = ID<Therapy>(uuid: places["patient"]),
                    let therapy = try TherapyStore.find(id, of: person.account.id, connection)
                else { throw Problem.notFound }
                return Caseload(person.account, therapy)
            }, isUnchanged: { $0.patient.isWithTheSamePerson(as: $1.patient) })
    }
}

extension Access where Proof == PairedPatient {
    /// Everything therapeutic works only while paired: IO-6.
    package static var paired: Self {
        Access(
            .paired,
            .byRecords { actor, _, connection in
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
