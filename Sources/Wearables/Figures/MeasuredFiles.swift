import Database
import Identity
import JSON
import Scheduling
import Web
import Wire

/// The measurement files of a study's export: only of participants who give them, of the time in which they took
/// part. A day counts when it lies in that time as a whole; the present one as far as it is known.
extension StudyFile {
    static let measured = [measurements, sleeps, activities, openMHealth, observations]

    private static func column(
        _ name: String, _ german: String, _ english: String, _ kind: Kind = .text
    ) -> Column {
        Column(name, german, english, kind)
    }

    // MARK: Tables

    /// One row for each day, type and source.
    private static let measurements = StudyFile(
        name: "measurements",
        columns: [
            column("type", "Art der Messung", "kind of measurement"),
            column("date", "Tag am Ort der Person", "day where the person was", .day),
            column("zone", "Zeitzone des Tages", "time zone of the day"),
            column("source", "Quelle", "source"),
            column(
                "counts", "1: diese Quelle zählt für den Tag und wird gezeichnet, 0: eine andere",
                "1: this source counts for the day and is drawn, 0: another one", .number),
            column(
                "value", "Wert des Tages (Summe oder Mittel)", "value of the day (sum or mean)",
                .number),
            column("unit", "Einheit", "unit"),
            column(
                "total", "Summe, wie die Quelle sie nennt", "total as the source tells it", .number),
            column("n", "Anzahl der Messungen", "number of measurements", .number),
            column("sum", "Summe der Messungen", "sum of measurements", .number),
            column("mean", "Mittel der Messungen", "mean of measurements", .number),
            column("minimum", "kleinste Messung", "smallest measurement", .number),
            column("maximum", "größte Messung", "largest measurement", .number),
            column("complete_until", "bekannt bis (UTC)", "known until (UTC)", .moment),
            column("received_at", "eingegangen (UTC)", "received (UTC)", .moment),
            column(
                "device",
                "Gerät der Person unter denen dieser Quelle, gezählt; leer für Tage, die eingegangen sind, ehe Geräte unterschieden wurden",
                "the person's device among those of this source, counted; empty for days received before devices were told apart",
                .number),
        ], consent: .ticks
    ) { person, connection in
        let days = try days(of: person, connection)
        let others = try others(of: person, connection)
        let devices = DeviceNumbers(
            days.map { ($0.day.source, $0.day.date, $0.day.deviceMark) }
                + others.map { ($0.told.draft.source, $0.told.draft.date, $0.mark) })
        let all =
            days.map {
                (wire: $0.day.wire, counts: $0.counts, device: devices[$0.day.source, $0.day.deviceMark])
            }
            + others.map {
                (wire: $0.told.wire, counts: false, device: devices[$0.told.draft.source, $0.mark])
            }
        return all.map { wire, counts, device in
            let number = { (value: Double?) -> JSON in value.map { .number($0) } ?? .null }
            return [
                .string(wire.type.rawValue), .string(wire.date.text), .string(wire.zone),
                .string(wire.source.rawValue), .number(counts ? 1 : 0), number(wire.value),
                .string(MeasuredUnit.of(wire.type).text), number(wire.total), .number(Double(wire.n)),
                .number(wire.sum), number(wire.mean), number(wire.min), number(wire.max),
                .string(wire.completeUntil.text), .string(wire.receivedAt.text),
                device.map { .number(Double($0)) } ?? .null,
            ]
        }
    }

    private static let countsColumn = column(
        "counts", "1: zählt, 0: ein anderer Eintrag umfasst dieselbe Zeit",
        "1: counts, 0: another entry covers the same time", .number)

    private static let sleeps = StudyFile(
        name: "sleeps",
        columns: [
            column("starts_at", "Beginn (UTC)", "begin (UTC)", .moment),
            column("ends_at", "Ende (UTC)", "end (UTC)", .moment),
            column(
                "origin", "measured: gemessen, manual: selbst eingetragen",
                "measured, or manual: entered oneself"),
            column("minutes_asleep", "Minuten geschlafen", "minutes asleep", .number),
            column("minutes_restless", "Minuten unruhig", "minutes restless", .number),
            column("minutes_awake", "Minuten wach", "minutes awake", .number),
            column(
                "minutes_to_fall_asleep", "Minuten bis zum Einschlafen", "minutes to fall asleep",
                .number),
            column("restless_count", "wie oft unruhig", "how often restless", .number),
            column("awakenings", "wie oft wach", "how often awake", .number),
            column("efficiency", "Schlafeffizienz (%)", "sleep efficiency (%)", .number),
            countsColumn, column("received_at", "eingegangen (UTC)", "received (UTC)", .moment),
        ], consent: .ticks
    ) { person, connection in
        try slept(by: person, connection).map { record, counts in
            let sleep = record.value
            let whole = { (value: Int?) -> JSON in value.map { .number(Double($0)) } ?? .null }
            return [
                .string(sleep.startsAt.text), .string(sleep.endsAt.text), .string(sleep.origin),
                whole(sleep.minutesAsleep), whole(sleep.minutesRestless), whole(sleep.minutesAwake),
                whole(sleep.minutesToFallAsleep), whole(sleep.restlessCount), whole(sleep.awakenings),
                sleep.efficiency.map { .number($0) } ?? .null, .number(counts ? 1 : 0),
                .string(record.receivedAt.text),
            ]
        }
    }

