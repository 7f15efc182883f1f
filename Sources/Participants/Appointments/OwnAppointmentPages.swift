import Accounts
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

/// The own appointments in the browser (IO-14): coming ones, past ones, and a month at a glance.
package enum OwnAppointmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/appointments", .patient, index)
        OwnAppointmentForms.routes(&routes)
        OwnNotedSessions.routes(&routes)
        routes.page(.get, "/my/appointments.ics", .paired, all)
        routes.page(.get, "/my/appointments/:appointment/appointment.ics", .paired, one)
    }

    /// An appointment in a list.
    package struct Row: Encodable, Sendable {
        package let id: String
        package let title: String
        package let day: String
        package let times: String
        /// `heute`, `in 3 Tagen`; nil for past ones.
        package let distance: String?
        package let comment: String?
    }

    package struct Index: Page {
        package static let template = "my/appointments"
        package static let section: NavigationItem? = .dates
        package let isPaired: Bool
        /// Sessions noted by the practice.
        package let noted: [OwnNotedSessions.Row]
        let hasNoted: Bool
        package let coming: [Row]
        package let past: [Row]
        let hasAny: Bool
        let newer: String?
        let older: String?
        package let month: MonthGrid
    }

    private static let listed = 20

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let dates = c.dates(in: Zone(account.timezone))
        let (therapy, noted, records) = try c.read { connection in
            let therapy = try TherapyStore.running(of: account.id, connection)
            return (
                therapy,
                try therapy.map { try NotedSessionStore.shown(in: $0.id, at: c.now, connection) } ?? [],
                try AppointmentStore.all(
                    of: account.id, from: Instant(milliseconds: .min), until: Instant(milliseconds: .max),
                    connection)
            )
        }
        let key = try account.key(c.keys)
        let over = records.filter { $0.endsAt <= c.now }
        let pages = max(1, (over.count + listed - 1) / listed)
        let page = min(max(1, c.request.query["page"].flatMap { Int($0) } ?? 1), pages)
        let kept = MonthGrid.asked(c.request.query).map { "&month=\($0.text.prefix(7))" } ?? ""
        let link = { (page: Int) in "/my/appointments?page=\(page)\(kept)#past" }
        return .page(
            Index(
                isPaired: therapy != nil, noted: noted.map { OwnNotedSessions.row($0, dates, c) },
                hasNoted: !noted.isEmpty,
                coming: try records.filter { $0.endsAt > c.now }.reversed().map {
                    try row($0, key, dates, isOver: false, c.texts)
                },
                past: try over.dropFirst((page - 1) * listed).prefix(listed).map {
                    try row($0, key, dates, isOver: true, c.texts)
                },
                hasAny: !records.isEmpty, newer: page > 1 ? link(page - 1) : nil,
                older: page < pages ? link(page + 1) : nil, month: try month(records, noted, key, dates, c)))
    }

    private static func row(
        _ record: AppointmentRecord, _ key: PersonKey, _ dates: DateFormat, isOver: Bool, _ texts: Texts
    ) throws -> Row {
        let words = try record.wire(key)
        return Row(
            id: record.id.text, title: words.title, day: day(record.startsAt, dates),
            times: times(record.startsAt, record.endsAt, dates, texts),
            distance: isOver ? nil : OwnTherapy.distance(to: record.startsAt, dates, texts),
            comment: words.comment)
    }

    static func day(_ start: Instant, _ dates: DateFormat) -> String {
        let isThisYear = LocalTime(start, dates.zone).date.year == dates.today.year
        return isThisYear ? dates.weekday(start) : dates.longDay(start)
    }

    /// `09:00 bis 09:50`; with the second day where it ends on another.
    static func times(_ start: Instant, _ end: Instant, _ dates: DateFormat, _ texts: Texts) -> String {
        let isOneDay = LocalTime(start, dates.zone).date == LocalTime(end, dates.zone).date
        return texts[
            "my.times",
            [
                "from": dates.time(start), "to": isOneDay ? dates.time(end) : dates.dayAndTime(end),
            ]]
    }

    private static func month(
        _ records: [AppointmentRecord], _ noted: [Session], _ key: PersonKey, _ dates: DateFormat,
        _ c: Context<Member>
    ) throws -> MonthGrid {
        let first = MonthGrid.month(c.request.query, today: dates.today)
        var visits: [LocalDate: [MonthGrid.Visit]] = [:]
        for record in records.reversed() {
            let date = LocalTime(record.startsAt, dates.zone).date
            // Only shown ones are unsealed; a month shows a few days of its neighbours.
            guard abs(date.daysSince1970 - first.daysSince1970) <= 45 else { continue }
            visits[date, default: []].append(
                MonthGrid.Visit(
                    time: dates.time(record.startsAt), label: try record.wire(key).title,
                    path: "/my/appointments/\(record.id)", tone: record.endsAt > c.now ? "accent" : "over",
                    state: nil))
        }
        for session in noted {
            visits[LocalTime(session.startsAt, dates.zone).date, default: []].append(
                MonthGrid.Visit(
                    time: dates.time(session.startsAt), label: c.texts["own_appointments.noted"],
                    path: "/my/appointments#noted", tone: "noted", state: nil))
        }
        return MonthGrid(
            first, path: "/my/appointments", dates, pauses: PauseSpans([], dates.zone), visits: visits)
    }

    // MARK: Files for calendars

    @Sendable static func all(_ c: Context<PairedPatient>) throws -> Reply {
        let account = c.proof.account.id
        let records = try c.read { connection in
            try AppointmentStore.all(
                of: account, from: Instant(milliseconds: .min), until: Instant(milliseconds: .max), connection
            )
        }
        return try file(records, named: "\(c.texts["own_appointments.file"]).ics", c)
    }

    @Sendable static func one(_ c: Context<PairedPatient>) throws -> Reply {
        let record = try own(c)
        let day = LocalTime(record.startsAt, Zone(c.proof.account.timezone)).date.text
        return try file([record], named: "\(c.texts["calendar.file"])-\(day).ics", c)
    }

    private static func file(
        _ records: [AppointmentRecord], named name: String, _ c: Context<PairedPatient>
    ) throws -> Reply {
        let key = try c.proof.account.key(c.keys)
        let events = try records.map { ICalendar.Event($0, title: try $0.wire(key).title) }
        let calendar = ICalendar(
            name: c.texts["calendar.name"], title: c.texts["calendar.event"], more: "", events: events)
        var response = Response(type: ICalendar.type, calendar.bytes)
        response.headers.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        return .response(response)
    }

    /// The appointment in the path.
    /// - Throws: `Problem.notFound`, and `.gone` for a deleted one.
    static func own(_ c: Context<PairedPatient>) throws -> AppointmentRecord {
        let id: ID<Appointment> = try c.id("appointment")
        let account = c.proof.account.id
        guard let record = try c.read({ try AppointmentStore.find(id, of: account, $0) }) else {
            throw Problem.notFound
        }
        if record.deletedAt != nil { throw Problem.gone(Message("appointments.deleted")) }
        return record
    }
}
