import Scheduling
import Wire

extension InputReader {
    /// A moment: from a form as `moment`, from a call as `time`.
    package func instant(_ name: String, _ zone: Zone, required: Bool = false) -> Instant? {
        isForm ? moment(name, zone, required: required) : time(name, required: required)
    }

    /// What `datetime-local` fields send, `2026-11-20T09:30`, in a zone; or an instant with an offset.
    package func moment(_ name: String, _ zone: Zone, required: Bool = false) -> Instant? {
        guard let text = text(name, required: required) else { return nil }
        if let instant = Instant(text) { return instant }
        let parts = text.split(separator: "T")
        let clock = parts.count == 2 ? parts[1].split(separator: ":").map { Int($0) } : []
        guard let day = parts.first.flatMap({ LocalDate(String($0)) }), clock.count >= 2, let hour = clock[0],
            let minute = clock[1], (0...23).contains(hour), (0...59).contains(minute)
        else {
            refuse(name, "errors.day_and_time")
            return nil
        }
        return zone.instant(day, hour: hour, minute: minute)
    }
}
