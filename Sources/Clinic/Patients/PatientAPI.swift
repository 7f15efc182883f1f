import Database
import HTTP
import Identity
import JSON
import Records
import Responses
import Studies
import Therapies
import Web
import Wire
import Wording

/// A therapist's patients over the API.
enum PatientAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(.get, "/patients", .therapist, .many("Own patients", Patient.self), index)
        routes.call(
            .post, "/patients", .therapist,
            .one("A new patient with a pairing code", Patient.self, status: 201, takes: draft), create)
        routes.call(
            .get, "/patients/:patient", .caseload,
            .one("One patient", Patient.self).revised(TherapyStore.revision), show)
        routes.call(
            .patch, "/patients/:patient", .caseload,
            .one("Change note and dates", Patient.self, takes: change).revised(TherapyStore.revision),
            update)
        routes.call(
            .post, "/patients/:patient/pairing-code", .caseload,
            .one("Make a new code; the old one is dead", Patient.self, status: 201), renewCode)
        routes.call(
            .post, "/patients/:patient/pairing/undo", .caseload,
            .nothing("The wrong person was paired: erase what came in, make a new code"), undoPairing)
        routes.call(
            .post, "/patients/:patient/therapy/end", .caseload,
            .one(
                "End the therapy", Patient.self,
                takes: .object([Schema.optional("ended_on", .date.orNull)])
            ).withOptionalBody, end)
    }

    private static let draft = Schema.object([
        Schema.optional("codename", .string.orNull), Schema.optional("note", .string.orNull),
        Schema.optional("study_id", .id.orNull), Schema.optional("therapy_started_on", .date.orNull),
        Schema.optional("therapy_ends_on", .date.orNull),
    ])
    private static let change = Schema.object([
        Schema.optional("note", .string.orNull), Schema.optional("therapy_started_on", .date.orNull),
        Schema.optional("therapy_ends_on", .date.orNull),
    ])

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapist = c.proof.account.id
        let list = try c.read { connection in
            let all = try TherapyStore.caseload(of: therapist, connection)
            // Only the asked part is unsealed.
            let (part, next) = paging.part(of: all) { Position($0.createdAt, $0.id) }
            var items: [Item<Patient>] = []
            for therapy in part {
                items.append(Item(id: therapy.id, try wire(therapy, c.keys, now: c.now, connection)))
            }
            return Many(items, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let id = try NewPatient.make(try PatientDraft.read(try c.body()), c)
        return try answer(id, of: c.proof.account.id, c, status: 201)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let patient = try c.read { try wire(therapy, c.keys, now: c.now, $0) }
        return try .data(One(id: therapy.id, patient))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let change = try PatientChange.read(try c.body(), of: therapy)
        try NewPatient.apply(change, c)
        return try answer(therapy.id, of: c.proof.therapist.id, c, status: 200)
    }

    @Sendable static func renewCode(_ c: Context<Caseload>) throws -> Reply {
        try PairingPages.makeCode(c)
        return try answer(c.proof.patient.id, of: c.proof.therapist.id, c, status: 201)
    }

    @Sendable static func undoPairing(_ c: Context<Caseload>) throws -> Reply {
        try TherapyActions.undoPairing(c)
        return .response(.noContent)
    }

    @Sendable static func end(_ c: Context<Caseload>) throws -> Reply {
        // The body may be left out altogether.
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let day = fields.date("ended_on")
        try fields.finish()
        try TherapyActions.end(on: day, c)
        return try answer(c.proof.patient.id, of: c.proof.therapist.id, c, status: 200)
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
            codename: therapy.codename, note: try therapy.note(keys),
            state: PatientState(therapy, code, now: now).rawValue,
            pairingCode: digits.flatMap { digits in code.map { .init(code: digits, expiresAt: $0.expiresAt) }
            },
            birthDate: try therapy.birthDate(keys), gender: therapy.gender?.rawValue,
            therapyStartedOn: therapy.startedOn, therapyEndsOn: therapy.endsOn,
            therapyEndedOn: therapy.endedOn,
            lastActivityAt: therapy.lastActivityAt, nextAppointmentAt: next?.startsAt)
    }
}

/// Making and changing patients, for the page and the call alike.
enum NewPatient {
    /// A new therapy with its pairing code, in one transaction.
    static func make(_ draft: PatientDraft, _ c: Context<Member>) throws -> ID<Therapy> {
        let therapist = c.proof.account.id
        if let study = draft.studyID {
            let offerable = try c.read { try OfferStore.offerable(to: therapist, at: c.now, $0) }
            if !offerable.contains(where: { $0.id == study }) {
                throw Problem.invalid("study_id", "errors.unknown_study")
            }
        }
        // A drawn codename that is taken is drawn again; one that was asked for is not.
        for _ in 0..<20 {
            let codename = draft.codename ?? Codename.random(c.services.chance)
            let therapy = NewTherapy(
                draft, codename: codename, of: therapist, id: c.newID(), keys: c.keys, now: c.now)
            let code: ID<PairingCode> = c.newID()
            do {
                try c.write(.patientCreated, about: therapy.id) {
                    [keys = c.keys, now = c.now, chance = c.services.chance] connection in
                    try TherapyStore.insert(therapy, connection)
                    if let study = draft.studyID {
                        try OfferStore.offer(study, to: therapy.id, at: now, connection)
                    }
                    try PairingStore.make(
                        for: therapy.id, with: therapy.key, id: code, chance, keys, now: now, connection)
                }
                return therapy.id
            } catch Problem.conflict where draft.codename == nil {
                continue
            }
        }
        throw Problem.unavailable(retryAfter: 1)
    }

    /// Old and new values of what was sent.
    private static func values(_ change: PatientChange, _ c: Context<Caseload>) throws -> AuditChange {
        let therapy = c.proof.patient
        var before: [String: String?] = [:]
        var after: [String: String?] = [:]
        if let note = change.note { (before["note"], after["note"]) = (try therapy.note(c.keys), note) }
        if let date = change.startedOn {
            (before["started_on"], after["started_on"]) = (therapy.startedOn?.text, date?.text)
        }
        if let date = change.endsOn {
            (before["ends_on"], after["ends_on"]) = (therapy.endsOn?.text, date?.text)
        }
        return try c.change(of: try therapy.key(c.keys), from: before, to: after)
    }

    static func apply(_ change: PatientChange, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let therapist = c.proof.therapist.id
        let note = try change.note.map { note in
            try note.map { try therapy.key(c.keys).seal($0, for: TherapyPlace.note(therapy.id)) }
        }
        try c.write(.patientChanged, about: therapy.id, change: try values(change, c)) {
            [now = c.now, services = c.services] connection in
            if let note { try TherapyStore.setNote(note, of: therapy.id, therapist: therapist, connection) }
            if let date = change.startedOn {
                try TherapyStore.setStart(date, of: therapy.id, therapist: therapist, connection)
            }
            if let date = change.endsOn {
                try TherapyStore.setPlannedEnd(date, of: therapy.id, therapist: therapist, connection)
            }
            guard change.startedOn != nil || change.endsOn != nil else { return }
            // The other of the two may have been changed meanwhile.
            let stored = try TherapyStore.find(therapy.id, of: therapist, connection)
            if let start = stored?.startedOn, let end = stored?.endsOn, end < start {
                throw Problem.invalid("therapy_ends_on", "errors.ends_before_start")
            }
            try DeliveryPlanner.reconcile(therapy.id, services, now: now, connection)
        }
    }
}
