import Database
import HTTP
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

/// A therapist's patients over the API.
enum PatientAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients", .therapist,
            .many(
                "Own patients; shared=true those that colleagues share with the caller", Patient.self,
                query: ["query", "shared"]),
            index)
        routes.call(
            .post, "/patients", .therapist,
            .one("A new patient with a pairing code", Patient.self, status: 201, takes: draft), create)
        routes.call(
            .get, "/patients/:patient", .caseloadReader,
            .one("One patient", Patient.self).revised(TherapyStore.revision), show)
        routes.call(
            .patch, "/patients/:patient", .caseloadOwner,
            .one("Change alias, note and dates", Patient.self, takes: change).revised(TherapyStore.revision),
            update)
        routes.call(
            .post, "/patients/:patient/pairing-code", .caseload,
            .one("Make a new code; the old one is dead", Patient.self, status: 201), renewCode)
        routes.call(
            .post, "/patients/:patient/pairing/undo", .caseloadOwner,
            .nothing("The wrong person was paired: erase what came in, make a new code"), undoPairing)
        routes.call(
            .post, "/patients/:patient/therapy/end", .caseloadOwner,
            .one(
                "End the therapy", Patient.self,
                takes: .object([Schema.optional("ended_on", .date.orNull)])
            ).withOptionalBody, end)
    }

    private static let draft = Schema.object([
        Schema.optional("codename", .string.orNull), Schema.optional("alias", .string.orNull),
        Schema.optional("note", .string.orNull),
        Schema.optional("study_id", .id.orNull), Schema.optional("therapy_started_on", .date.orNull),
        Schema.optional("therapy_ends_on", .date.orNull), Schema.optional("protocol_id", .id.orNull),
    ])
    private static let change = Schema.object([
        Schema.optional("alias", .string.orNull), Schema.optional("note", .string.orNull),
        Schema.optional("therapy_started_on", .date.orNull),
        Schema.optional("therapy_ends_on", .date.orNull),
    ])

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapist = c.proof.account.id
        let fields = InputReader(form: c.request.query)
        let query = fields.text("query", limit: 100)
        let isShared = fields.bool("shared") ?? false
        try fields.finish()
        let list = try c.read { connection in
            let shared =
                isShared ? try SharingStore.all(with: therapist, now: c.now, connection) : []
            let known = Dictionary(uniqueKeysWithValues: shared.map { ($0.therapy.id, $0) })
            var all =
                isShared
                ? shared.map(\.therapy).sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
                : try TherapyStore.caseload(of: therapist, connection)
            if let query {
                let needle = PatientNeedle(query)
                // Words that are not shared are not searched either.
                all = try all.filter { therapy in
                    let standing = known[therapy.id]?.standing ?? .owner
                    return needle.fits(
                        codename: therapy.codename,
                        alias: standing.knowsAlias ? try therapy.alias(c.keys) : nil,
                        note: standing.knowsWords ? try therapy.note(c.keys) : nil)
                }
            }
            // Only the requested part is unsealed.
            let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
            var items: [Item<Patient>] = []
            for therapy in part {
                var patient = try wire(therapy, c.keys, now: c.now, connection)
                if let ground = known[therapy.id] {
                    patient.lend(ground.standing)
                }
                items.append(Item(id: therapy.id, patient))
            }
            return Many(items, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let fields = try c.body()
        let plan = PatientProtocolActions.Choice.read(fields)
        let id = try NewPatient.make(try PatientDraft.read(fields), with: plan, c)
        return try answer(id, of: c.proof.account.id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        var patient = try c.read { try wire(therapy, c.keys, now: c.now, $0) }
        patient.lend(c.proof.standing)
        return try .data(One(id: therapy.id, patient))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let change = try PatientChange.read(try c.body(), of: therapy)
        try NewPatient.apply(change, c)
        return try answer(therapy.id, of: therapy.therapistID, c, status: 200)
    }

    @Sendable static func renewCode(_ c: Context<Caseload>) throws -> Reply {
        try PairingPages.makeCode(c)
        let therapy = c.proof.patient
        var patient = try c.read { try wire(therapy, c.keys, now: c.now, $0) }
        patient.lend(c.proof.standing)
        return try .data(One(id: therapy.id, patient), status: 201)
    }

    @Sendable static func undoPairing(_ c: Context<Caseload>) throws -> Reply {
        try TherapyActions.undoPairing(c)
        return .response(.noContent)
    }

    @Sendable static func end(_ c: Context<Caseload>) throws -> Reply {
        // The body is optional.
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let day = fields.date("ended_on")
        try fields.finish()
        try TherapyActions.end(on: day, c)
        return try answer(c.proof.patient.id, of: c.proof.patient.therapistID, c, status: 200)
    }

    private static func answer<P>(_ id: ID<Therapy>, of therapist: ID<Account>, _ c: Context<P>, status: Int)
        throws
        -> Reply
    {
        let patient = try c.read { connection -> Patient? in
            guard let therapy = try TherapyStore.find(id, of: therapist, connection) else { return nil }
            return try wire(therapy, c.keys, now: c.now, connection)
        }
        guard let patient else { throw Problem.notFound }
        return try .data(One(id: id, patient), status: status)
    }

    static func wire(
        _ therapy: Therapy, _ keys: Keyring, now: Instant, _ connection: borrowing Connection
    ) throws -> Patient {
        let code = try PairingStore.current(of: therapy.id, connection)
        let digits = try code.flatMap { $0.isLive(at: now) ? try $0.code(try therapy.key(keys)) : nil }
        let next = try SessionStore.coming(of: therapy.id, after: now, connection).first {
            $0.isComing(at: now)
        }
        return Patient(
            codename: therapy.codename, alias: try therapy.alias(keys), note: try therapy.note(keys),
            state: PatientState(therapy, code, now: now).rawValue,
            pairingCode: digits.flatMap { digits in code.map { .init(code: digits, expiresAt: $0.expiresAt) }
            },
            birthDate: try therapy.birthDate(keys), gender: therapy.gender,
            therapyStartedOn: therapy.startedOn, therapyEndsOn: therapy.endsOn,
            therapyEndedOn: therapy.endedOn,
            lastActivityAt: therapy.lastActivityAt, nextAppointmentAt: next?.startsAt)
    }
}

extension Patient {
    /// Leaves out what is not shared with the reader.
    mutating func lend(_ standing: FileStanding) {
        access = standing.access
        if !standing.knowsAlias { alias = nil }
        if !standing.knowsWords { note = nil }
        if !standing.mayAct { pairingCode = nil }
    }
}
