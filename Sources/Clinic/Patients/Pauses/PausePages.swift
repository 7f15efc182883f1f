import Database
import HTTP
import Identity
import Responses
import Therapies
import Web
import Wire
import Wording

/// Entering pauses: of a patient, or the therapist's own for everybody. It says before what it does.
package enum PausePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/pauses", .therapist, own)
        routes.page(.post, "/pauses", .therapist, createOwn)
        routes.page(.post, "/pauses/:pause/removal", .therapist, undo: .holiday, destroyOwn)
        routes.page(.get, "/patients/:patient/pauses", .caseloadReader, index)
        routes.page(.post, "/patients/:patient/pauses", .caseload, create)
        routes.page(.post, "/patients/:patient/pauses/:pause/removal", .caseload, undo: .pause, destroy)
    }

    package struct Index: Page {
        package static let template = "pauses/index"
        package static let section: NavigationItem? = .appointments
        package struct Row: Encodable, Sendable {
            package let title: String
            package let cover: String?
            /// Nil for one that is taken back elsewhere.
            package let removal: String?
        }
        package struct Patient: Encodable, Sendable {
            package let path: String
            package let codename: String
        }
        /// Nil for the own ones.
        package let patient: Patient?
        package let action: String
        package let rows: [Row]
        package let fields: [FieldView]
        /// Not when the therapy has ended.
        package let isOpen: Bool
        package let errors: ErrorSummary?

        package static let example = Index(
            patient: Patient(
                path: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480"),
            action: "/pauses",
            rows: [
                Row(
                    title: "Urlaub, 21.12.2026 bis 06.01.2027", cover: "Vertretung: Mag. Ben Steiner",
                    removal: "/pauses/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a16/removal")
            ], fields: [FieldView(name: "starts_on", label: "Erster Tag", type: "date")], isOpen: true,
            errors: nil)
    }

    // MARK: The own

    @Sendable package static func own(_ c: Context<Member>) throws -> Reply {
        .page(try page(nil, of: c.proof.account, FormState(c.texts), c))
    }

    @Sendable static func createOwn(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        do {
            let draft = try PauseDraft.read(InputReader(form: form), today: c.dates.today)
            _ = try PauseActions.make(draft, of: c.proof.account, for: nil, c)
            return .seeOther("/pauses", flash: Message("pauses.made"))
        } catch Problem.invalid(let errors) {
            return .page(
                try page(nil, of: c.proof.account, FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func destroyOwn(_ c: Context<Member>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: c.proof.account, for: nil, c)
        return .seeOther("/pauses", flash: Message("pauses.removed"))
    }

    // MARK: Of a patient

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(c.proof.patient, of: try c.owner(), FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        let therapist = try c.owner()
        let therapy = c.proof.patient
        do {
            let draft = try PauseDraft.read(InputReader(form: form), today: c.dates.today)
            _ = try PauseActions.make(draft, of: therapist, for: therapy, c)
            return .seeOther("/patients/\(therapy.id)/pauses", flash: Message("pauses.made"))
        } catch Problem.invalid(let errors) {
            return .page(
                try page(therapy, of: therapist, FormState(form, errors, c.texts), c), status: 422)
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: try c.owner(), for: c.proof.patient, c)
        return .seeOther("/patients/\(c.proof.patient.id)/pauses", flash: Message("pauses.removed"))
    }

    private static func page<P>(
        _ therapy: Therapy?, of therapist: AccountRecord, _ filled: FormState, _ c: Context<P>
    ) throws -> Index {
        let base = therapy.map { "/patients/\($0.id)/pauses" } ?? "/pauses"
        let rows = try c.read { connection in
            let pauses =
                try therapy.map { try PauseStore.all(for: $0, connection) }
                ?? PauseStore.own(of: therapist.id, connection)
            return try pauses.reversed().map { pause in
                let values = ["from": c.dates.day(pause.startsOn), "until": c.dates.day(pause.endsOn)]
                let isOwn = pause.therapyID == nil
                let cover = try PauseReader.cover(of: pause, therapy, c.keys, connection)
                return Index.Row(
                    title: c.texts[isOwn ? "pauses.title_therapist" : "pauses.title_patient", values],
                    cover: cover.map { c.texts["pauses.cover_is", ["name": $0]] },
                    removal: isOwn && therapy != nil ? nil : "\(base)/\(pause.id)/removal")
            }
        }
        var start = filled.field("starts_on", label: "pauses.starts_on")
        var end = filled.field("ends_on", label: "pauses.ends_on")
        start.type = "date"
        start.isRequired = true
        end.type = "date"
        end.isRequired = true
        var cover = filled.field("cover", label: "pauses.cover")
        cover.hint = c.texts["pauses.cover_hint"]
        return Index(
            patient: therapy.map { Index.Patient(path: "/patients/\($0.id)", codename: $0.codename) },
            action: base, rows: rows, fields: [start, end, cover],
            isOpen: therapy?.endedAt == nil, errors: filled.summary)
    }
}
