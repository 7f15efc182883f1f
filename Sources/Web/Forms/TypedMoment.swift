import Scheduling
import Wire

/// A day and time as a field sends it, `2026-11-20T09:30`, in a zone. In the night when clocks go back some times come twice:
/// then the form carries the offset, too.
struct TypedMoment {
    /// Its moments, in order: one, or the two of a time that comes twice.
    let moments: [Instant]
    /// `09:30`.
    let clock: String
    private let zone: Zone

    /// A time that is left out as clocks go forward moves to the next that exists.
    /// - Returns: nil for other text.
    init?(_ text: String, _ zone: Zone) {
        let parts = text.split(separator: "T")
        let clock = parts.count == 2 ? parts[1].split(separator: ":").map { Int($0) } : []
        guard let day = parts.first.flatMap({ LocalDate(String($0)) }), clock.count >= 2, let hour = clock[0],
            let minute = clock[1], (0...23).contains(hour), (0...59).contains(minute)
        else { return nil }
        let moments = zone.instants(day, hour: hour, minute: minute)
        self.moments = moments.isEmpty ? [zone.instant(day, hour: hour, minute: minute)] : moments
        self.clock = ClockTime(minutes: hour * 60 + minute).text
        self.zone = zone
    }

    /// The moment that is meant.
    /// - Parameter offset: the one that was chosen; needed for a time that comes twice.
    /// - Returns: nil where that has to be asked.
    func meant(_ offset: String?) -> Instant? {
        moments.count == 1 ? moments[0] : moments.first { zone.offsetText(at: $0) == offset }
    }

    /// The offsets to choose from; none for a time that comes once.
    var offsets: [String] { moments.count == 1 ? [] : moments.map(zone.offsetText) }
}
