import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Handing a therapy over in the portal, and what its therapist lets go along.
package enum HandOverPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/hand-over", .admin, show)
        routes.page(.post, "/admin/hand-over", .admin, create)
        routes.page(.get, "/patients/:patient/hand-over", .caseloadOwner, prepare)
        routes.page(.post, "/patients/:patient/hand-over", .caseloadOwner, save)
    }

    package struct Show: Page {
        package static let template = "admin/hand-over"
        package static let section: NavigationItem? = .admin
        /// Asked for while no therapy was named.
        let search: FieldView
        /// Nil until a therapy was named.
        let step: Step?
        let errors: ErrorSummary?

        struct Step: Encodable, Sendable {
            let codename: String
            let facts: String
            /// The therapist when the page was drawn.
            let from: ID<Account>
            let goes: [String]
            let stays: [String]
            let hasCandidates: Bool
            let fields: [FieldView]
        }
    }

    // MARK: Administrators

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let asked = c.request.query["codename"] ?? ""
        if asked.isEmpty { return .page(search(FormState(c.texts))) }
        do {
            return .page(try page(try HandOver.therapy(asked, c), FormState(c.texts), c))
        } catch Problem.notFound {
            let errors = FieldErrors("codename", "handover.no_codename")
            let form = Form([Form.Field("codename", asked)])
            return .page(search(FormState(form, errors, c.texts)), status: 404)
        }
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let therapy = try HandOver.therapy(form["codename"] ?? "", c)
        return try c.submit(form, orShow: { try page(therapy, $0, c) }) { fields in
            let email = fields.email("email")
            let reason = fields.text("reason", limit: 300)
            let typed = fields.text("confirmation", required: true, limit: 20)
            if let typed, typed.uppercased() != therapy.codename {
                fields.refuse("confirmation", "ending.codename_wrong")
            }
            // Another hand-over came first: it would differ from the page.
            if form["from"] != therapy.therapistID.text {
                fields.refuse("email", "handover.changed_meanwhile")
            }
            try fields.finish()
            try HandOver.hand(therapy, to: email ?? "", because: reason, c)
            return .seeOther(
                "/admin/accounts/\(therapy.therapistID)",
                flash: Message("handover.done", ["codename": therapy.codename]))
        }
    }

    private static func search(_ filled: FormState) -> Show {
        let field = filled.field("codename", label: "handover.codename", required: true, autocomplete: "off")
        return Show(search: field, step: nil, errors: filled.summary)
    }

    private static func page(_ therapy: Therapy, _ filled: FormState, _ c: Context<Member>) throws -> Show {
        let texts = c.texts
        let keys = c.keys
        let (wish, from, candidates) = try c.read { connection in
            (
                try HandOverStore.wish(for: therapy, connection),
                try HandOver.name(therapy.therapistID, c, connection),
                try HandOver.candidates(but: therapy.therapistID, connection)
            )
        }
        let email = filled.list(
            "email", label: "handover.to", required: true, none: "–",
            try candidates.map { account in
                let address = try account.email(keys)
                return (address, "\(try account.name(keys) ?? "") (\(address))")
            })
        let reason = filled.field("reason", label: "ending.reason", hint: "handover.reason_hint")
        let confirmation = filled.field(
            "confirmation", label: "ending.codename",
            hint: Message("ending.codename_hint", ["codename": therapy.codename]), required: true,
            autocomplete: "off")
        let state = therapy.accountID == nil ? "handover.facts_unpaired" : "handover.facts_paired"
        return Show(
            search: FieldView(name: "other", label: texts["handover.codename"]),
            step: Show.Step(
                codename: therapy.codename, facts: texts[state, ["name": from]], from: therapy.therapistID,
                goes: goes(therapy, wish, texts), stays: stays(wish, from, texts),
                hasCandidates: !candidates.isEmpty, fields: [email, reason, confirmation]),
            errors: filled.summary)
    }

    /// The words that go along; their content is not shown here.
    private static func goes(_ therapy: Therapy, _ wish: HandOverWish, _ texts: Texts) -> [String] {
        var lines = [
            texts["handover.goes_course"], texts["handover.goes_plan"], texts["handover.goes_alerts"],
            texts["handover.goes_contact"],
        ]
        if wish.alias { lines.append(texts["handover.goes_alias"]) }
        if wish.note { lines.append(texts["handover.goes_note"]) }
        if wish.questions { lines.append(texts["handover.goes_questions"]) }
        if wish.sessionNotes { lines.append(texts["handover.goes_session_notes"]) }
        lines.append(
            texts[therapy.accountID == nil ? "handover.new_code" : "handover.patient_told"])
        return lines
    }

    private static func stays(_ wish: HandOverWish, _ from: String, _ texts: Texts) -> [String] {
        var lines: [String] = []
        if !wish.alias { lines.append(texts["handover.stays_alias", ["name": from]]) }
        if !wish.note { lines.append(texts["handover.stays_note", ["name": from]]) }
        if !wish.questions { lines.append(texts["handover.stays_questions", ["name": from]]) }
        if !wish.sessionNotes { lines.append(texts["handover.stays_session_notes", ["name": from]]) }
        return lines + [
            texts["handover.stays_rules", ["name": from]], texts["handover.stays_access", ["name": from]],
        ]
    }

    // MARK: The therapist

    package struct Prepare: Page {
        package static let template = "patients/hand-over"
        package static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        let fields: [FieldView]
        let errors: ErrorSummary?
    }

    @Sendable static func prepare(_ c: Context<Caseload>) throws -> Reply {
        guard c.proof.patient.endedAt == nil else {
            throw Problem.conflict(Message("ending.ended_already"))
        }
        return .page(try prepared(FormState(c.texts), c))
    }

    private static func prepared(_ filled: FormState, _ c: Context<Caseload>) throws -> Prepare {
        let therapy = c.proof.patient
        let wish = try c.read { try HandOverStore.wish(for: therapy, $0) }
        let words = [
            ("alias", wish.alias), ("note", wish.note), ("questions", wish.questions),
            ("session_notes", wish.sessionNotes),
        ]
        let boxes = words.map { name, isOn in
            filled.box(name, label: "handover.take_\(name)", isOn: isOn)
        }
        return Prepare(
            id: therapy.id, codename: therapy.codename, fields: boxes, errors: filled.summary)
    }

    @Sendable static func save(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let therapist = c.proof.therapist.id
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        return try c.revise(orShow: { try prepared($0, c) }) { fields in
            let wish = HandOverWish(
                alias: fields.bool("alias") ?? false, note: fields.bool("note") ?? false,
                questions: fields.bool("questions") ?? false,
                sessionNotes: fields.bool("session_notes") ?? false)
            try fields.finish()
            try c.write(.handOverPrepared, about: therapy.id) { [now = c.now] connection in
                try HandOverStore.save(wish, for: therapy.id, of: therapist, at: now, connection)
            }
            return .seeOther(therapy.path, flash: Message("handover.prepared"))
        }
    }
}
