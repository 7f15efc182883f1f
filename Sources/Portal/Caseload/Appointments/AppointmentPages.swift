import Database
import HTTP
import Secrets
import Wire

/// Appointments and the sessions they make: of one patient, and of all. The patient makes them, staff only read; what
/// is marked here is the therapist's own record.
enum AppointmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/appointments", .therapist, all)
        routes.page(.get, "/patients/:patient/appointments", .caseload, index)
        routes.page(.post, "/patients/:patient/sessions/:session/state", .caseload, mark)
    }

    /// A session in a list.
    struct Row: Encodable, Sendable {
        let id: String
        let patient: String
        let codename: String
        let when: String
        let machineTime: String
        let number: String?
        let title: String?
        let comment: String?
        let state: String
        let tone: String
        let file: String?
        /// The words it may still be given.
        let marks: [Mark]
        let hasMarks: Bool

        struct Mark: Encodable, Sendable {
            let state: String
            let label: String
        }
        static let example = Row(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            codename: "C020480", when: "Di 24.11. 09:00", machineTime: "2026-11-24T09:00",
            number: "Sitzung 12", title: "Therapie", comment: nil, state: "geplant", tone: "accent",
            file: nil, marks: [Mark(state: "cancelled", label: "abgesagt")], hasMarks: true)
    }

    struct Index: Page {
        static let template = "appointments/patient"
        static let section: Section? = .patients
        let head: PatientHead
        let month: MonthGrid
        let coming: [Row]
        let past: [Row]
        static let example = Index(head: .example, month: .example, coming: [.example], past: [])
    }

    struct All: Page {
        static let template = "appointments/index"
        static let section: Section? = .appointments
        let month: MonthGrid
        let coming: [Row]
        let past: [Row]
        static let example = All(month: .example, coming: [.example], past: [])
    }

    private static let listed = 20

    @Sendable static func all(_ c: Context<Member>) throws -> Reply {
        let therapist = c.proof.account.id
        let page = try c.read { connection -> All in
            let therapies = try TherapyStore.caseload(of: therapist, connection)
            let sessions = try SessionStore.all(ofTherapist: therapist, connection)
            var entries: [(therapy: Therapy, session: SessionList.Numbered)] = []
            for therapy in therapies {
                let list = SessionList(
                    sessions[therapy.id] ?? [], startedOn: therapy.startedOn, zone: c.dates.zone, now: c.now)
                entries += list.all.map { (therapy, $0) }
            }
            entries.sort { $0.session.session.startsAt < $1.session.session.startsAt }
            let pauses = PauseSpans(try PauseStore.own(of: therapist, connection), c.dates.zone)
            let words = SessionWords(c.texts, c.dates, c.now)
            let rows = { (part: [(therapy: Therapy, session: SessionList.Numbered)]) in
                part.map { words.row($0.session, of: $0.therapy, nil, canMark: false) }
            }
            return All(
                month: month(entries, path: "/appointments", pauses, c) {
                    words.visit($1, label: $0.codename, patient: $0.id)
                },
                coming: rows(Array(entries.filter { $0.session.session.endsAt > c.now }.prefix(listed))),
                past: rows(
                    entries.filter { $0.session.session.endsAt <= c.now }.suffix(listed).reversed()))
        }
        return .page(page)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        let page = try c.read { connection -> Index in
            let list = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            let account = try therapy.accountID.flatMap { try AccountStore.find($0, connection) }
            var own: [String: Appointment] = [:]
            if let account {
                let key = try account.key(c.keys)
                for record in try AppointmentStore.all(inTherapy: therapy.id, connection) {
                    own[record.id] = try record.wire(key)
                }
            }
            let pauses = PauseSpans(try PauseStore.all(for: therapy, connection), c.dates.zone)
            let words = SessionWords(c.texts, c.dates, c.now)
            let rows = { (part: [SessionList.Numbered]) in
                part.map { entry in
                    let appointment = entry.session.appointmentID.flatMap { own[$0] }
                    return words.row(entry, of: therapy, appointment, canMark: therapy.endedAt == nil)
                }
            }
            let path = "/patients/\(therapy.id)/appointments"
            return Index(
                head: PatientHead.make(c, tab: .appointments, list),
                month: month(list.all.map { (therapy, $0) }, path: path, pauses, c) {
                    words.visit($1, label: words.number($1) ?? "", patient: $0.id)
                },
                coming: rows(list.all.filter { $0.session.endsAt > c.now }),
                past: rows(list.all.filter { $0.session.endsAt <= c.now }.reversed()))
        }
        return .page(page)
    }

    private static func month<P>(
        _ entries: [(therapy: Therapy, session: SessionList.Numbered)], path: String, _ pauses: PauseSpans,
        _ c: Context<P>, _ visit: (Therapy, SessionList.Numbered) -> MonthGrid.Visit
    ) -> MonthGrid {
        var visits: [LocalDate: [MonthGrid.Visit]] = [:]
        for entry in entries {
            let day = LocalTime(entry.session.session.startsAt, c.dates.zone).date
            visits[day, default: []].append(visit(entry.therapy, entry.session))
        }
        let first = MonthGrid.month(c.request.query, today: c.dates.today)
        return MonthGrid(first, path: path, c.dates, pauses: pauses, visits: visits)
    }

    @Sendable static func mark(_ c: Context<Caseload>) throws -> Reply {
        let (id, fields) = (try c.id("session"), Fields(form: try c.form()))
        let state = fields.choice("state", from: Session.State.allCases.map(\.rawValue), required: true)
        try fields.finish()
        guard let state = state.flatMap(Session.State.init(rawValue:)) else { throw Problem.notFound }
        try SessionNoting.mark(id, as: state, c)
        return .seeOther(
            "/patients/\(c.proof.patient.id)/appointments", flash: Message("sessions.marked"))
    }
}

