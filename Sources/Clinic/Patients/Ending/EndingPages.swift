import HTTP
import Records
import Responses
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Two steps that cannot be taken back, each with a page that says what goes and asks for the codename.
package enum EndingPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/end-therapy", .caseloadOwner, showEnd)
        routes.page(.post, "/patients/:patient/end-therapy", .caseloadOwner, end)
        routes.page(.get, "/patients/:patient/pairing-undo", .caseloadOwner, showUndo)
        routes.page(.post, "/patients/:patient/pairing-undo", .caseloadOwner, undo)
        ErasurePages.routes(&routes)
    }

    package struct Confirm: Page {
        package static let template = "patients/ending"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        package let title: String
        package let lead: String
        package let action: String
        /// What stays and what stops.
        package let lines: [String]
        package let assign: String?
        package let fields: [FieldView]
        package let submit: String
        package let errors: ErrorSummary?

        package static let example = Confirm(
            id: "x", codename: "C020480", title: "Therapie beenden", lead: "Das Konto bleibt.",
            action: "/patients/x/end-therapy", lines: ["3 Fragebögen werden zurückgezogen."],
            assign: "/patients/x/assignments/new", fields: [FieldView(name: "codename", label: "Codename")],
            submit: "Beenden", errors: nil)
    }

    // MARK: End

    @Sendable static func showEnd(_ c: Context<Caseload>) throws -> Reply {
        .page(try endPage(FormState(c.texts), c))
    }

    @Sendable package static func end(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let day = fields.date("ended_on")
            let reason = fields.text("reason", limit: 300)
            requireCodename(fields, c)
            try fields.finish()
            try TherapyActions.end(on: day, because: reason, c)
            return .seeOther("/patients/\(c.proof.patient.id)", flash: Message("ending.ended"))
        } catch Problem.invalid(let errors) {
            return .page(try endPage(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func endPage(_ filled: FormState, _ c: Context<Caseload>) throws -> Confirm {
        let therapy = c.proof.patient
        let texts = c.texts
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        let open = try c.read { try EndingStore.open(in: therapy.id, at: c.now, $0) }
        let final = try c.read { try AssignmentStore.all(in: therapy.id, $0) }.filter {
            $0.source == .therapyEnd
        }
        var lines: [String] = []
        let sheets = open.assignments.count
        let tasks = open.interventions.count
        let sessions = open.sessions.count
        if sheets > 0 { lines.append(texts.count("ending.assignments", sheets)) }
        if tasks > 0 { lines.append(texts.count("ending.interventions", tasks)) }
        if sessions > 0 { lines.append(texts.count("ending.sessions", sessions)) }
        lines += [texts["ending.late"], texts["ending.stays"]]
        if final.isEmpty {
            lines.append(texts["ending.no_battery"])
        } else {
            let answered = final.count { $0.contributionID != nil }
            lines.append(texts.count("ending.battery", answered, of: final.count))
        }
        let today = LocalTime(c.now, Zone(c.services.timezone)).date
        var day = filled.field("ended_on", label: "ending.day", first: today.text)
        day.type = "date"
        let base = "/patients/\(therapy.id)"
        return Confirm(
            id: therapy.id, codename: therapy.codename, title: texts["ending.title"],
            lead: texts["ending.lead"], action: base + "/end-therapy", lines: lines,
            assign: base + "/assignments/new", fields: [day, reason(filled), codename(filled, c)],
            submit: texts["ending.submit"], errors: filled.summary)
    }

    // MARK: Undo

    @Sendable static func showUndo(_ c: Context<Caseload>) throws -> Reply {
        .page(try undoPage(FormState(c.texts), c))
    }

    @Sendable static func undo(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let reason = fields.text("reason", limit: 300)
            requireCodename(fields, c)
            try fields.finish()
            try TherapyActions.undoPairing(because: reason, c)
            return .seeOther(
                "/patients/\(c.proof.patient.id)/pairing-sheet", flash: Message("ending.undone"))
        } catch Problem.invalid(let errors) {
            return .page(try undoPage(FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func undoPage(_ filled: FormState, _ c: Context<Caseload>) throws -> Confirm {
        let therapy = c.proof.patient
        let texts = c.texts
        guard therapy.accountID != nil, therapy.endedAt == nil else {
            throw Problem.conflict(Message("ending.not_paired"))
        }
        return Confirm(
            id: therapy.id, codename: therapy.codename, title: texts["ending.undo_title"],
            lead: texts["ending.undo_lead"], action: "/patients/\(therapy.id)/pairing-undo",
            lines: [texts["ending.undo_erased"], texts["ending.undo_stays"], texts["ending.undo_code"]],
            assign: nil, fields: [reason(filled), codename(filled, c)], submit: texts["ending.undo_submit"],
            errors: filled.summary)
    }

    // MARK: Both

    private static func reason(_ filled: FormState) -> FieldView {
        var view = filled.field("reason", label: "ending.reason")
        view.hint = filled.texts["ending.reason_hint"]
        return view
    }

    static func codename(_ filled: FormState, _ c: Context<Caseload>) -> FieldView {
        var view = filled.field("codename", label: "ending.codename")
        view.isRequired = true
        view.autocomplete = "off"
        view.hint = filled.texts["ending.codename_hint", ["codename": c.proof.patient.codename]]
        return view
    }

    static func requireCodename(_ fields: InputReader, _ c: Context<Caseload>) {
        let typed = fields.text("codename", required: true, limit: 20)
        if let typed, typed.uppercased() != c.proof.patient.codename {
            fields.refuse("codename", "ending.codename_wrong")
        }
    }
}
