import Database
import Delivery
import Identity
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// Putting a protocol on a therapy, for pages, calls and new patients alike.
package enum PatientProtocolActions {
    /// The choice for a new patient.
    package enum Choice: Sendable {
        /// Not sent: the therapist's default, where there is one.
        case usual
        case none
        case of(ID<TreatmentProtocol>)

        /// - Parameter field: absent for the default, null or empty for none.
        package static func read(_ fields: InputReader, _ field: String = "protocol_id") -> Choice {
            let id: ID<TreatmentProtocol>? = fields.id(field)
            return id.map { .of($0) } ?? (fields.has(field) ? .none : .usual)
        }
    }

    /// For a patient created in the same transaction.
    /// - Throws: `Problem.invalid` for one that the therapist may not choose.
    package static func begin(
        _ therapy: ID<Therapy>, with choice: Choice, of therapist: ID<Account>, _ services: Services,
        now: Instant, _ connection: borrowing Connection
    ) throws {
        guard let stored = try TherapyStore.find(therapy, connection),
            let person = try AccountStore.find(therapist, connection)
        else { return }
        let reader = try ProtocolReader(person, [], connection)
        let id: ID<TreatmentProtocol>?
        switch choice {
        case .none: id = nil
        case .of(let chosen): id = chosen
        case .usual:
            // A protocol that may not be chosen any more is no default.
            let standard = try ProtocolStore.standard(of: therapist, connection)
            let record = try standard.flatMap { try ProtocolStore.find($0, connection) }
            id = record.map(reader.mayChoose) == true ? standard : nil
        }
        guard let id else { return }
        let record = try choosable(id, reader, connection)
        try put(record, over: nil, follows: true, on: stored, services, now: now, connection)
    }

    private static func choosable(
        _ id: ID<TreatmentProtocol>, _ reader: ProtocolReader, _ connection: borrowing Connection
    ) throws -> ProtocolRecord {
        guard let record = try ProtocolStore.find(id, connection), reader.mayChoose(record) else {
            throw Problem.invalid("protocol_id", "protocols.unknown")
        }
        return record
    }

    /// Puts another protocol on a therapy, none, or the newest state of the present one.
    /// - Parameter follows: whether the former protocol's parts without an answer, a begin or an opening are
    ///   withdrawn; otherwise the patient keeps them as their own. For the present protocol: whether its newest
    ///   definition is adopted; otherwise nothing changes.
    package static func put(
        _ id: ID<TreatmentProtocol>?, follows: Bool, _ c: Context<Caseload>
    ) throws {
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("assignments.therapy_ended")) }
        let therapist = c.proof.therapist.id
        let (from, to) = try c.read { connection in
            let reader = try ProtocolReader(c.proof.therapist, c.languages, connection)
            let present = try PutProtocolStore.all(in: therapy.id, connection).first { $0.isChosen }
            let old = try present.flatMap { try ProtocolStore.find($0.protocolID, connection) }
            // The present protocol may be kept, also after a hand-over.
            if id == old?.id { return (old?.name, old?.name) }
            return (old?.name, try id.map { try choosable($0, reader, connection).name })
        }
        let change = try c.change(
            of: try therapy.key(c.keys), from: ["protocol": from], to: ["protocol": to])
        try c.write(.protocolPut, about: therapy.id, object: id, change: change) {
            [now = c.now, services = c.services] connection in
            guard let person = try AccountStore.find(therapist, connection),
                let stored = try TherapyStore.find(therapy.id, connection), stored.endedAt == nil
            else { throw Problem.notFound }
            let present = try PutProtocolStore.all(in: therapy.id, connection).first { $0.isChosen }
            let reader = try ProtocolReader(person, [], connection)
            if let id, id == present?.protocolID {
                guard follows, let record = try ProtocolStore.find(id, connection),
                    reader.mayChoose(record)
                else { return }
                try put(record, over: present, follows: true, on: stored, services, now: now, connection)
            } else {
                let record = try id.map { try choosable($0, reader, connection) }
                try put(record, over: present, follows: follows, on: stored, services, now: now, connection)
            }
        }
    }

    private static func put(
        _ record: ProtocolRecord?, over present: PutProtocol?, follows: Bool, on therapy: Therapy,
        _ services: Services, now: Instant, _ connection: borrowing Connection
    ) throws {
        if let present, present.protocolID != record?.id {
            if !follows { try keep(present.protocolID, in: therapy.id, connection) }
            try PutProtocolStore.take(present.protocolID, from: therapy.id, connection)
        }
        if let record {
            try PutProtocolStore.put(record, on: therapy.id, isChosen: true, at: now, connection)
            try ProtocolPlanner.setDailies(
                record.definition.dailies, before: present?.definition.dailies, in: therapy, services,
                now: now, connection)
        }
        try ProtocolPlanner.reconcile(therapy.id, services, now: now, connection)
    }

    /// Turns a protocol's parts into the patient's own.
    static func keep(
        _ id: ID<TreatmentProtocol>, in therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try ProtocolDelivery.keep(from: id, in: therapy, connection)
        try RuleProtocolStore.keep(from: id, in: therapy, connection)
        try PlannedInterventions.keep(from: id, in: therapy, connection)
    }
}
