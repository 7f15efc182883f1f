import Accounts
import Appointments
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Sessions for other calendars: a feed for each therapist, and single ones to download.
enum CalendarPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/calendar/:feed", .anyone, feed)
        routes.page(.post, "/profile/calendar", .therapist, make)
        routes.page(.post, "/profile/calendar/removal", .therapist, remove)
        routes.page(
            .get, "/patients/:patient/appointments/:appointment/appointment.ics", .caseloadReader, appointment
        )
    }

    /// How far back the feed goes.
    private static let pastDays: Int64 = 90

    /// The address alone gives access: calendars cannot sign in. An invalid address is not found.
    @Sendable static func feed(_ c: Context<Anyone>) throws -> Reply {
        // No link to the patient: the address would disclose which sessions belong together.
        let now = c.now
        let link = "\(c.services.origin)/appointments"
        let found = try c.read { connection -> (AccountRecord, [ICalendar.Event])? in
            guard let owner = try CalendarFeed.owner(c.places["feed"] ?? "", connection) else { return nil }
            let sessions = try SessionStore.all(ofTherapist: owner.id, connection)
            let running = try TherapyStore.caseload(of: owner.id, connection).filter { $0.endedAt == nil }
            let events = running.flatMap { therapy in
                (sessions[therapy.id] ?? []).filter { $0.endsAt > now.adding(days: -pastDays) }.map {
                    ICalendar.Event($0, at: now, link: link)
                }
            }
            return (owner, events.sorted { ($0.startsAt, $0.uid) < ($1.startsAt, $1.uid) })
        }
        guard let (owner, events) = found else { throw Problem.notFound }
        let texts = c.services.texts(owner.language)
        let calendar = ICalendar(
            name: texts["calendar.name"], title: texts["calendar.event"], more: texts["calendar.more"],
            events: events)
        return .response(Response(type: ICalendar.type, calendar.bytes))
    }

    @Sendable static func make(_ c: Context<Member>) throws -> Reply {
        try CalendarFeed.make(c)
        return .seeOther("/profile", flash: Message("calendar.made"))
    }

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        try CalendarFeed.remove(c)
        return .seeOther("/profile", flash: Message("calendar.removed"))
    }

    /// One appointment, as its session.
    @Sendable static func appointment(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Appointment> = try c.id("appointment")
        let therapy = c.proof.patient.id
        let session = try c.read { connection in
            try SessionStore.all(of: therapy, connection).first { $0.appointmentID == id }
        }
        guard let session else { throw Problem.notFound }
        let link = "\(c.services.origin)/appointments"
        let calendar = ICalendar(
            name: c.texts["calendar.name"], title: c.texts["calendar.event"], more: c.texts["calendar.more"],
            events: [ICalendar.Event(session, at: c.now, link: link)])
        var response = Response(type: ICalendar.type, calendar.bytes)
        // The day tells several of them apart.
        let day = LocalTime(session.startsAt, c.dates.zone).date.text
        let name = "\(c.texts["calendar.file"])-\(day).ics"
        response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        return .response(response)
    }
}
