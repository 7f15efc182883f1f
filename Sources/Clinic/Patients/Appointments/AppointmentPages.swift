import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Appointments and the sessions they make, of one patient. The patient makes them, staff only read; what
/// is marked here is the therapist's own record.
package enum AppointmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/appointments", .caseloadReader, index)
        routes.page(.post, "/patients/:patient/sessions/:session/state", .caseload, mark)
        routes.page(.post, "/patients/:patient/sessions/sharing", .caseload, share)
    }

    /// A session in a list.
    package struct Row: Encodable, Sendable {
        package let id: ID<Session>
        package let patient: ID<Therapy>
        package let codename: String
        package let alias: String?
        package let when: String
        package let machineTime: String
        package let number: String?
        package let title: String?
        package let comment: String?
        package let state: String
        package let tone: String
        package let file: String?
        /// The words it may still be given.
        package let marks: [Mark]
        let hasMarks: Bool
        /// The page that marking comes back to; nil for the patient's own list.
        let back: String?

        package init(
            id: ID<Session>, patient: ID<Therapy>, codename: String, alias: String? = nil, when: String,
            machineTime: String, number: String?,
            title: String?, comment: String?, state: String, tone: String, file: String?, marks: [Mark],
            hasMarks: Bool, back: String? = nil
        ) {

            self.id = id
            self.patient = patient
            self.codename = codename
            self.alias = alias
            self.when = when
            self.machineTime = machineTime
            self.number = number
            self.title = title
            self.comment = comment
            self.state = state
            self.tone = tone
            self.file = file
            self.marks = marks
            self.hasMarks = hasMarks
            self.back = back
        }

        package struct Mark: Encodable, Sendable {
            package let state: String
            package let label: String
        }
        package static let example = Row(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            codename: "C020480", alias: "Frau Winter", when: "Di 24.11. 09:00",
            machineTime: "2026-11-24T09:00",
            number: "Sitzung 12", title: "Therapie", comment: nil, state: "geplant", tone: "accent",
            file: nil, marks: [Mark(state: "cancelled", label: "abgesagt")], hasMarks: true)
    }

    package struct Index: Page {
        package static let template = "appointments/patient"
        package static let section: NavigationItem? = .patients
        package let head: PatientHead
        package let month: MonthGrid
        /// How many the patient does not see that were noted before any were shown; nil for none.
        package let unshown: String?
        package let coming: [Row]
        let past: Past

        package static let example = Index(
            head: .example, month: .example,
            unshown: "3 künftige Sitzungen wurden eingetragen. Die Person sieht sie noch nicht.",
            coming: [.example], past: .example)
    }

    /// A page of what is over, the latest first.
    struct Past: Encodable, Sendable {
        let rows: [Row]
        let newer: String?
        let older: String?
        static let example = Past(rows: [], newer: nil, older: "?page=2")
    }

    static let listed = 20

    /// A session with whose it is and what it is called.
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
            // Only what is shown is unsealed.
            let rows = { (part: [Listed]) in
                try part.map { entry in
                    let record = entry.session.session.appointmentID.flatMap { byID[$0] }
                    let own = try key.flatMap { key in try record.map { try $0.wire(key) } }
                    return words.row(
                        entry.session, of: therapy, entry.name, own,
                        canMark: therapy.endedAt == nil && c.proof.standing.mayAct)
                }
            }
            let path = "/patients/\(therapy.id)/appointments"
            let mayShow = therapy.accountID != nil && therapy.endedAt == nil && c.proof.standing.mayAct
            let unshown =
                mayShow ? try NotedSessionStore.countUnshown(in: therapy.id, at: c.now, connection) : 0
            return Index(
                head: PatientHead.make(c, tab: .appointments, list),
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

    /// A page of what is over. The month that is shown stays.
    static func past<P>(
        _ entries: [Listed], path: String, _ c: Context<P>, _ rows: ([Listed]) throws -> [Row]
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

    /// One patient at a time: it tells something to one person, and is a line in that person's log. What is asked goes by
    /// itself, with the sessions that were noted before.
    @Sendable static func share(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient.id
        try c.write(.sessionsShown, about: therapy) { try NotedSessionStore.show(in: therapy, $0) }
        return .seeOther("/patients/\(therapy)/appointments", flash: Message("appointments.shown"))
    }

    @Sendable static func mark(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let form = try c.form()
        let fields = InputReader(form: form)
        let state = fields.choice("state", from: Session.State.allCases.map(\.rawValue), required: true)
        try fields.finish()
        guard let state = state.flatMap(Session.State.init(rawValue:)) else { throw Problem.notFound }
        try SessionActions.mark(id, as: state, c)
        // One goes on where one was: with the day, the week, or the session's own page.
        let list = "/patients/\(c.proof.patient.id)/appointments"
        let own = "/patients/\(c.proof.patient.id)/sessions/\(id)"
        let back = form["back"].flatMap { back in
            ["/", "/appointments", own].contains(back) || isWeek(back) ? back : nil
        }
        return .seeOther(back ?? list, flash: Message("sessions.marked"))
    }
}
