import Appointments
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Appointments of one patient and their sessions. The patient makes appointments, staff only read them; marking here
/// changes the therapist's own record.
package enum AppointmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/appointments", .caseloadReader, index)
        routes.page(.post, "/patients/:patient/sessions/:session/state", .caseload, mark)
        routes.page(.post, "/patients/:patient/sessions/sharing", .caseload, share)
    }

    package struct Index: Page {
        package static let template = "appointments/patient"
        package static let section: NavigationItem? = .patients
        package let head: PatientHead
        package let month: MonthGrid
        /// The number of hidden sessions noted before patients could see any; nil for none.
        package let unshown: String?
        package let coming: [SessionRow]
        let past: Past
    }

    /// A page of past ones, the latest first.
    struct Past: Encodable, Sendable {
        let rows: [SessionRow]
        let newer: String?
        let older: String?
    }

    static let listed = 20

    /// A session with its therapy and its name.
    typealias Listed = (therapy: Therapy, session: SessionList.Numbered, name: String?)

    static func entries<P>(_ list: SessionList, of therapy: Therapy, _ c: Context<P>) -> [Listed] {
        list.all.map { (therapy, $0, list.name(of: $0, c.texts, now: c.now)) }
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let page = try c.read { connection -> Index in
            let list = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            let entries = entries(list, of: therapy, c)
            let records = try AppointmentStore.all(inTherapy: therapy.id, connection)
            let byID = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
            let account = try therapy.accountID.flatMap { try AccountStore.find($0, connection) }
            let key = try account?.key(c.keys)
            let pauses = PauseSpans(try PauseStore.all(for: therapy, connection), c.dates.zone)
            let words = SessionFormatter(c.texts, c.dates, c.now)
            // Only shown sessions are unsealed.
            let rows = { (part: [Listed]) in
                try part.map { entry in
                    let record = entry.session.session.appointmentID.flatMap { byID[$0] }
                    let own = try key.flatMap { key in try record.map { try $0.wire(key) } }
                    return words.row(
                        entry.session, of: therapy, entry.name, own,
                        canMark: therapy.endedAt == nil && c.proof.standing.mayAct)
                }
            }
            let path = "\(therapy.path)/appointments"
            let mayShow = therapy.accountID != nil && therapy.endedAt == nil && c.proof.standing.mayAct
            let unshown =
                mayShow ? try NotedSessionStore.countUnshown(in: therapy.id, at: c.now, connection) : 0
            return Index(
                head: try PatientHead.make(c, tab: .appointments, list, connection),
                month: month(entries, path: path, pauses, c) {
                    words.visit(
                        $0.session, label: $0.name ?? c.texts["timeline.session_unnumbered"],
                        patient: therapy.id)
                },
                unshown: unshown > 0 ? c.texts.count("appointments.unshown", unshown) : nil,
                coming: try rows(entries.filter { $0.session.session.endsAt > c.now }),
                past: try past(entries, path: path, c, rows))
        }
        return .page(page)
    }

    /// A page of past ones. The shown month stays.
    static func past<P>(
        _ entries: [Listed], path: String, _ c: Context<P>, _ rows: ([Listed]) throws -> [SessionRow]
    ) rethrows -> Past {
        let over = Array(entries.filter { $0.session.session.endsAt <= c.now }.reversed())
        let pages = max(1, (over.count + listed - 1) / listed)
        let page = min(max(1, c.request.query["page"].flatMap { Int($0) } ?? 1), pages)
        let month = MonthGrid.asked(c.request.query).map { "&month=\($0.text.prefix(7))" } ?? ""
        let link = { (page: Int) in "\(path)?page=\(page)\(month)#past" }
        return Past(
            rows: try rows(Array(over.dropFirst((page - 1) * listed).prefix(listed))),
            newer: page > 1 ? link(page - 1) : nil, older: page < pages ? link(page + 1) : nil)
    }

    static func month<P>(
        _ entries: [Listed], path: String, _ pauses: PauseSpans, _ c: Context<P>,
        _ visit: (Listed) throws -> MonthGrid.Visit
    ) rethrows -> MonthGrid {
        var visits: [LocalDate: [MonthGrid.Visit]] = [:]
        for entry in entries {
            let day = LocalTime(entry.session.session.startsAt, c.dates.zone).date
            visits[day, default: []].append(try visit(entry))
        }
        let first = MonthGrid.month(c.request.query, today: c.dates.today)
        return MonthGrid(first, path: path, c.dates, pauses: pauses, visits: visits)
    }

    /// Whether it is the address of a week of the calendar, and nothing else.
    private static func isWeek(_ path: String) -> Bool {
        let start = "/appointments?week="
        return path.hasPrefix(start) && LocalDate(String(path.dropFirst(start.count))) != nil
    }

    /// For one patient at a time: it notifies that patient, and is a line in their audit log. Questionnaires before
    /// sessions apply to these as to later ones.
    @Sendable static func share(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient.id
        try c.write(.sessionsShown, about: therapy) { try NotedSessionStore.show(in: therapy, $0) }
        return .seeOther("/patients/\(therapy)/appointments", flash: Message("appointments.shown"))
    }

    @Sendable static func mark(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let form = try c.form()
        let fields = InputReader(form: form)
        let state: Session.State? = fields.choice("state", required: true)
        try fields.finish()
        guard let state else { throw Problem.notFound }
        try SessionActions.mark(id, as: state, c)
        // One goes on where one was: with the day, the week, or the session's own page.
        let list = "\(c.proof.patient.path)/appointments"
        let own = "\(c.proof.patient.path)/sessions/\(id)"
        let back = form["back"].flatMap { back in
            ["/", "/appointments", own].contains(back) || isWeek(back) ? back : nil
        }
        return .seeOther(back ?? list, flash: Message("sessions.marked"))
    }
}
