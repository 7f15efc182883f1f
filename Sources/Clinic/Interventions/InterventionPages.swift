import Database
import HTTP
import Records
import Rules
import Therapies
import Web
import Wire
import Wording

/// A patient's interventions, and giving more. Texts of answers and done tasks stay on the phone (IO-13).
package enum InterventionPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/interventions", .caseloadReader, index)
        routes.page(.get, "/patients/:patient/interventions/new", .caseload, new)
        routes.page(.post, "/patients/:patient/interventions/new", .caseload, create)
        routes.page(.get, "/patients/:patient/interventions/:intervention", .caseload, edit)
        routes.page(.post, "/patients/:patient/interventions/:intervention", .caseload, update)
        routes.page(
            .post, "/patients/:patient/interventions/:intervention/withdrawal", .caseload,
            undo: .intervention, withdraw)
    }

    package struct Index: Page {
        package static let template = "interventions/patient"
        package static let section: NavigationItem? = .patients
        package struct Row: Encodable, Sendable {
            package let id: ID<Intervention>
            package let text: String
            package let kind: String
            package let state: String
            package let tone: String
            package let steps: String
            package let reason: String?
            package let isNew: Bool
        }
        package let head: PatientHead
        package let rows: [Row]
        /// The reason why this patient gets no interventions; nil without one.
        package let obstacle: String?
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let key = try therapy.key(c.keys)
        let page = try c.read { connection -> Index in
            let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            let all = try InterventionStore.all(in: therapy.id, withWithdrawn: true, connection)
            let words = try RuleFormatter(c, connection)
            let firings = try FiringStore.all(in: therapy.id, connection)
            let reasons = try firings.reduce(into: [ID<Intervention>: String]()) { reasons, firing in
                guard let id = firing.interventionID else { return }
                reasons[id] = words.reason(try firing.record(key))
            }
            return Index(
                head: try PatientHead.make(c, tab: .interventions, sessions, connection),
                rows: try all.map { try row($0, reasons[$0.id], key, c) },
                obstacle: therapy.mayReceiveInterventions ? nil : c.texts["interventions.control_group"])
        }
        return .page(page)
    }

    private static func row(
        _ record: InterventionRecord, _ reason: String?, _ key: PersonKey, _ c: Context<Caseload>
    ) throws -> Index.Row {
        let words = InterventionFormatter(texts: c.texts, dates: c.dates)
        return Index.Row(
            id: record.id, text: try record.words(key, c.languages), kind: words.kind(record),
            state: words.state(record), tone: InterventionFormatter.tone(record), steps: words.steps(record),
            reason: reason, isNew: record.state == .new && c.proof.patient.endedAt == nil)
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        try InterventionActions.mayReceive(c.proof.patient)
        return .page(try InterventionEdit.make(nil, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try InterventionEdit.make(nil, $0, c) }) { fields in
            _ = try InterventionActions.give(try InterventionDraft.read(fields, c.language), c)
            return .seeOther("\(c.proof.patient.path)/interventions", flash: Message("interventions.given"))
        }
    }

    @Sendable static func edit(_ c: Context<Caseload>) throws -> Reply {
        .page(try InterventionEdit.make(try unopened(c), FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let record = try unopened(c)
        return try c.revise(orShow: { try InterventionEdit.make(record, $0, c) }) { fields in
            let text = fields.text("text", required: true, limit: LibraryDraft.textLimit, lines: true)
            try fields.finish()
            try InterventionActions.change(record.id, to: text ?? "", c)
            return .seeOther("\(c.proof.patient.path)/interventions", flash: Message("interventions.saved"))
        }
    }

    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        try InterventionActions.withdraw(try c.id("intervention"), c)
        return .seeOther("\(c.proof.patient.path)/interventions", flash: Message("interventions.taken_back"))
    }

    /// - Throws: `Problem.conflict` when the patient has opened it already.
    private static func unopened(_ c: Context<Caseload>) throws -> InterventionRecord {
        let id: ID<Intervention> = try c.id("intervention")
        let therapy = c.proof.patient.id
        guard let record = try c.read({ try InterventionStore.find(id, in: therapy, $0) }) else {
            throw Problem.notFound
        }
        guard record.state == .new else { throw Problem.conflict(Message("interventions.opened_already")) }
        return record
    }
}

/// An intervention in words, for its list and the timeline alike.
struct InterventionFormatter: Sendable {
    let texts: Texts
    let dates: DateFormat

    func kind(_ record: InterventionRecord) -> String {
        texts["interventions.kind_\(record.kind.rawValue)"]
    }

    func state(_ record: InterventionRecord) -> String {
        texts["interventions.state_\(record.state.rawValue)"]
    }

    static func tone(_ record: InterventionRecord) -> String {
        switch record.state {
        case .new: "accent"
        case .completed: "good"
        case .opened, .withdrawn: "plain"
        }
    }

    /// When it was given, opened, completed or withdrawn; for an answered question also where its text is.
    func steps(_ record: InterventionRecord, withGiven: Bool = true) -> String {
        let steps: [(String, Instant?)] = [
            ("given", withGiven ? record.assignedAt : nil), ("opened", record.openedAt),
            ("completed", record.completedAt), ("withdrawn", record.withdrawnAt),
        ]
        var words = steps.compactMap { name, at in
            at.map { texts["interventions.step_\(name)", ["when": dates.short($0)]] }
        }
        if record.kind == .question, record.completedAt != nil {
            words.append(texts["interventions.answered_on_phone"])
        }
        return words.joined(separator: " · ")
    }
}
