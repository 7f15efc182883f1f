import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Giving, changing and withdrawing by hand, for page and call alike.
package enum InterventionActions {
    /// - Returns: the new intervention's id.
    /// - Throws: `Problem` for an ended therapy, one in a control group, and an unknown text.
    package static func give(_ draft: InterventionDraft, _ c: Context<Caseload>) throws -> ID<Intervention> {
        let therapy = c.proof.patient
        let therapist = c.proof.therapist.id
        try mayReceive(therapy)
        let (kind, text, library) = try content(of: draft, therapist, c)
        let id: ID<Intervention> = c.newID()
        let key = try therapy.key(c.keys)
        let sealed = try text.sealed(key, for: id)
        let change = try c.change(
            of: key, to: ["kind": kind.rawValue, "text": text.text(in: c.languages) ?? ""])
        try c.write(.interventionGiven, about: therapy.id, object: id, change: change) {
            [now = c.now] connection in
            try InterventionStore.insert(
                id, kind, sealed, library: library, in: therapy.id, at: now, connection)
        }
        return id
    }

    /// - Throws: `Problem.conflict` for an ended therapy and a control group.
    package static func mayReceive(_ therapy: Therapy) throws(Problem) {
        if therapy.endedAt != nil { throw .conflict(Message("assignments.therapy_ended")) }
        if !therapy.mayReceiveInterventions { throw .conflict(Message("interventions.control_group")) }
    }

    private static func content(
        of draft: InterventionDraft, _ therapist: ID<Account>, _ c: Context<Caseload>
    ) throws -> (InterventionKind, LocalizedText, ID<LibraryIntervention>?) {
        switch draft {
        case .written(let kind, let text): return (kind, text, nil)
        case .fromLibrary(let id):
            guard let found = try c.read({ try LibraryStore.find(id, for: therapist, $0) }), !found.isRetired
            else { throw Problem.invalid("intervention_id", "interventions.unknown") }
            return (found.kind, found.text, found.id)
        }
    }

    /// - Throws: `Problem.conflict` once it was opened or withdrawn.
    package static func change(_ id: ID<Intervention>, to text: String, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        guard let record = try c.read({ try InterventionStore.find(id, in: therapy.id, $0) }) else {
            throw Problem.notFound
        }
        let key = try therapy.key(c.keys)
        // The other languages would have another meaning from now on.
        let changed = LocalizedText(text, in: c.language)
        if try record.text(key) == changed, record.state == .new { return }
        let sealed = try changed.sealed(key, for: id)
        let change = try c.change(
            of: key, from: ["text": record.words(key, c.languages)],
            to: ["text": text])
        try c.write(.interventionChanged, about: therapy.id, object: id, change: change) { connection in
            guard try InterventionStore.change(sealed, id, in: therapy.id, connection) else {
                throw Problem.conflict(Message("interventions.opened_already"))
            }
        }
    }

    /// - Throws: `Problem.conflict` once it was opened; withdrawing twice is harmless.
    package static func withdraw(_ id: ID<Intervention>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient.id
        guard let record = try c.read({ try InterventionStore.find(id, in: therapy, $0) }) else {
            throw Problem.notFound
        }
        if record.withdrawnAt != nil { return }
        let key = try c.proof.patient.key(c.keys)
        let change = try c.change(of: key, from: ["text": record.words(key, c.languages)])
        try c.write(.interventionWithdrawn, about: therapy, object: id, change: change) {
            [now = c.now] connection in
            guard try InterventionStore.withdraw(id, in: therapy, at: now, connection) else {
                throw Problem.conflict(Message("interventions.opened_already"))
            }
        }
    }

    /// Undoes a withdrawal.
    /// - Throws: `Problem.conflict` for one that is not withdrawn, an ended therapy and a control group.
    package static func bringBack(_ id: ID<Intervention>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        try mayReceive(therapy)
        try c.write(.interventionReturned, about: therapy.id, object: id) { connection in
            guard try InterventionStore.find(id, in: therapy.id, connection) != nil else {
                throw Problem.notFound
            }
            guard try InterventionStore.bringBack(id, in: therapy.id, connection) else {
                throw Problem.conflict(Message("interventions.not_withdrawn"))
            }
        }
    }
}

extension AuditAction {
    static let interventionReturned = AuditAction(name: "intervention.returned")
}

extension Undo {
    package static let intervention = Undo(
        by: "/patients/:patient/interventions/:intervention/return",
        shown: "/patients/:patient/interventions", InterventionStore.revision)
}