/// Sessions in words.
struct SessionWords: Sendable {
    private let texts: Texts
    private let dates: DateFormat
    private let now: Instant

    init(_ texts: Texts, _ dates: DateFormat, _ now: Instant) {
        (self.texts, self.dates, self.now) = (texts, dates, now)
    }

    private func tone(_ state: Session.State) -> String {
        switch state {
        case .planned: "accent"
        case .held: "good"
        case .missed: "warn"
        case .cancelled: "plain"
        }
    }

    func row(
        _ entry: SessionList.Numbered, of therapy: Therapy, _ appointment: Appointment?, canMark: Bool
    ) -> AppointmentPages.Row {
        let session = entry.session
        let isOver = session.endsAt <= now
        let possible: [Session.State] = isOver ? [.held, .missed, .cancelled] : [.planned, .cancelled]
        let marks = canMark ? possible.filter { $0 != entry.state } : []
        let base = "/patients/\(therapy.id)"
        return AppointmentPages.Row(
            id: session.id, patient: therapy.id, codename: therapy.codename,
            when: "\(dates.short(session.startsAt)) – \(dates.time(session.endsAt))",
            machineTime: dates.machineTime(session.startsAt),
            number: number(entry), title: appointment?.title, comment: appointment?.comment,
            state: texts["sessions.state_\(entry.state.rawValue)"], tone: tone(entry.state),
            file: session.appointmentID.map { "\(base)/appointments/\($0)/appointment.ics" },
            marks: marks.map { .init(state: $0.rawValue, label: texts["sessions.mark_\($0.rawValue)"]) },
            hasMarks: !marks.isEmpty)
    }

    func number(_ entry: SessionList.Numbered) -> String? {
        entry.number.map { texts["timeline.session", ["n": String($0)]] }
    }

    func visit(_ entry: SessionList.Numbered, label: String, patient: String) -> MonthGrid.Visit {
        MonthGrid.Visit(
            time: dates.time(entry.session.startsAt), label: label, path: "/patients/\(patient)/timeline",
            tone: tone(entry.state),
            state: entry.state == .planned ? nil : texts["sessions.state_\(entry.state.rawValue)"])
    }
}
