import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The form that moves a noted session: what dragging in the week does, by keyboard and without scripts (PR-40).
package enum SessionMovePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/sessions/:session/time", .caseload, show)
        routes.page(.post, "/patients/:patient/sessions/:session/time", .caseload, update)
    }

    package struct Show: Page {
        package static let template = "sessions/time"
        package static let section: NavigationItem? = .appointments
        let patient: ID<Therapy>
        let id: ID<Session>
        let codename: String
        let when: String
        /// The time it has, by which a later change is noticed.
        let was: String
        let back: String
        let fields: [FieldView]
        package let errors: ErrorSummary?

        static let example = Show(
            patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15",
            codename: "C020480", when: "Di 24.11. 09:00 – 09:50", was: "2026-11-24T08:00:00Z",
            back: "/appointments?week=2026-11-23",
            fields: [
                FieldView(name: "starts_at", label: "Beginn"), FieldView(name: "ends_at", label: "Ende"),
            ], errors: nil)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let session = try found(c)
        if session.appointmentID != nil { throw Problem.conflict(Message("sessions.appointment_stays")) }
        return .page(page(session, FormState(c.texts), c))
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let session = try found(c)
        return try c.submit(orShow: { page(session, $0, c) }) { fields in
            let was = fields.form["was"].flatMap(Instant.init) ?? session.startsAt
            let draft = try draft(fields, session, c)
            try SessionMoving.move(session.id, from: was, to: draft, c)
            let clashes = try c.read {
                try SessionClash.among(
                    [draft], of: c.proof.patient.therapistID, without: Set(session.records), at: c.now, $0)
            }
            return .seeOther(
                back(draft.startsAt, c),
                flash: Message(
                    clashes.isEmpty ? "sessions.moved" : "sessions.moved_clash",
                    ["when": c.dates.dayAndTime(draft.startsAt)]))
        }
    }

    /// Without an end, it lasts as long as before.
    private static func draft(
        _ fields: InputReader, _ session: Session, _ c: Context<Caseload>
    ) throws -> SessionDraft {
        try SessionDraft.read(
            fields, zone: c.dates.zone, lasting: session.endsAt.seconds - session.startsAt.seconds, now: c.now
        )
    }

    private static func found(_ c: Context<Caseload>) throws -> Session {
        let id: ID<Session> = try c.id("session")
        guard let session = try c.read({ try SessionStore.find(id, in: c.proof.patient.id, $0) }) else {
            throw Problem.notFound
        }
        return session
    }

    /// The own week; those of others are with the patient.
    private static func back(_ start: Instant, _ c: Context<Caseload>) -> String {
        c.proof.standing.isOwner
            ? WeekPages.address(LocalTime(start, c.dates.zone).date) : "\(c.proof.patient.path)/appointments"
    }

    private static func page(_ session: Session, _ filled: FormState, _ c: Context<Caseload>) -> Show {
        let minutes = (session.endsAt.seconds - session.startsAt.seconds) / 60
        return Show(
            patient: c.proof.patient.id, id: session.id, codename: c.proof.patient.codename,
            when: "\(c.dates.short(session.startsAt)) – \(c.dates.time(session.endsAt))",
            // Where nothing typed is wrong, the form goes on from the time it has now.
            was: filled.errors.isEmpty
                ? session.startsAt.text : filled.form["was"] ?? session.startsAt.text,
            back: back(session.startsAt, c),
            fields: [
                filled.moment(
                    "starts_at", label: "sessions.starts_at", first: session.startsAt, c.dates,
                    hint: Message("sessions.zone_hint", ["zone": c.dates.zone.identifier]), required: true),
                filled.moment(
                    "ends_at", label: "sessions.ends_at", c.dates,
                    hint: Message("sessions.length_stays", ["n": String(minutes)])),
            ], errors: filled.summary)
    }
}
