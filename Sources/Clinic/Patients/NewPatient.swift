import Identity
import JSON
import Pairing
import Protocols
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// Adding and changing patients, for page and call alike.
enum NewPatient {
    /// A new therapy with its pairing code, in one transaction.
    static func make(
        _ draft: PatientDraft, with plan: PatientProtocolActions.Choice, _ c: Context<Member>
    ) throws -> ID<Therapy> {
        let therapist = c.proof.account.id
        if let study = draft.studyID {
            let offerable = try c.read { try OfferStore.offerable(to: therapist, at: c.now, $0) }
            if !offerable.contains(where: { $0.id == study }) {
                throw Problem.invalid("study_id", "errors.unknown_study")
            }
        }
        // A random codename that is taken is drawn again; a chosen one is not.
        for _ in 0..<20 {
            let codename = draft.codename ?? Codename.random(c.services.chance)
            let therapy = NewTherapy(
                draft, codename: codename, of: therapist, id: c.newID(), keys: c.keys, now: c.now)
            let code: ID<PairingCode> = c.newID()
            do {
                try c.write(.patientCreated, about: therapy.id) {
                    [keys = c.keys, now = c.now, services = c.services] connection in
                    try TherapyStore.insert(therapy, connection)
                    if let study = draft.studyID {
                        try OfferStore.offer(study, to: therapy.id, at: now, connection)
                    }
                    try PairingStore.make(
                        for: therapy.id, with: therapy.key, id: code, services.chance, keys, now: now,
                        connection)
                    try PatientProtocolActions.begin(
                        therapy.id, with: plan, of: therapist, services, now: now, connection)
                }
                return therapy.id
            } catch Problem.conflict where draft.codename == nil {
                continue
            }
        }
        throw Problem.unavailable(retryAfter: 1)
    }

    /// Old and new values of the sent fields.
    private static func values(_ change: PatientChange, _ c: Context<Caseload>) throws -> AuditChange {
        let therapy = c.proof.patient
        var before: [String: String?] = [:]
        var after: [String: String?] = [:]
        if let note = change.note {
            before["note"] = try therapy.note(c.keys)
            after["note"] = note
        }
        if let alias = change.alias {
            before["alias"] = try therapy.alias(c.keys)
            after["alias"] = alias
        }
        if let date = change.startedOn {
            before["started_on"] = therapy.startedOn?.text
            after["started_on"] = date?.text
        }
        if let date = change.endsOn {
            before["ends_on"] = therapy.endsOn?.text
            after["ends_on"] = date?.text
        }
        return try c.change(of: try therapy.key(c.keys), from: before, to: after)
    }

    static func apply(_ change: PatientChange, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let therapist = c.proof.patient.therapistID
        let note = try change.note.map { note in
            try note.map { try therapy.key(c.keys).seal($0, for: TherapyPlace.note(therapy.id)) }
        }
        let alias = try change.alias.map { alias in
            try alias.map { try therapy.key(c.keys).seal($0, for: TherapyPlace.alias(therapy.id)) }
        }
        try c.write(.patientChanged, about: therapy.id, change: try values(change, c)) {
            [now = c.now, services = c.services] connection in
            if let note { try TherapyStore.setNote(note, of: therapy.id, therapist: therapist, connection) }
            if let alias {
                try TherapyStore.setAlias(alias, of: therapy.id, therapist: therapist, connection)
            }
            if let date = change.startedOn {
                try TherapyStore.setStart(date, of: therapy.id, therapist: therapist, connection)
            }
            if let date = change.endsOn {
                try TherapyStore.setPlannedEnd(date, of: therapy.id, therapist: therapist, connection)
            }
            guard change.startedOn != nil || change.endsOn != nil else { return }
            // The other of the two dates may have been changed meanwhile.
            let stored = try TherapyStore.find(therapy.id, of: therapist, connection)
            if let start = stored?.startedOn, let end = stored?.endsOn, end < start {
                throw Problem.invalid("therapy_ends_on", "errors.ends_before_start")
            }
            try ProtocolPlanner.reconcile(therapy.id, services, now: now, connection)
            // Also of one that has ended, whose plans do not change any more.
            if let account = therapy.accountID {
                try services.therapyChanges(of: account, at: now, connection)
            }
        }
    }
}
