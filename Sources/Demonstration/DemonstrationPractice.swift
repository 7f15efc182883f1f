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

/// The clinic's work between the sessions: a library of interventions, rules, a coming holiday.
struct DemonstrationPractice {
    /// A text of the library with its id.
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

    /// All of the first therapist; shared, except one.
    func addLibrary(
        _ staff: [ID<Account>], at start: Instant, _ connection: borrowing Connection
    ) throws -> [Text] {
        try Self.library.map { entry in
            let fields = InputReader(form: [
                "kind": entry.kind.rawValue, "text_de": entry.german, "text_en": entry.english,
                "shared": entry.isOwn ? "" : "true",
            ])
            let id: ID<LibraryIntervention> = id()
            let draft = try LibraryDraft.read(fields)
            try LibraryStore.insert(draft, id: id, owner: staff[0], at: start, connection)
            return Text(id: id, kind: draft.kind, text: draft.text)
        }
    }

    /// Gives a text in the past, with its result.
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

    /// Enabled rules with their firings; one that waits for a dry run. A past holiday, and a coming one.
    func addRules(
        of therapist: DemonstrationClinic.Person, standIn: DemonstrationClinic.Person, texts: [Text],
        _ connection: borrowing Connection
    ) throws {
        let owner = therapist.record.id
        let start = now.adding(days: -42)
        for rule in DemonstrationRule.all(praise: texts[0].id, walk: texts[3].id) {
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
        let past = Self.pastHoliday
        try holiday(of: therapist, -past.upperBound, -past.lowerBound, connection)
        try holiday(of: therapist, 35, 48, connection)
    }

    /// Old alerts are acknowledged.
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

    /// The first therapist's holiday, in days before today.
    static let pastHoliday = 29...39

    private func holiday(
        of therapist: DemonstrationClinic.Person, _ from: Int, _ until: Int,
        _ connection: borrowing Connection
    ) throws {
        let zone = Zone(services.timezone)
        let today = LocalTime(now, zone).date
        let first = today.adding(days: from)
        let entered = min(today, first.adding(days: -21))
        let draft = try PauseDraft.read(
            InputReader(form: [
                "starts_on": first.text, "ends_on": today.adding(days: until).text,
                "cover": "Mag. Ben Steiner, +43 1 5550 200",
            ]), today: entered)
        let id: ID<PauseRecord> = id()
        let cover = draft.cover.map { therapist.key.seal($0, for: PausePlace.cover(id)) }
        try PauseStore.insert(
            draft, id: id, of: therapist.record.id, therapy: nil, cover: cover,
            at: min(now, zone.instant(entered, hour: 9, minute: 20)), connection)
    }
}
