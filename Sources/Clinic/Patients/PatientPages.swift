import Contributions
import Database
import HTTP
import Identity
import Instruments
import Pairing
import Protocols
import Questionnaires
import Records
import Rules
import Studies
import Therapies
import Web
import Wire
import Wording

/// A therapist's patients: the list, a new one, and one at a glance.
package enum PatientPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/new", .therapist, new)
        routes.page(.post, "/patients/new", .therapist, create)
        routes.page(.get, "/patients/:patient", .caseloadReader, show)
        routes.page(.post, "/patients/:patient/note", .caseloadOwner, change)
        routes.page(.post, "/patients/:patient/therapy-dates", .caseloadOwner, change)
    }

    package struct New: Page {
        package static let template = "patients/new"
        package static let section: NavigationItem? = .patients
        package let fields: [FieldView]
        package let errors: ErrorSummary?
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(try form(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            return try c.submit(form, orShow: { try self.form($0, c) }) { fields in
                let plan = PatientProtocolActions.Choice.read(fields)
                let id = try NewPatient.make(try PatientDraft.read(fields), with: plan, c)
                let isMuch = form["alias"].map(Alias.isMore) ?? false
                return .seeOther(
                    "/patients/\(id)/pairing-sheet",
                    flash: Message(isMuch ? "patients.created_alias_long" : "patients.created"))
            }
        } catch let problem as Problem where !problem.errors.isEmpty {
            return .page(try self.form(FormState(form, problem.errors, c.texts), c), status: problem.status)
        }
    }

    private static func form(_ filled: FormState, _ c: Context<Member>) throws -> New {
        let codename = filled.field(
            "codename", label: "patients.codename", first: Codename.random(c.services.chance),
            hint: "patients.codename_hint", autocomplete: "off")
        let note = filled.field("note", .area, label: "patients.note", hint: "patients.note_hint")
        let plan = try c.read { try PatientPlan.field(forNew: filled, c, $0) }
        let fields = [codename, alias(filled), note] + therapyDates(filled) + [plan].compactMap(\.self)
        let studies = try c.read { try OfferStore.offerable(to: c.proof.account.id, at: c.now, $0) }
        if studies.isEmpty { return New(fields: fields, errors: filled.summary) }
        var study = filled.field("study_id", label: "patients.study")
        study.isSelect = true
        study.hint = filled.texts["patients.study_hint"]
        let none = FieldView.Choice(value: "", label: filled.texts["patients.no_study"], isChosen: false)
        study.choices =
            [none]
            + studies.map {
                .init(
                    value: $0.id.text, label: $0.title.text(in: c.languages) ?? $0.name,
                    isChosen: $0.id.text == study.value)
            }
        return New(fields: fields + [study], errors: filled.summary)
    }

    /// A name for the therapist's eyes (PR-6).
    static func alias(_ filled: FormState, first: String = "") -> FieldView {
        filled.field(
            "alias", label: "patients.alias", first: first, hint: "patients.alias_hint", autocomplete: "off")
    }

    /// Begin and planned end of a therapy (PR-3).
    static func therapyDates(_ filled: FormState, of therapy: Therapy? = nil) -> [FieldView] {
        [
            filled.field(
                "therapy_started_on", .date, label: "patients.starts_on",
                first: therapy?.startedOn?.text ?? "", hint: "patients.starts_on_hint"),
            filled.field(
                "therapy_ends_on", .date, label: "patients.ends_on", first: therapy?.endsOn?.text ?? "",
                hint: "patients.ends_on_hint"),
        ]
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { connection in try PatientShow.make(c, FormState(c.texts), connection) }
        try FileLook.note(c)
        return .page(page)
    }

    /// The note, or the dates of the therapy: each has a form of its own.
    @Sendable package static func change(_ c: Context<Caseload>) throws -> Reply {
        try c.revise(orShow: { filled in try c.read { try PatientShow.make(c, filled, $0) } }) { fields in
            // An emptied field is sent as an empty text: what was there goes.
            let change = try PatientChange.read(fields, of: c.proof.patient)
            try NewPatient.apply(change, c)
            let isMuch = fields.form["alias"].map(Alias.isMore) ?? false
            return .seeOther(
                c.proof.patient.path,
                flash: Message(isMuch ? "patients.alias_long" : "patients.saved"))
        }
    }
}
