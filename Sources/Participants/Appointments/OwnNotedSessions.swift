import Clinic
import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Sessions to come that the practice has noted and the patient has no appointment for (FD-29): their time, "from your
/// practice". Taking one over makes an ordinary appointment of one's own; the two overlap, so they are one session.
package enum OwnNotedSessions {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/my/noted-sessions/:session/appointment", .paired, takeOver)
    }

    package struct Row: Encodable, Sendable {
        package let id: ID<Session>
        package let day: String
        package let times: String
        package let distance: String
        /// What the appointment will be called by: sent twice it is made once.
        let newID: String

        static let example = Row(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a16", day: "Dienstag, 1. Dezember",
            times: "09:00 bis 09:50", distance: "in 11 Tagen", newID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a17")
    }

    static func row(_ session: Session, _ dates: DateFormat, _ c: Context<Member>) -> Row {
        let fresh: ID<Appointment> = c.newID()
        return Row(
            id: session.id, day: OwnAppointmentPages.day(session.startsAt, dates),
            times: OwnAppointmentPages.times(session.startsAt, session.endsAt, dates, c.texts),
            distance: OwnTherapy.distance(to: session.startsAt, dates, c.texts), newID: fresh.text)
    }

    /// - Throws: `Problem.notFound` for a session of somebody else.
    @Sendable static func takeOver(_ c: Context<PairedPatient>) throws -> Reply {
        let form = try c.form()
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.therapy.id
        let (noted, isRemoved) = try c.read { connection in
            (
                try SessionStore.find(id, in: therapy, connection),
                try RemovedSessionStore.holds(id, in: therapy, connection)
            )
        }
        guard let noted else {
            if isRemoved { return changed }
            throw Problem.notFound
        }
        guard let appointment = ID<Appointment>(uuid: form["id"]) else {
            throw Problem.invalid("id", "errors.id")
        }
        let title = c.texts["own_appointments.first_title"]
        do {
            let draft = try AppointmentDraft(of: noted, title: title, now: c.now)
            _ = try AppointmentActions.keep(draft, appointment, takingOver: id, c)
            return .seeOther("/my/appointments", flash: Message("own_appointments.taken_over"))
        } catch Problem.invalid(let errors) {
            // What keeps to no grid, or is one too many, is told where it can be changed.
            let dates = c.dates(in: Zone(c.proof.account.timezone))
            let typed: Form = [
                "id": appointment.text, "title": title, "starts_at": dates.machineTime(noted.startsAt),
                "ends_at": dates.machineTime(noted.endsAt),
            ]
            return .page(OwnAppointmentForms.blank(FormState(typed, errors, c.texts), c), status: 422)
        } catch Problem.conflict, Problem.preconditionFailed {
            return changed
        }
    }

    /// It is among the own appointments already, or the practice has called it off meanwhile.
    private static var changed: Reply {
        .seeOther("/my/appointments", flash: Message("appointments.noted_changed"))
    }
}
