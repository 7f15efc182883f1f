import Appointments
import Records
import Scheduling
import Therapies
import Wire
import Wording

extension SessionFormatter {
    /// Its place on its day; a session that ends on another day ends with its own.
    func place(_ entry: AppointmentPages.Listed, alias: String?, isAtOnce: Bool) -> WeekGrid.Place {
        let session = entry.session.session
        let start = LocalTime(session.startsAt, dates.zone)
        let end = LocalTime(session.endsAt, dates.zone)
        let from = start.hour * 60 + start.minute
        let until = end.date > start.date ? 24 * 60 : end.hour * 60 + end.minute
        let base = "\(entry.therapy.path)/sessions/\(session.id)"
        let state = entry.session.state
        return WeekGrid.Place(
            visit: WeekGrid.Visit(
                codename: entry.therapy.codename, alias: alias,
                times: "\(dates.time(session.startsAt)) – \(dates.time(session.endsAt))", number: entry.name,
                tone: tone(state), state: state == .planned ? nil : texts["sessions.state_\(state.rawValue)"],
                path: base,
                move: SessionMoving.isMovable(entry.session, of: entry.therapy) ? base + "/time" : nil,
                startsAt: session.startsAt.text, isAtOnce: isAtOnce),
            from: from, until: max(until, from + 5), isOn: !entry.session.isOff)
    }
}
