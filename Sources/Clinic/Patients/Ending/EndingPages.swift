import Delivery
import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Two irreversible steps, each with a page that names the consequences and asks for the codename.
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
        /// What stays and what ends.
        package let lines: [String]
        package let assign: String?
        package let fields: [FieldView]
        package let submit: String
        package let errors: ErrorSummary?
    }

    // MARK: End

    @Sendable static func showEnd(_ c: Context<Caseload>) throws -> Reply {
        .page(try endPage(FormState(c.texts), c))
    }

    @Sendable package static func end(_ c: Context<Caseload>) throws -> Reply {
        try c.submit(orShow: { try endPage($0, c) }) { fields in
            let day = fields.date("ended_on")
            let reason = fields.text("reason", limit: 300)
            requireCodename(fields, c)
            try fields.finish()
            try TherapyActions.end(on: day, because: reason, c)
            return .seeOther(c.proof.patient.path, flash: Message("ending.ended"))
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
        let day = filled.field("ended_on", .date, label: "ending.day", first: today.text)
        let base = therapy.path
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
        try c.submit(orShow: { try undoPage($0, c) }) { fields in
            let reason = fields.text("reason", limit: 300)
            requireCodename(fields, c)
            try fields.finish()
            try TherapyActions.undoPairing(because: reason, c)
            return .seeOther("\(c.proof.patient.path)/pairing-sheet", flash: Message("ending.undone"))
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
            lead: texts["ending.undo_lead"], action: "\(therapy.path)/pairing-undo",
            lines: [texts["ending.undo_erased"], texts["ending.undo_stays"], texts["ending.undo_code"]],
            assign: nil, fields: [reason(filled), codename(filled, c)], submit: texts["ending.undo_submit"],
            errors: filled.summary)
    }

    // MARK: Both

    private static func reason(_ filled: FormState) -> FieldView {
        filled.field("reason", label: "ending.reason", hint: "ending.reason_hint")
    }

    static func codename(_ filled: FormState, _ c: Context<Caseload>) -> FieldView {
        filled.field(
            "codename", label: "ending.codename",
            hint: Message("ending.codename_hint", ["codename": c.proof.patient.codename]), required: true,
            autocomplete: "off")
    }

    static func requireCodename(_ fields: InputReader, _ c: Context<Caseload>) {
        let typed = fields.text("codename", required: true, limit: 20)
        if let typed, typed.uppercased() != c.proof.patient.codename {
            fields.refuse("codename", "ending.codename_wrong")
        }
    }
}
