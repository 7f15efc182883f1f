import Database
import Records
import Therapies
import Wire

/// The delivered and answered dailies of a period of time.
extension DailyStore {
    /// A period of a local day, in which a daily was planned or one of the device's own was answered.
    package struct Slot: Sendable {
        package let at: Instant
        package let isDelivered: Bool
        package let isAnswered: Bool
    }

    /// The periods that began in a span of time. Each counts once, for any number of sheets. Both queries read an
    /// index alone: years are thousands of periods.
    package static func slots(
        in therapy: ID<Therapy>, from: Instant, until: Instant, _ connection: borrowing Connection
    ) throws -> [Slot] {
        var answered: Set<Int64> = []
        var own: [(key: Int64?, slot: Slot)] = []
        // A period is answered within hours; two days take in every zone.
        let late = min(until, .distantFuture.adding(days: -2)).adding(days: 2)
        try connection.each(
            """
            SELECT planned_on, period, daily_from FROM contributions\(hint: .index("contributions_dailies"))
            WHERE therapy_id = \(therapy) AND completed_at >= \(from) AND completed_at < \(late)
            AND planned_on IS NOT NULL ORDER BY completed_at
            """
        ) { row in
            let place: Int64? = key(try row[0], try row[1])
            let begin: Instant? = try row[2]
            if let place { answered.insert(place) }
            if let begin, begin >= from, begin < until {
                own.append((place, Slot(at: begin, isDelivered: true, isAnswered: true)))
            }
            return true
        }
        let planned = try connection.all(
            """
            SELECT available_from, planned_on, period, withdrawn_at, coalesce(fetched_at, notified_at, opened_at)
            FROM assignments\(hint: .index("assignments_dailies"))
            WHERE therapy_id = \(therapy) AND planned_on IS NOT NULL
            AND available_from >= \(from) AND available_from < \(until)
            """
        ) { row -> (key: Int64?, slot: Slot)? in
            let place: Int64? = key(try row[1], try row[2])
            let withdrawn: Instant? = try row[3]
            let isAnswered = place.map(answered.contains) ?? false
            if withdrawn != nil, !isAnswered { return nil }
            let seen: Instant? = try row[4]
            return (
                key: place,
                slot: Slot(at: try row[0], isDelivered: seen != nil || isAnswered, isAnswered: isAnswered)
            )
        }
        return merged(planned.compactMap(\.self) + own)
    }

    /// One number for a period of a day: thousands are looked up for one page.
    static func key(_ day: LocalDate?, _ period: Int?) -> Int64? {
        day.map { $0.daysSince1970 * 8 + Int64(period ?? 0) }
    }

    static func merged(_ found: [(key: Int64?, slot: Slot)]) -> [Slot] {
        var places: [Int64: Int] = [:]
        var slots: [Slot] = []
        places.reserveCapacity(found.count)
        slots.reserveCapacity(found.count)
        for (key, slot) in found {
            guard let key else {
                slots.append(slot)
                continue
            }
            guard let place = places[key] else {
                places[key] = slots.count
                slots.append(slot)
                continue
            }
            let before = slots[place]
            slots[place] = Slot(
                at: before.at, isDelivered: before.isDelivered || slot.isDelivered,
                isAnswered: before.isAnswered || slot.isAnswered)
        }
        return slots
    }
}
