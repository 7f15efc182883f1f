import Appointments
import HTTP
import Records
import Scheduling
import Therapies
import Wire
import Wording

struct SessionFormatter: Sendable {
    let texts: Texts
    let dates: DateFormat
    private let now: Instant

    init(_ texts: Texts, _ dates: DateFormat, _ now: Instant) {
        self.texts = texts
        self.dates = dates
        self.now = now
    }

    func tone(_ state: Session.State) -> String {
        switch state {
        case .planned: "accent"
        case .held: "good"
        case .missed: "warn"
        case .cancelled: "plain"
        }
    }

    func row(
        _ entry: SessionList.Numbered, of therapy: Therapy, alias: String? = nil, _ name: String?,
        _ appointment: Appointment?, canMark: Bool, back: String? = nil
    ) -> SessionRow {
        let session = entry.session
        let isOver = session.endsAt <= now
        let possible: [Session.State] = isOver ? [.held, .missed, .cancelled] : [.planned, .cancelled]
        let marks = canMark ? possible.filter { $0 != entry.state } : []
        let base = therapy.path
        return SessionRow(
            id: session.id, patient: therapy.id, codename: therapy.codename, alias: alias,
            when: "\(dates.short(session.startsAt)) – \(dates.time(session.endsAt))",
            machineTime: dates.machineTime(session.startsAt),
            number: name, title: appointment?.title, comment: appointment?.comment,
            state: texts["sessions.state_\(entry.state.rawValue)"], tone: tone(entry.state),
            file: session.appointmentID.map { "\(base)/appointments/\($0)/appointment.ics" },
            marks: marks.map { .init(state: $0.rawValue, label: texts["sessions.mark_\($0.rawValue)"]) },
            hasMarks: !marks.isEmpty, back: back)
    }

    func visit(_ entry: SessionList.Numbered, label: String, patient: ID<Therapy>) -> MonthGrid.Visit {
        MonthGrid.Visit(
            time: dates.time(entry.session.startsAt), label: label,
            path: "/patients/\(patient)/sessions/\(entry.session.id)",
            tone: tone(entry.state),
            state: entry.state == .planned ? nil : texts["sessions.state_\(entry.state.rawValue)"])
    }
}
