import Database
import HTTP
import Identity
import Instruments
import Protocols
import Questionnaires
import Records
import Responses
import Rules
import Studies
import Therapies
import Web
import Wire
import Wording

/// A therapist's patients: the list, a new one, and one at a glance.
package enum PatientPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients", .therapist, index)
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

        package static let example = New(
            fields: [FieldView(name: "codename", label: "Codename", value: "C020480")], errors: nil)
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        let search = PatientSearch(c.request.query)
        let therapist = c.proof.account.id
        let page = try c.read { connection in
            let therapies = try TherapyStore.caseload(of: therapist, connection)
            let codes = try PairingStore.current(ofTherapist: therapist, connection)
            let sessions = try SessionStore.all(ofTherapist: therapist, connection)
            let rows = try therapies.map { therapy in
                try PatientRow(therapy, codes[therapy.id], sessions[therapy.id] ?? [], c)
            }
            let byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
            let alerts = try AlertStore.all(of: therapist, isAcknowledged: false, connection)
            var page = try PatientIndex(rows, search, c.texts, c.dates) { row in
                let waiting = alerts.count { $0.firing.therapyID == row.id }
                return (try byID[row.id].flatMap { try course(of: $0, c, connection) }, waiting)
            }
            page.shared = try shared(c, connection)
            return page
        }
        return .page(page)
    }

    /// Whose files colleagues share with the reader; nil when nobody does.
    private static func shared(
        _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> PatientIndex.Shared? {
        let all = try SharingStore.all(with: c.proof.account.id, now: c.now, connection)
        if all.isEmpty { return nil }
        return PatientIndex.Shared(
            rows: all.map { entry in
                .init(
                    id: entry.therapy.id, codename: entry.therapy.codename, facts: grounds(of: entry, c))
            })
    }

    /// Every ground in words; covers have the end of the last.
    private static func grounds(of entry: SharedTherapy, _ c: Context<Member>) -> String {
        let grounds = entry.standing.grounds
        var words: [String] = []
        if grounds.contains(.secondTherapist) { words.append(c.texts["sharing.by_second_therapist"]) }
        if let until = entry.until {
            let day = c.dates.day(until.adding(seconds: -1))
            words.append(c.texts["sharing.by_cover", ["day": day]])
        }
        if grounds.contains(.supervisor) { words.append(c.texts["sharing.by_supervisor"]) }
        return words.joined(separator: " · ")
    }

    /// The lead scale that was answered last.
    private static func course(
        of therapy: Therapy, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> PatientIndex.Course? {
        let all = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        guard let series = all.first, let value = series.points.last?.score.value else { return nil }
        return PatientIndex.Course(
            name: series.title(c.language), value: c.texts.number(value),
            path: Sparkline.path(series), link: series.path(of: therapy.id))
    }

    @Sendable package static func new(_ c: Context<Member>) throws -> Reply {
        .page(try form(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            let plan = PatientProtocolActions.Choice.read(fields)
            let id = try NewPatient.make(try PatientDraft.read(fields), with: plan, c)
            let isMuch = form["alias"].map(Alias.isMore) ?? false
            return .seeOther(
                "/patients/\(id)/pairing-sheet",
                flash: Message(isMuch ? "patients.created_alias_long" : "patients.created"))
        } catch let problem as Problem where !problem.errors.isEmpty {
            return .page(try self.form(FormState(form, problem.errors, c.texts), c), status: problem.status)
        }
    }

    private static func form(_ filled: FormState, _ c: Context<Member>) throws -> New {
        var codename = filled.field(
            "codename", label: "patients.codename", first: Codename.random(c.services.chance))
        codename.hint = filled.texts["patients.codename_hint"]
        codename.autocomplete = "off"
        var note = filled.field("note", label: "patients.note")
        note.isArea = true
        note.hint = filled.texts["patients.note_hint"]
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
        var alias = filled.field("alias", label: "patients.alias", first: first)
        alias.hint = filled.texts["patients.alias_hint"]
        alias.autocomplete = "off"
        return alias
    }

    /// Begin and planned end of a therapy (PR-3).
    static func therapyDates(_ filled: FormState, of therapy: Therapy? = nil) -> [FieldView] {
        var start = filled.field(
            "therapy_started_on", label: "patients.starts_on", first: therapy?.startedOn?.text ?? "")
        var end = filled.field(
            "therapy_ends_on", label: "patients.ends_on", first: therapy?.endsOn?.text ?? "")
        start.type = "date"
        start.hint = filled.texts["patients.starts_on_hint"]
        end.type = "date"
        end.hint = filled.texts["patients.ends_on_hint"]
        return [start, end]
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { connection in try PatientShow.make(c, FormState(c.texts), connection) }
        try FileLook.note(c)
        return .page(page)
    }

    /// The note, or the dates of the therapy: each has a form of its own.
    @Sendable package static func change(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let fields = InputReader(form: form)
            // An emptied field is sent as an empty text: what was there goes.
            let change = try PatientChange.read(fields, of: c.proof.patient)
            try NewPatient.apply(change, c)
            let isMuch = form["alias"].map(Alias.isMore) ?? false
            return .seeOther(
                "/patients/\(c.proof.patient.id)",
                flash: Message(isMuch ? "patients.alias_long" : "patients.saved"))
        } catch Problem.invalid(let errors) {
            let page = try c.read { try PatientShow.make(c, FormState(form, errors, c.texts), $0) }
            return .page(page, status: 422)
        }
    }
}
