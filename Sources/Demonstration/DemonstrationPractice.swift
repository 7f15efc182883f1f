import Clinic
import Database
import HTTP
import Identity
import JSON
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire

/// How the demonstration clinic works between the sessions: a library of interventions, rules, a holiday ahead.
struct DemonstrationPractice {
    /// A text of the library, its id known.
    struct Text: Sendable {
        let id: ID<LibraryIntervention>
        let kind: InterventionKind
        let text: LocalizedText
    }

    let services: Services
    let dice: SeededRandom
    let now: Instant

    func id<Entity>() -> ID<Entity> { dice.chance.id() }

    // MARK: Library

    /// All of the first therapist; shared, but for one.
    func addLibrary(
        _ staff: [ID<Account>], at start: Instant, _ connection: borrowing Connection
    ) throws -> [Text] {
        try Self.library.map { entry in
            let fields = InputReader(form: [
                "kind": entry.kind.rawValue, "text_de": entry.german, "text_en": entry.english,
                "shared": entry.isOwn ? "" : "true",
            ])
            let id: ID<LibraryIntervention> = id()
            let draft = try LibraryDraft.read(form: fields)
            try LibraryStore.insert(draft, id: id, owner: staff[0], at: start, connection)
            return Text(id: id, kind: draft.kind, text: draft.text)
        }
    }

    /// Gives a text in the past, with what came of it.
    static func give(
        _ text: Text, id: ID<Intervention>, to therapy: ID<Therapy>, _ key: PersonKey, at given: Instant,
        opened: Instant?,
        completed: Instant?, _ connection: borrowing Connection
    ) throws {
        try InterventionStore.insert(
            id, text.kind, try text.text.sealed(key, for: id), library: text.id, in: therapy, at: given,
            connection)
        guard let opened else { return }
        var members = [JSON.Member("opened_at", .string(opened.text))]
        if let completed { members.append(.init("completed_at", .string(completed.text))) }
        let report = try InterventionReport.read(
            .object(members), now: max(opened, completed ?? opened))
        try InterventionStore.note(report, id, in: therapy, connection)
    }

    private struct Entry {
        let kind: InterventionKind
        let german: String
        let english: String
        var isOwn = false
    }

    private static let library: [Entry] = [
        Entry(
            kind: .commendation, german: "Sie sind drangeblieben, auch an Tagen, die schwer waren.",
            english: "You kept at it, on hard days too."),
        Entry(
            kind: .commendation,
            german: "In einer vollen Woche haben Sie sich Zeit für sich genommen. Das zählt.",
            english: "In a full week you took time for yourself. That counts."),
        Entry(
            kind: .task,
            german:
                "Achten Sie heute auf einen Moment, in dem es leichter ist, und merken Sie sich, was dazu beitrug.",
            english: "Look out for one moment today that feels lighter, and remember what helped."),
        Entry(
            kind: .task, german: "Gehen Sie heute zehn Minuten hinaus, das Telefon bleibt in der Tasche.",
            english: "Go outside for ten minutes today; the phone stays in your pocket."),
        Entry(
            kind: .question, german: "Woran aus der letzten Sitzung haben Sie heute gedacht?",
            english: "What from our last session crossed your mind today?"),
        Entry(
            kind: .question,
            german: "Was würden Sie heute jemandem raten, dem es so geht wie Ihnen?",
            english: "What would you advise somebody today who feels as you do?", isOwn: true),
    ]

    // MARK: Rules

