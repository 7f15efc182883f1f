import Database
import Delivery
import HTTP
import Instruments
import Protocols
import Records
import Rules
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// A patient's deliveries: rules, the daily questionnaire, and the ledger.
package enum DeliveryPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/deliveries", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "deliveries/show"
        package static let section: NavigationItem? = .patients
        package struct Rule: Encodable, Sendable {
            package let id: ID<DeliveryRule>
            package let what: String
            package let when: String
        }
        /// One protocol's assignments.
        package struct Source: Encodable, Sendable {
            package let source: PatientPlan.Source
            package let rules: [Rule]
        }
        package struct Row: Encodable, Sendable {
            package let title: WrittenText
            package let source: String
            package let window: String
            package let state: String
            package let tone: String
            package let steps: String
            /// The address that makes a link to it; nil where nothing is left to fill in.
            var link: String?
        }
        package let head: PatientHead
        /// The protocols' part of the plan.
        package let plan: PatientPlan
        package let sources: [Source]
        /// The patient's own.
        package let rules: [Rule]
        /// Stopped ones that can be resumed; empty for an ended therapy.
        package let stopped: [Rule]
        let hasStopped: Bool
        package let isDailyOn: Bool
        package let hasDaily: Bool
        /// Whether the questionnaire of dailies is missing.
        package let isDailyMissing: Bool
        package let daily: String
        package let summary: String
        package let filters: [PageLink]
        package let rows: [Row]
        package let next: String?
        package let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(c, FormState(c.texts)))
    }

    /// - Parameter filled: the form in which another protocol is chosen.
    static func page(_ c: Context<Caseload>, _ filled: FormState) throws -> Show {
        let paging = try Paging(c.request)
        let withDailies = c.request.query["dailies"] == "true"
        return try c.read { connection in try make(c, filled, paging, withDailies, connection) }
    }

    private static func make(
        _ c: Context<Caseload>, _ filled: FormState, _ paging: Paging, _ withDailies: Bool,
        _ connection: borrowing Connection
    ) throws -> Show {
        let therapy = c.proof.patient
        let texts = c.texts
        let cache = c.services.questionnaires
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        let words = DeliveryRuleFormatter(c)
        let active = try DeliveryRuleStore.active(in: therapy.id, connection)
        let of = { (origin: ID<TreatmentProtocol>?, connection: borrowing Connection) in
            try active.filter { $0.protocolID == origin }.map { rule in
                Show.Rule(
                    id: rule.id, what: try words.what(rule, connection),
                    when: try words.when(rule, connection))
            }
        }
        let plan = try PatientPlan.read(c, filled, connection)
        let sources = try plan.sources.map { Show.Source(source: $0, rules: try of($0.id, connection)) }
        let stopped = try stopped(words, c, connection)
        let found = try LedgerStore.page(
            in: therapy.id, withDailies: withDailies, at: c.now, paging, connection)
        let rows = try found.part.compactMap { record -> Show.Row? in
            try QuestionnaireStore.find(record.questionnaireID, cache, connection).map { row(record, $0, c) }
        }
        let counts = try LedgerStore.counts(
            in: therapy.id, withDailies: withDailies, at: c.now, connection)
        let values = [
            "planned": String(counts.planned), "delivered": String(counts.delivered),
            "answered": String(counts.answered),
        ]
        let course = try DailyStore.course(therapy.id, connection)
        let daily = try QuestionnaireStore.newest(DailyPlan.questionnaireKey, cache, connection)
        let path = "\(therapy.path)/deliveries"
        return Show(
            head: try PatientHead.make(c, tab: .deliveries, sessions, connection), plan: plan,
            sources: sources,
            rules: try of(nil, connection), stopped: stopped,
            hasStopped: !stopped.isEmpty,
            isDailyOn: course?.isOn ?? false, hasDaily: course != nil && daily != nil,
            isDailyMissing: daily == nil,
            daily: try dailyWords(course, c, connection), summary: texts["delivery.counts", values],
            filters: [
                PageLink(label: texts["delivery.without_dailies"], path: path, isCurrent: !withDailies),
                PageLink(
                    label: texts["delivery.with_dailies"], path: path + "?dailies=true",
                    isCurrent: withDailies),
            ], rows: rows, next: found.next, errors: filled.summary)
    }

    /// Recently stopped ones that can be resumed; none for an ended therapy.
    private static func stopped(
        _ words: DeliveryRuleFormatter, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [Show.Rule] {
        guard c.proof.patient.endedAt == nil else { return [] }
        let rules = try DeliveryRuleStore.stopped(in: c.proof.patient.id, at: c.now, connection)
        return try rules.map { rule in
            let day = c.texts["delivery.stopped_on", ["day": c.dates.day(rule.stoppedAt ?? c.now)]]
            return Show.Rule(
                id: rule.id, what: try words.what(rule, connection),
                when: "\(try words.when(rule, connection)) · \(day)")
        }
    }

    private static func dailyWords(
        _ course: DailyStore.Course?, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> String {
        guard let course else {
            return c.texts[c.proof.patient.asksByApp ? "delivery.daily_unpaired" : "delivery.daily_no_app"]
        }
        guard course.isOn else { return c.texts["delivery.daily_off"] }
        let last = LocalTime(c.now, Zone(course.zone)).date.adding(days: DailyPlan.daysAhead)
        let plan = try DailyStore.plan(in: course.therapy, from: c.now, through: last, connection)
        guard let next = plan.first else { return c.texts["delivery.daily_none"] }
        // The plan refers to the patient's own time of day.
        let dates = c.dates(in: Zone(course.zone))
        let values = ["when": c.texts.when(.random(next.opens), dates), "zone": course.zone]
        return c.texts["delivery.daily_next", values]
    }

    private static func row(
        _ record: AssignmentRecord, _ questionnaire: QuestionnaireRecord, _ c: Context<Caseload>
    ) -> Show.Row {
        let texts = c.texts
        let dates = c.dates
        let state = record.state(at: c.now)
        let window = [
            "from": texts.when(record.opens, dates), "until": texts.when(record.closes, dates),
        ]
        let steps: [(String, Instant?)] = [
            ("planned", record.assignedAt), ("fetched", record.ledger.fetchedAt),
            ("pushed", record.ledger.pushedAt), ("shown", record.ledger.shownAt),
            ("notified", record.ledger.notifiedAt), ("opened", record.ledger.openedAt),
            ("answered", record.answeredAt),
            ("withdrawn", record.contributionID == nil ? record.withdrawnAt : nil),
            ("expired", state == .missed ? record.dueAt : nil),
        ]
        var words = steps.compactMap { name, at in
            at.map { texts["delivery.step_\(name)", ["when": dates.short($0)]] }
        }
        if record.isUnreached(at: c.now) { words.append(texts["delivery.unreached"]) }
        let tones: [AssignmentRecord.State: String] = [.answered: "good", .missed: "warn", .open: "accent"]
        return Show.Row(
            title: questionnaire.written(on: c.language),
            source: texts["delivery.source_\(record.source.rawValue)"],
            window: texts["timeline.window", window], state: texts["assignments.state_\(state.rawValue)"],
            tone: tones[state] ?? "plain", steps: words.joined(separator: " · "),
            link: [.open, .coming].contains(state) && record.period == nil
                ? "\(c.proof.patient.path)/assignments/\(record.id)/link" : nil)
    }
}
