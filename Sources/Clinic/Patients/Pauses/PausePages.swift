import Database
import Delivery
import HTTP
import Identity
import Therapies
import Web
import Wire
import Wording

/// Entering pauses: of a patient, or the therapist's own for all. It names the consequences beforehand.
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
            /// Nil for one that is removed on another page.
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
        /// False when the therapy has ended, and for those that may only read.
        package let isOpen: Bool
        package let errors: ErrorSummary?
    }

    // MARK: The own

    @Sendable package static func own(_ c: Context<Member>) throws -> Reply {
        .page(try page(nil, of: c.proof.account, FormState(c.texts), c))
    }

    @Sendable static func createOwn(_ c: Context<Member>) throws -> Reply {
        try c.submit(orShow: { try page(nil, of: c.proof.account, $0, c) }) { fields in
            let draft = try PauseDraft.read(fields, today: c.dates.today)
            _ = try PauseActions.make(draft, of: c.proof.account, for: nil, c)
            return .seeOther("/pauses", flash: Message("pauses.made"))
        }
    }

    @Sendable static func destroyOwn(_ c: Context<Member>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: c.proof.account, for: nil, c)
        return .seeOther("/pauses", flash: Message("pauses.removed"))
    }

    // MARK: Of a patient

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let mayAct = c.proof.standing.mayAct
        return .page(try page(c.proof.patient, of: try c.owner(), mayAct: mayAct, FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let therapist = try c.owner()
        let therapy = c.proof.patient
        return try c.submit(orShow: { try page(therapy, of: therapist, $0, c) }) { fields in
            let draft = try PauseDraft.read(fields, today: c.dates.today)
            _ = try PauseActions.make(draft, of: therapist, for: therapy, c)
            return .seeOther("\(therapy.path)/pauses", flash: Message("pauses.made"))
        }
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try PauseActions.remove(try c.id("pause"), of: try c.owner(), for: c.proof.patient, c)
        return .seeOther("\(c.proof.patient.path)/pauses", flash: Message("pauses.removed"))
    }

    private static func page<P>(
        _ therapy: Therapy?, of therapist: AccountRecord, mayAct: Bool = true, _ filled: FormState,
        _ c: Context<P>
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
                    removal: !mayAct || isOwn && therapy != nil ? nil : "\(base)/\(pause.id)/removal")
            }
        }
        let start = filled.field("starts_on", .date, label: "pauses.starts_on", required: true)
        let end = filled.field("ends_on", .date, label: "pauses.ends_on", required: true)
        let cover = filled.field("cover", label: "pauses.cover", hint: "pauses.cover_hint")
        return Index(
            patient: therapy.map { Index.Patient(path: "/patients/\($0.id)", codename: $0.codename) },
            action: base, rows: rows, fields: [start, end, cover],
            isOpen: mayAct && therapy?.endedAt == nil, errors: filled.summary)
    }
}