    private static let activities = StudyFile(
        name: "activities",
        columns: [
            column("name", "Name", "name"), column("starts_at", "Beginn (UTC)", "begin (UTC)", .moment),
            column("duration_seconds", "Dauer (s)", "duration (s)", .number),
            column("distance_m", "Strecke (m)", "distance (m)", .number),
            column("calories", "Energie (kcal)", "energy (kcal)", .number),
            column("steps", "Schritte", "steps", .number),
            column("mean_heart_rate", "mittlerer Puls (1/min)", "mean heart rate (1/min)", .number),
            column("max_heart_rate", "höchster Puls (1/min)", "highest heart rate (1/min)", .number),
            countsColumn, column("received_at", "eingegangen (UTC)", "received (UTC)", .moment),
        ], consent: .ticks
    ) { person, connection in
        try moved(by: person, connection).map { record, counts in
            let activity = record.value
            let number = { (value: Double?) -> JSON in value.map { .number($0) } ?? .null }
            return [
                .string(activity.name), .string(activity.startsAt.text),
                .number(Double(activity.durationSeconds)), number(activity.distanceM),
                number(activity.calories), number(activity.steps.map { Double($0) }),
                number(activity.meanHeartRate.map { Double($0) }),
                number(activity.maxHeartRate.map { Double($0) }), .number(counts ? 1 : 0),
                .string(record.receivedAt.text),
            ]
        }
    }

    // MARK: Documents

    /// Of several sources of a day the one that counts, so that documents cannot be added up twice.
    private static let openMHealth = StudyFile(name: "open-mhealth", columns: [], consent: .ticks) {
        person, connection in
        let days = try days(of: person, connection).filter(\.counts).compactMap { OpenMHealth.point($0.day) }
        let nights = try slept(by: person, connection).filter(\.counts).map { OpenMHealth.point($0.record) }
        let moves = try moved(by: person, connection).filter(\.counts).map { OpenMHealth.point($0.record) }
        return (days + nights + moves).map { [$0] }
    }

    private static let observations = StudyFile(name: "observations", columns: [], consent: .ticks) {
        person, connection in
        let days = try days(of: person, connection).filter(\.counts).compactMap {
            MeasuredUnit.observation($0.day)
        }
        let nights = try slept(by: person, connection).filter(\.counts).compactMap {
            MeasuredUnit.observation($0.record)
        }
        return (days + nights).map { [$0] }
    }

    // MARK: Reading

    private static func days(
        of person: Person, _ connection: borrowing Connection
    ) throws -> [(day: MeasurementDayRecord, counts: Bool)] {
        let names = Set(person.gives.map(\.rawValue))
        if names.isEmpty { return [] }
        let order = try GoalStore.find(of: person.account, connection).sources
        let all = try MeasurementDayStore.all(of: person.account, connection).filter {
            names.contains($0.type.rawValue) && person.takesPart(on: $0.wire)
        }
        return MeasurementDays.marked(all, order: order)
    }

    /// Days of devices beside which another one of the same source counts (RP-105).
    private static func others(
        of person: Person, _ connection: borrowing Connection
    ) throws -> [DeviceDay] {
        let names = Set(person.gives.map(\.rawValue))
        if names.isEmpty { return [] }
        return try OtherDeviceDayStore.all(of: person.account, person.key, connection).filter {
            names.contains($0.told.draft.type.rawValue) && person.takesPart(on: $0.told.wire)
        }
    }

    private static func slept(
        by person: Person, _ connection: borrowing Connection
    ) throws -> [(record: HealthRecord<Sleep>, counts: Bool)] {
        guard person.gives.contains(.sleep) else { return [] }
        return CountedTimes.marked(
            try HealthRecordStore.all(
                Sleep.self, of: person.account, from: person.from, until: person.to, person.key, connection
            ).reversed().filter { $0.value.endsAt <= person.to })
    }

    private static func moved(
        by person: Person, _ connection: borrowing Connection
    ) throws -> [(record: HealthRecord<Activity>, counts: Bool)] {
        guard person.gives.contains(.activities) else { return [] }
        return CountedTimes.marked(
            try HealthRecordStore.all(
                Activity.self, of: person.account, from: person.from, until: person.to, person.key,
                connection
            ).reversed())
    }
}

extension StudyFile.Person {
    /// Whether a day lies in the time of taking part as a whole; the present one as far as it is known.
    fileprivate func takesPart(on day: MeasurementDay) -> Bool {
        let zone = Zone(day.zone)
        let end = min(zone.instant(day.date.adding(days: 1), hour: 0, minute: 0), day.completeUntil)
        return zone.instant(day.date, hour: 0, minute: 0) >= from && end <= to
    }
}

/// The devices of one person, counted from 1 for each source, in the order in which they come up.
private struct DeviceNumbers {
    private var numbers: [String: Int] = [:]

    init(_ seen: [(source: MeasurementSource, date: LocalDate, mark: String?)]) {
        var counts: [MeasurementSource: Int] = [:]
        for one in seen.sorted(by: { ($0.date, $0.mark ?? "") < ($1.date, $1.mark ?? "") }) {
            guard let mark = one.mark, self[one.source, mark] == nil else { continue }
            counts[one.source, default: 0] += 1
            numbers["\(one.source.rawValue)/\(mark)"] = counts[one.source]
        }
    }

    subscript(source: MeasurementSource, mark: String?) -> Int? {
        mark.flatMap { numbers["\(source.rawValue)/\($0)"] }
    }
}
