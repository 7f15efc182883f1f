import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Handing a therapy over in the portal, and what its therapist lets go along.
enum HandOverPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/hand-over", .admin, show)
        routes.page(.post, "/admin/hand-over", .admin, create)
        routes.page(.get, "/patients/:patient/hand-over", .caseloadOwner, prepare)
        routes.page(.post, "/patients/:patient/hand-over", .caseloadOwner, save)
    }

    struct Show: Page {
        static let template = "admin/hand-over"
        static let section: NavigationItem? = .admin
        /// Asked for while no therapy was named.
        let search: FieldView
        /// Nil while no therapy was named.
        let step: Step?
        let errors: ErrorSummary?

        struct Step: Encodable, Sendable {
            let codename: String
            let facts: String
            /// Whose it is, as the page was drawn.
            let from: ID<Account>
            let goes: [String]
            let stays: [String]
            let hasCandidates: Bool
            let fields: [FieldView]
        }
        static let example = Show(
            search: FieldView(name: "codename", label: "Codename"),
            step: Step(
                codename: "C020480", facts: "bei Dr. Ada Lindner", from: "x", goes: ["der Verlauf"],
                stays: ["die private Notiz"], hasCandidates: true,
                fields: [FieldView(name: "confirmation", label: "Codename zur Bestätigung")]), errors: nil)
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
        do {
            let fields = InputReader(form: form)
            let email = fields.email("email")
            let reason = fields.text("reason", limit: 300)
            let typed = fields.text("confirmation", required: true, limit: 20)
            if let typed, typed.uppercased() != therapy.codename {
                fields.refuse("confirmation", "ending.codename_wrong")
            }
            // Somebody else was faster: what was read on the page is not what would happen.
            if form["from"] != therapy.therapistID.text {
                fields.refuse("email", "handover.changed_meanwhile")
            }
            try fields.finish()
            try HandOver.hand(therapy, to: email ?? "", because: reason, c)
            return .seeOther(
                "/admin/accounts/\(therapy.therapistID)",
                flash: Message("handover.done", ["codename": therapy.codename]))
        } catch Problem.invalid(let errors) {
            return .page(try page(therapy, FormState(form, errors, c.texts), c), status: 422)
        }
    }

    private static func search(_ filled: FormState) -> Show {
        var field = filled.field("codename", label: "handover.codename")
        field.isRequired = true
        field.autocomplete = "off"
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
        var email = filled.field("email", label: "handover.to")
        email.isSelect = true
        email.isRequired = true
        email.choices = [FieldView.Choice(value: "", label: "–", isChosen: email.value.isEmpty)]
        email.choices += try candidates.map { account in
            let address = try account.email(keys)
            return FieldView.Choice(
                value: address, label: "\(try account.name(keys) ?? "") (\(address))",
                isChosen: address == email.value)
        }
        var reason = filled.field("reason", label: "ending.reason")
        reason.hint = texts["handover.reason_hint"]
        var confirmation = filled.field("confirmation", label: "ending.codename")
        confirmation.isRequired = true
        confirmation.autocomplete = "off"
        confirmation.hint = texts["ending.codename_hint", ["codename": therapy.codename]]
        let state = therapy.accountID == nil ? "handover.facts_unpaired" : "handover.facts_paired"
        return Show(
            search: FieldView(name: "other", label: texts["handover.codename"]),
            step: Show.Step(
                codename: therapy.codename, facts: texts[state, ["name": from]], from: therapy.therapistID,
                goes: goes(therapy, wish, texts), stays: stays(wish, from, texts),
                hasCandidates: !candidates.isEmpty, fields: [email, reason, confirmation]),
            errors: filled.summary)
    }

    /// What goes along; nothing of it is shown here.
    private static func goes(_ therapy: Therapy, _ wish: HandOverWish, _ texts: Texts) -> [String] {
        var lines = [
            texts["handover.goes_course"], texts["handover.goes_plan"], texts["handover.goes_alerts"],
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

    struct Prepare: Page {
        static let template = "patients/hand-over"
        static let section: NavigationItem? = .patients
        let id: ID<Therapy>
        let codename: String
        let fields: [FieldView]
        static let example = Prepare(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [FieldView(name: "note", label: "Die private Notiz", isCheck: true)])
    }

    @Sendable static func prepare(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let texts = c.texts
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        let wish = try c.read { try HandOverStore.wish(for: therapy, $0) }
        let words = [
            ("alias", wish.alias), ("note", wish.note), ("questions", wish.questions),
            ("session_notes", wish.sessionNotes),
        ]
        let boxes = words.map { name, isOn in
            var box = FieldView(name: name, label: texts["handover.take_\(name)"])
            box.isCheck = true
            box.value = isOn ? "true" : ""
            return box
        }
        return .page(Prepare(id: therapy.id, codename: therapy.codename, fields: boxes))
    }

    @Sendable static func save(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let therapist = c.proof.therapist.id
        let form = try c.form()
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        let fields = InputReader(form: form)
        let wish = HandOverWish(
            alias: fields.bool("alias") ?? false, note: fields.bool("note") ?? false,
            questions: fields.bool("questions") ?? false,
            sessionNotes: fields.bool("session_notes") ?? false)
        try fields.finish()
        try c.write(.handOverPrepared, about: therapy.id) { [now = c.now] connection in
            try HandOverStore.save(wish, for: therapy.id, of: therapist, at: now, connection)
        }
        return .seeOther("/patients/\(therapy.id)", flash: Message("handover.prepared"))
    }
}
