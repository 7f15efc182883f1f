import Appointments
import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Coming sessions noted by the practice for which the patient has no appointment (FD-29): their time, "from your
/// practice". Adopting one makes an ordinary own appointment; the two overlap, so they are one session.
package enum OwnNotedSessions {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/my/noted-sessions/:session/appointment", .paired, takeOver)
    }

    package struct Row: Encodable, Sendable {
        package let id: ID<Session>
        package let day: String
        package let times: String
        package let distance: String
        /// The id of the future appointment, so that sending it twice makes one.
        let newID: String
    }

    static func row(_ session: Session, _ dates: DateFormat, _ c: Context<Member>) -> Row {
        let fresh: ID<Appointment> = c.newID()
        return Row(
            id: session.id, day: OwnAppointmentPages.day(session.startsAt, dates),
            times: OwnAppointmentPages.times(session.startsAt, session.endsAt, dates, c.texts),
            distance: OwnTherapy.distance(to: session.startsAt, dates, c.texts), newID: fresh.text)
    }

    /// - Throws: `Problem.notFound` for a session of another patient.
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
            // One outside of the grid, or beyond the limit, is reported where it can be changed.
            let typed: Form = [
                "id": appointment.text, "title": title, "starts_at": noted.startsAt.text,
                "ends_at": noted.endsAt.text,
            ]
            return .page(OwnAppointmentForms.blank(FormState(typed, errors, c.texts), c), status: 422)
        } catch Problem.conflict, Problem.preconditionFailed {
            return changed
        }
    }

    /// It is among the own appointments already, or the practice has cancelled it meanwhile.
    private static var changed: Reply {
        .seeOther("/my/appointments", flash: Message("appointments.noted_changed"))
    }
}
