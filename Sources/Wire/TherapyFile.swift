/// A whole therapy for the clinic's own record (PR-26), in words that need no other document to be read. It names the
/// patient by the codename alone.
public struct TherapyFile: Documented, Decodable {
    public static let type = "therapy_file"
    public var codename: String
    /// Of the words in it.
    public var language: String
    public var madeAt: Instant
    public var takenInAt: Instant
    public var pairedAt: Instant?
    public var startedOn: LocalDate?
    public var endsOn: LocalDate?
    public var endedOn: LocalDate?
    /// Whether the therapist's notes and agendas are in it.
    public var withNotes: Bool
    public var sessions: [Session] = []
    public var questionnaires: [Sheet] = []
    public var dailies: [Sheet] = []
    public var interventions: [Intervention] = []
    public var alerts: [Alert] = []
    public var pauses: [Pause] = []
    public var plan: [Plan] = []
    public var calls: [Call] = []

    public init(
        codename: String, language: String, madeAt: Instant, takenInAt: Instant, pairedAt: Instant?,
        startedOn: LocalDate?, endsOn: LocalDate?, endedOn: LocalDate?, withNotes: Bool
    ) {
        self.codename = codename
        self.language = language
        self.madeAt = madeAt
        self.takenInAt = takenInAt
        self.pairedAt = pairedAt
        self.startedOn = startedOn
        self.endsOn = endsOn
        self.endedOn = endedOn
        self.withNotes = withNotes
    }

    enum CodingKeys: String, CodingKey {
        case codename, language, sessions, questionnaires, dailies, interventions, alerts, pauses, plan
        case madeAt = "made_at"
        case takenInAt = "taken_in_at"
        case pairedAt = "paired_at"
        case startedOn = "therapy_started_on"
        case endsOn = "therapy_ends_on"
        case endedOn = "therapy_ended_on"
        case withNotes = "with_notes"
        case calls = "phone_contacts"
    }

    public static let schema = Schema.object([
        Schema.property("codename", .string), Schema.property("language", .string),
        Schema.property("made_at", .time), Schema.property("taken_in_at", .time),
        Schema.property("paired_at", .time.orNull), Schema.property("therapy_started_on", .date.orNull),
        Schema.property("therapy_ends_on", .date.orNull), Schema.property("therapy_ended_on", .date.orNull),
        Schema.property("with_notes", .boolean),
        Schema.property("sessions", .list(Session.schema)),
        Schema.property("questionnaires", .list(Sheet.schema)),
        Schema.property("dailies", .list(Sheet.schema)),
        Schema.property("interventions", .list(Intervention.schema)),
        Schema.property("alerts", .list(Alert.schema)), Schema.property("pauses", .list(Pause.schema)),
        Schema.property("plan", .list(Plan.schema)), Schema.property("phone_contacts", .list(Call.schema)),
    ])

    public static let example: TherapyFile = {
        let at = Instant(milliseconds: 1_795_000_000_000)
        var file = TherapyFile(
            codename: "C020480", language: "de", madeAt: at, takenInAt: at, pairedAt: at, startedOn: nil,
            endsOn: nil, endedOn: nil, withNotes: false)
        file.sessions = [
            Session(number: 1, startsAt: at, endsAt: at, state: "held", note: nil, agenda: nil)
        ]
        file.questionnaires = [
            Sheet(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", key: "isf-k", version: 1, title: "ISF-K",
                completedAt: at, answered: 6, asked: 6,
                scores: [.init(scale: "intensity", title: "Intensität", value: 2.5, answered: 6, items: 6)],
                answers: [.init(question: "Wie oft?", answer: "oft (3)")])
        ]
        file.interventions = [
            Intervention(
                kind: "task", text: "Achten Sie auf den Weg.", state: "opened", assignedAt: at, openedAt: at,
                completedAt: nil, withdrawnAt: nil, reason: nil)
        ]
        file.alerts = [Alert(raisedAt: at, title: "Lange still", reason: "", seenAt: nil, remark: nil)]
        file.plan = [Plan(title: "ISF-K", occasion: "before_session", madeAt: at, stoppedAt: nil)]
        file.calls = [Call(at: at, note: nil)]
        return file
    }()
}
