import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// Interventions: the patient's own list, and the therapist's calls.
enum InterventionAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/interventions", .paired, .many("The own interventions", Intervention.self), mine)
        routes.call(
            .patch, "/my/interventions/:intervention", .paired,
            .one(
                "Say when an intervention was opened and completed; anything else stays on the phone",
                Intervention.self, takes: Intervention.sent), report)
        routes.call(
            .get, "/patients/:patient/interventions", .caseloadReader,
            .many("What a patient was given", GivenIntervention.self), index)
        routes.call(
            .post, "/patients/:patient/interventions", .caseload,
            .one("Give an intervention", GivenIntervention.self, status: 201, takes: draft), create)
        routes.call(
            .patch, "/patients/:patient/interventions/:intervention", .caseload,
            .one("Change the text while it is unopened", GivenIntervention.self, takes: change), update)
        routes.call(
            .delete, "/patients/:patient/interventions/:intervention", .caseload,
            .nothing("Take an unopened intervention back").undone(.intervention), destroy)
        routes.call(
            .post, "/patients/:patient/interventions/:intervention/return", .caseload,
            .nothing("Give an intervention again that was taken back").revised(Undo.intervention.revision),
            bringBack)
    }

    private static let draft = Schema.object([
        Schema.optional("intervention_id", .id.orNull),
        Schema.optional("kind", Schema.choice(Intervention.kinds).orNull),
        Schema.optional("text", .string.orNull),
    ])
    private static let change = Schema.object([Schema.property("text", .string)])

    // MARK: The patient

    @Sendable static func mine(_ c: Context<PairedPatient>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.therapy
        let all = try c.read { try InterventionStore.all(in: therapy.id, withWithdrawn: false, $0) }
        let key = try therapy.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.assignedAt, $0.id) }
        let items = try part.map { Item(id: $0.id, try wire($0, key, c.languages)) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func report(_ c: Context<PairedPatient>) throws -> Reply {
        let id: ID<Intervention> = try c.id("intervention")
        let therapy = c.proof.therapy
        let report = try InterventionReport.read(try c.json(), now: c.now)
        let kept = try InterventionReporting.take(report, of: id, c)
        return try .data(One(id: id, try wire(kept, try therapy.key(c.keys), c.languages)))
    }

    private static func wire(
        _ record: InterventionRecord, _ key: PersonKey, _ readers: [Language]
    ) throws -> Intervention {
        Intervention(
            kind: record.kind.rawValue, text: try record.words(key, readers),
            assignedAt: record.assignedAt, openedAt: record.openedAt, completedAt: record.completedAt)
    }

    // MARK: Staff

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let all = try c.read { try InterventionStore.all(in: therapy.id, withWithdrawn: true, $0) }
        let key = try therapy.key(c.keys)
        let (part, next) = paging.part(of: all) { Position($0.assignedAt, $0.id) }
        let items = try part.map { Item(id: $0.id, try $0.wire(key, c.languages)) }
        return try .data(Many(items, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try answer(
            try InterventionActions.give(try InterventionDraft.read(try c.body(), c.language), c), c,
            status: 201)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try InterventionActions.bringBack(try c.id("intervention"), c)
        return .response(.noContent)
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Intervention> = try c.id("intervention")
        let fields = try c.body()
        let text = fields.text("text", required: true, limit: LibraryDraft.textLimit, lines: true)
        try fields.finish()
        try InterventionActions.change(id, to: text ?? "", c)
        return try answer(id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try InterventionActions.withdraw(try c.id("intervention"), c)
        return .response(.noContent)
    }

    private static func answer(_ id: ID<Intervention>, _ c: Context<Caseload>, status: Int) throws -> Reply {
        let therapy = c.proof.patient
        guard let record = try c.read({ try InterventionStore.find(id, in: therapy.id, $0) }) else {
            throw Problem.notFound
        }
        return try .data(
            One(id: id, try record.wire(try therapy.key(c.keys), c.languages)), status: status)
    }
}
