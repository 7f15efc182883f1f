import Appointments
import Contributions
import Database
import Delivery
import Identity
import Intake
import Pairing
import Protocols
import Records
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// Ending a therapy, and undoing a wrong pairing, for page and call alike.
enum TherapyActions {
    /// From now on the account counts as unpaired. Sheets completed before are taken for thirty more days; open
    /// assignments are withdrawn. The patient keeps the account and may pair with another therapist.
    /// - Parameter day: the last day; today when nil.
    /// - Throws: `Problem.conflict` for an ended one, `.invalid` for an impossible day.
    static func end(on day: LocalDate?, because reason: String? = nil, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let therapist = c.proof.therapist.id
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        let today = LocalTime(c.now, Zone(c.services.timezone)).date
        let day = day ?? today
        if day > today { throw Problem.invalid("ended_on", "ending.in_future") }
        if let start = therapy.startedOn, day < start {
            throw Problem.invalid("ended_on", "errors.ends_before_start")
        }
        let change = try c.change(of: try therapy.key(c.keys), to: ["ended_on": day.text], because: reason)
        try c.write(.therapyEnded, about: therapy.id, change: change) {
            [now = c.now, services = c.services] connection in
            try requireUnchanged(therapy, "ending.ended_already", connection)
            let open = try EndingStore.open(in: therapy.id, at: now, connection)
            for id in open.assignments {
                _ = try AssignmentStore.withdraw(id, in: therapy.id, at: now, connection)
            }
            for id in open.interventions {
                _ = try InterventionStore.withdraw(id, in: therapy.id, at: now, connection)
            }
            for id in open.sessions {
                try SessionStore.mark(id, as: .cancelled, therapy: therapy.id, at: now, connection)
            }
            try TherapyStore.end(therapy.id, on: day, at: now, therapist: therapist, connection)
            try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
        }
    }

    /// Another request may have come first.
    private static func requireUnchanged(
        _ seen: Therapy, _ key: String, _ connection: borrowing Connection
    ) throws {
        let now = try TherapyStore.find(seen.id, connection)
        guard let now, now.endedAt == nil, now.accountID == seen.accountID, now.pairedAt == seen.pairedAt
        else { throw Problem.conflict(Message(key)) }
    }

    /// The wrong person was paired: data received since then is erased, because it went to the wrong therapist; the
    /// account stays, unpaired, and the therapy gets a new code.
    /// - Throws: `Problem.conflict` for an unpaired therapy.
    static func undoPairing(because reason: String? = nil, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        guard therapy.accountID != nil, let pairedAt = therapy.pairedAt, therapy.endedAt == nil else {
            throw Problem.conflict(Message("ending.not_paired"))
        }
        let key = try therapy.key(c.keys)
        let id: ID<PairingCode> = c.newID()
        let zone = try c.read { connection in
            try therapy.accountID.flatMap { try AccountStore.find($0, connection)?.timezone }
        }
        let day = LocalTime(pairedAt, Zone(zone ?? c.services.timezone)).date
        let change = try c.change(of: key, because: reason)
        try c.write(.pairingUndone, about: therapy.id, change: change) {
            [keys = c.keys, now = c.now, chance = c.services.chance, services = c.services] connection in
            try requireUnchanged(therapy, "ending.not_paired", connection)
            try unpair(therapy, pairedOn: day, at: now, connection)
            try PairingStore.make(for: therapy.id, with: key, id: id, chance, keys, now: now, connection)
            try ProtocolPlanner.reconcile(therapy.id, services, now: now, connection)
            if let account = therapy.accountID {
                try services.therapyChanges(of: account, at: now, connection)
            }
        }
        c.services.records.tidy()
    }

    /// Erases the data of an account that was paired by mistake, and separates the two. The therapist's assignments
    /// and interventions stay for the right patient, unopened.
    private static func unpair(
        _ therapy: Therapy, pairedOn day: LocalDate, at now: Instant, _ connection: borrowing Connection
    ) throws {
        let id = therapy.id
        // Includes firings for the wrong person's answers.
        try FiringStore.erase(in: id, connection)
        try InterventionStore.startOver(in: id, connection)
        try QuarantineStore.erase(inTherapy: id, connection)
        try ContributionUpkeepStore.erase(of: therapy.accountID, inTherapy: id, connection)
        try DraftStore.erase(inTherapy: id, of: therapy.accountID, connection)
        try AssignmentStore.startOver(in: id, connection)
        try SessionStore.eraseOfAppointments(in: id, at: now, connection)
        try AppointmentStore.erase(inTherapy: id, connection)
        // The group belongs to the account's enrolment.
        try GroupStore.part(from: id, connection)
        try OfferStore.reopen(id, connection)
        // The begin was the day of pairing, unless the therapist had set another.
        let start = therapy.startedOn == day ? nil : therapy.startedOn
        try TherapyStore.unpair(id, startedOn: start, connection)
    }
}

extension AuditAction {
    static let therapyEnded = AuditAction(name: "therapy.ended")
    static let pairingUndone = AuditAction(name: "pairing.undone")
}