    /// Two that are on, and what they have set off; one that waits for a dry run. A holiday ahead.
    func addRules(
        of therapist: DemonstrationClinic.Person, standIn: DemonstrationClinic.Person, texts: [Text],
        _ connection: borrowing Connection
    ) throws {
        let owner = therapist.record.id
        let start = now.adding(days: -42)
        for rule in Self.rules(commendation: texts[0].id) {
            let id: ID<Rule> = id()
            let read = try Rule.read(InputReader(json: rule.json))
            let stored = try StoredRule(read, id: id, therapist.key)
            try RuleStore.insert(stored, chosen: nil, id: id, owner: owner, at: start, connection)
            guard rule.isOn else { continue }
            try RuleStore.switchRule(id, owner: owner, on: true, at: start, connection)
            guard let record = try RuleStore.find(id, of: owner, connection) else { continue }
            for therapy in try RuleStore.therapies(of: record, connection) {
                try RuleRun.replay(
                    record, for: therapy, from: start, dice.chance, services, now: now, connection)
            }
        }
        try acknowledgeOld(of: owner, connection)
        try holiday(of: therapist, connection)
    }

    /// What was raised long ago has been looked at.
    private func acknowledgeOld(of owner: ID<Account>, _ connection: borrowing Connection) throws {
        for alert in try AlertStore.all(of: owner, isAcknowledged: false, connection)
        where alert.raisedAt < now.adding(days: -7) {
            guard let therapy = try TherapyStore.find(alert.firing.therapyID, connection) else { continue }
            let comment = try therapy.key(services.keys).seal(
                "In der Sitzung besprochen.", for: FiringPlace.comment(alert.id))
            try AlertStore.acknowledge(
                alert.id, by: owner, comment: comment, at: alert.raisedAt.adding(days: 1), connection)
        }
    }

    private func holiday(
        of therapist: DemonstrationClinic.Person, _ connection: borrowing Connection
    ) throws {
        let today = LocalTime(now, Zone(services.timezone)).date
        let draft = try PauseDraft.read(
            InputReader(form: [
                "starts_on": today.adding(days: 35).text, "ends_on": today.adding(days: 48).text,
                "cover": "Mag. Ben Steiner, +43 1 5550 200",
            ]), today: today)
        let id: ID<Therapies.Pause> = id()
        let cover = draft.cover.map { therapist.key.seal($0, for: PausePlace.cover(id)) }
        try PauseStore.insert(
            draft, id: id, of: therapist.record.id, therapy: nil, cover: cover, at: now, connection)
    }

    private struct Example {
        let json: JSON
        let isOn: Bool
    }

    private static func rules(commendation: ID<LibraryIntervention>) -> [Example] {
        let key: (String, JSON) = ("questionnaire_key", .string("intersession-daily"))
        let object = { (members: [(String, JSON)]) in
            JSON.object(members.map { JSON.Member($0.0, $0.1) })
        }
        let mood = object([
            ("kind", .string("answer")), key, ("item", .string("feeling")),
            ("comparison", .string("at_most")),
            ("value", .number(2)), ("times", .number(2)), ("of", .number(3)),
        ])
        let low = object([
            ("kind", .string("mean")), key, ("item", .string("feeling")), ("comparison", .string("at_most")),
            ("value", .number(2)), ("of", .number(4)),
        ])
        let missed = object([("kind", .string("missed")), key, ("times", .number(6))])
        return [
            Example(
                json: object([
                    ("name", .string("Zweimal gedrückt")), ("conditions", .array([mood])),
                    ("rest_days", .number(7)), ("intervention_id", .string(commendation.text)),
                    ("briefing", .string("Zuletzt zweimal gedrückte Stimmung bei Gedanken an die Therapie.")),
                ]), isOn: false),
            Example(
                json: object([
                    ("name", .string("Anhaltend gedrückt")), ("conditions", .array([low])),
                    ("rest_days", .number(14)),
                    ("briefing", .string("Stimmung über vier Abfragen gedrückt.")),
                ]), isOn: true),
            Example(
                json: object([
                    ("name", .string("Abfragen bleiben liegen")), ("conditions", .array([missed])),
                    ("rest_days", .number(7)), ("alert", .string("Sechs Abfragen hintereinander versäumt")),
                    ("advice", .string("Nachfragen, ob die App noch erinnert und die Zeiten passen.")),
                    ("briefing", .string("Abfragen bleiben liegen: Passen die Zeiten noch?")),
                ]), isOn: true),
        ]
    }
}
