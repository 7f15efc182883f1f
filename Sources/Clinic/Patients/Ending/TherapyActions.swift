import Database
import Identity
import Intake
import Protocols
import Records
import Responses
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// Ending a therapy, and undoing a wrong pairing, for the page and the call alike.
enum TherapyActions {
    /// From now on the account counts as unpaired. What was completed before is taken for thirty days more; what is open
    /// is taken back. The patient keeps the account and may pair with somebody else.
    /// - Parameter day: the last day; today when nil.
    /// - Throws: `Problem.conflict` for one that has ended, `.invalid` for a day that cannot be.
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

    /// Somebody else, or another window, may have come first.
    private static func requireUnchanged(
        _ seen: Therapy, _ key: String, _ connection: borrowing Connection
    ) throws {
        let now = try TherapyStore.find(seen.id, connection)
        guard let now, now.endedAt == nil, now.accountID == seen.accountID, now.pairedAt == seen.pairedAt
        else { throw Problem.conflict(Message(key)) }
    }

    /// The wrong person was paired: what came in since then is erased, because it went to the wrong therapist; the
    /// account stays, unpaired, and the therapy gets a new code.
    /// - Throws: `Problem.conflict` when nobody is paired.
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
            try unpair(therapy, pairedOn: day, connection)
            try PairingStore.make(for: therapy.id, with: key, id: id, chance, keys, now: now, connection)
            try ProtocolPlanner.reconcile(therapy.id, services, now: now, connection)
        }
        c.services.records.truncateLog()
    }

    /// Erases what came in from an account that should not have been paired, and parts the two. What the therapist had
    /// given stays for the right person, unopened.
    private static func unpair(
        _ therapy: Therapy, pairedOn day: LocalDate, _ connection: borrowing Connection
    ) throws {
        let id = therapy.id
        // Also what rules gave because of what the wrong person had said.
        try FiringStore.erase(in: id, connection)
        try InterventionStore.startOver(in: id, connection)
        try QuarantineStore.erase(inTherapy: id, connection)
        try ContributionUpkeepStore.erase(of: therapy.accountID, inTherapy: id, connection)
        try DraftStore.erase(inTherapy: id, of: therapy.accountID, connection)
        try AssignmentStore.startOver(in: id, connection)
        try SessionStore.eraseOfAppointments(in: id, connection)
        try AppointmentStore.erase(inTherapy: id, connection)
        // The group came with the person.
        try GroupStore.part(from: id, connection)
        try OfferStore.reopen(id, connection)
        // The begin was the day of pairing unless the therapist had said another.
        let start = therapy.startedOn == day ? nil : therapy.startedOn
        try TherapyStore.unpair(id, startedOn: start, connection)
    }
}

extension AuditAction {
    static let therapyEnded = AuditAction(name: "therapy.ended")
    static let pairingUndone = AuditAction(name: "pairing.undone")
}
