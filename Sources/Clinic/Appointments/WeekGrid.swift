import Scheduling
import Therapies
import Wire
import Wording

/// A week with hours as a table: half hours in rows, days in columns, a session as high as it is long (PR-40).
struct WeekGrid: Encodable, Sendable {
    struct Column: Encodable, Sendable {
        let label: String
        let isToday: Bool
        let isAway: Bool
    }
    struct Visit: Encodable, Sendable {
        let codename: String
        let alias: String?
        let times: String
        let number: String?
        let tone: String
        /// Nil for planned ones: a colour alone conveys nothing.
        let state: String?
        let path: String
        /// The form that moves it; nil where it cannot be moved.
        let move: String?
        let startsAt: String
        /// Whether another session takes place at the same time.
        let isAtOnce: Bool
    }
    struct Cell: Encodable, Sendable {
        /// The local time at which it begins, as a form takes it.
        let at: String
        let span: Int
        let isAway: Bool
        let isToday: Bool
        /// The free time between two sessions that begins in it.
        let gap: String?
        let visits: [Visit]
        let hasVisits: Bool
    }
    struct Row: Encodable, Sendable {
        let time: String
        let isHour: Bool
        let cells: [Cell]
    }
    let columns: [Column]
    let rows: [Row]
    let canMove: Bool

    /// Shown at least, in hours.
    static let usual = 8..<18
    static let slotMinutes = 30
    /// Free time shorter than this is a break.
    static let leastGap = 30

    /// A session with its place on its day, in minutes after midnight.
    struct Place: Sendable {
        let visit: Visit
        let from: Int
        let until: Int
        /// Whether it takes or took place: what was cancelled leaves its time free.
        let isOn: Bool
    }

    /// - Parameter places: those of each day, the earliest first.
    init(
        _ days: [LocalDate], places: [LocalDate: [Place]], away: AwayDays, _ texts: Texts, _ dates: DateFormat
    ) {
        let all = places.values.joined()
        let first = min(Self.usual.lowerBound, (all.map(\.from).min() ?? .max) / 60)
        let last = max(Self.usual.upperBound, ((all.map(\.until).max() ?? 0) + 59) / 60)
        let slots = first * 60 / Self.slotMinutes..<last * 60 / Self.slotMinutes
        let grids = days.map { day in
            WeekColumn(
                day, places[day] ?? [], slots: slots, isAway: away.contains(day), isToday: day == dates.today,
                texts)
        }
        columns = days.map { day in
            Column(
                label: dates.shortDay(day), isToday: day == dates.today, isAway: away.contains(day))
        }
        rows = slots.map { slot in
            Row(
                time: WeekColumn.time(slot * Self.slotMinutes), isHour: slot * Self.slotMinutes % 60 == 0,
                cells: grids.compactMap { $0.cells[slot] })
        }
        canMove = all.contains { $0.visit.move != nil }
    }
}

/// The cells of a day by their slot; slots that a session above reaches into have none.
private struct WeekColumn {
    private(set) var cells: [Int: WeekGrid.Cell] = [:]

    init(
        _ day: LocalDate, _ places: [WeekGrid.Place], slots: Range<Int>, isAway: Bool, isToday: Bool,
        _ texts: Texts
    ) {
        let length = WeekGrid.slotMinutes
        let gaps = Self.gaps(places, texts)
        var slot = slots.lowerBound
        while slot < slots.upperBound {
            // Sessions that share a slot stand in one cell, which ends with the last of them.
            var own: [WeekGrid.Place] = []
            var end = slot + 1
            for place in places where place.from / length >= slot && place.from / length < end {
                own.append(place)
                end = min(slots.upperBound, max(end, (place.until + length - 1) / length))
            }
            cells[slot] = WeekGrid.Cell(
                at: "\(day.text)T\(Self.time(slot * length))", span: end - slot, isAway: isAway,
                isToday: isToday, gap: own.isEmpty ? gaps[slot] : nil, visits: own.map(\.visit),
                hasVisits: !own.isEmpty)
            slot = end
        }
    }

    /// Free times between the first and the last session that take place, by the first whole slot of each.
    private static func gaps(_ places: [WeekGrid.Place], _ texts: Texts) -> [Int: String] {
        var gaps: [Int: String] = [:]
        var end: Int?
        for place in places where place.isOn {
            if let end, place.from - end >= WeekGrid.leastGap {
                let words = texts[
                    "appointments.gap", ["from": time(end), "until": time(place.from)]]
                gaps[(end + WeekGrid.slotMinutes - 1) / WeekGrid.slotMinutes] = words
            }
            end = max(end ?? 0, place.until)
        }
        return gaps
    }

    static func time(_ minutes: Int) -> String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : String(number) }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}
