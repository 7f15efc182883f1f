import Database
import Identity
import Records
import Web
import Wire
import Wording

/// The proof that an account leads a study.
package protocol StudyProof: Sendable {
    var lead: AccountRecord { get }
    var study: StudyRecord { get }
    /// Whether it must not learn the arm of a participant (ST-5).
    var isMasked: Bool { get }
}

/// A study lead together with one of their own studies. Masked leads have no such proof.
package struct StudyLead: StudyProof {
    package let lead: AccountRecord
    package let study: StudyRecord
    package var isMasked: Bool { false }

    fileprivate init(_ lead: AccountRecord, _ study: StudyRecord) { (self.lead, self.study) = (lead, study) }
}

/// A lead of a study, masked or not, for what tells no arm of a participant (ST-5).
package struct StudyAssessor: StudyProof {
    package let lead: AccountRecord
    package let study: StudyRecord
    package let isMasked: Bool

    fileprivate init(_ lead: AccountRecord, _ study: StudyRecord, isMasked: Bool) {
        self.lead = lead
        self.study = study
        self.isMasked = isMasked
    }

    /// - Throws: `Problem.notFound` for another lead's study: not found, not forbidden.
    fileprivate static func find(
        _ actor: Actor, _ places: [String: String], _ connection: borrowing Connection
    ) throws -> StudyAssessor {
        let person = try actor.confirmed()
        guard person.account.roles.contains(.lead) else {
            throw Problem.forbidden(Message("problems.forbidden"))
        }
        guard let id = ID<Study>(uuid: places["study"]),
            let study = try StudyStore.find(id, ofLead: person.account.id, connection)
        else { throw Problem.notFound }
        return StudyAssessor(
            person.account, study,
            isMasked: try StudyStore.isMasked(lead: person.account.id, in: id, connection))
    }
}

extension Access where Proof == StudyLead {
    /// One of the lead's own studies, in which the lead is not masked: what is not on the short list of `studyAssessor`.
    package static var studyLead: Self {
        Access(
            .studyLead,
            .byRecords { actor, places, _, connection in
                let found = try StudyAssessor.find(actor, places, connection)
                if found.isMasked { throw Problem.forbidden(Message("studies.masked")) }
                return StudyLead(found.lead, found.study)
            })
    }
}

extension Access where Proof == StudyAssessor {
    /// One of the lead's own studies, also for masked leads. A lead that was unmasked when the request came in and is masked now begins
    /// again.
    package static var studyAssessor: Self {
        Access(
            .studyAssessor,
            .byRecords { actor, places, _, connection in
                try StudyAssessor.find(actor, places, connection)
            }, isUnchanged: { $0.isMasked == $1.isMasked })
    }
}

extension Context where Proof == StudyAssessor {
    /// The same for what unmasked leads alone see; nil for masked ones.
    package var unmasked: Context<StudyLead>? {
        proof.isMasked ? nil : proving(StudyLead(proof.lead, proof.study))
    }
}
