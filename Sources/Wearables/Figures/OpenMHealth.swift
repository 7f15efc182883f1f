import JSON
import Records
import Scheduling
import Web
import Wire

/// Days, sleeps and activities after Open mHealth (IEEE 1752.1): a header with the source, a body with the time and
/// the value with its unit. Schemas: openmhealth.org, in the versions named here.
package enum OpenMHealth {
    /// A day's figure; nil for types without a schema there, and for days without a figure.
    package static func point(_ day: MeasurementDayRecord) -> JSON? {
        guard let value = day.value, let kind = kinds[day.type] else { return nil }
        let zone = Zone(day.zone.name)
        let begin = zone.instant(day.date, hour: 0, minute: 0)
        let end = zone.instant(day.date.adding(days: 1), hour: 0, minute: 0)
        var body: [(String, JSON)] = [
            (kind.member, quantity(value, kind.unit)), ("effective_time_frame", frame(begin, end)),
        ]
        if day.type == .restingHeartRate {
            body.append(("temporal_relationship_to_physical_activity", .string("at rest")))
        } else if !day.type.isSum {
            body.append(("descriptive_statistic", .string("average")))
        }
        // Ids are unique beyond one person: studies gather many people.
        return point(
            id: DerivedID.of("open mhealth", day.account, day.name), schema: kind.schema,
            version: kind.version, at: day.receivedAt,
            source: day.source.rawValue, isSensed: day.source != .manual, body: body)
    }

    private struct Kind {
        let schema: String
        let version: String
        let member: String
        let unit: String
    }

    private static let kinds: [MeasurementType: Kind] = [
        .steps: Kind(schema: "step-count", version: "3.0", member: "step_count", unit: "steps"),
        .heartRate: Kind(schema: "heart-rate", version: "2.0", member: "heart_rate", unit: "beats/min"),
        .restingHeartRate: Kind(
            schema: "heart-rate", version: "2.0", member: "heart_rate", unit: "beats/min"),
        .oxygenSaturation: Kind(
            schema: "oxygen-saturation", version: "2.0", member: "oxygen_saturation", unit: "%"),
        .activeEnergy: Kind(schema: "calories-burned", version: "2.0", member: "kcal_burned", unit: "kcal"),
    ]

    /// The duration of sleep: as measured, or the whole time of one entered by hand.
    package static func point(_ record: HealthRecord<Sleep>) -> JSON {
        let sleep = record.value
        let whole = Double(sleep.endsAt.seconds - sleep.startsAt.seconds) / 60
        let minutes = sleep.minutesAsleep.map(Double.init) ?? whole
        return point(
            id: record.id.text, schema: "sleep-duration", version: "2.0", at: record.receivedAt,
            source: sleep.origin, isSensed: sleep.origin == "measured",
            body: [
                ("sleep_duration", quantity(minutes, "min")),
                ("effective_time_frame", frame(sleep.startsAt, sleep.endsAt)),
            ])
    }

    package static func point(_ record: HealthRecord<Activity>) -> JSON {
        let activity = record.value
        let end = activity.startsAt.adding(seconds: Int64(activity.durationSeconds))
        var body: [(String, JSON)] = [
            ("activity_name", .string(activity.name)),
            ("effective_time_frame", frame(activity.startsAt, end)),
            ("duration", quantity(Double(activity.durationSeconds), "sec")),
        ]
        if let distance = activity.distanceM { body.append(("distance", quantity(distance, "m"))) }
        if let calories = activity.calories { body.append(("kcal_burned", quantity(calories, "kcal"))) }
        return point(
            id: record.id.text, schema: "physical-activity", version: "1.2", at: record.receivedAt,
            source: "health_record", isSensed: activity.meanHeartRate != nil, body: body)
    }

    // MARK: Parts

    private static func quantity(_ value: Double, _ unit: String) -> JSON {
        object([("value", .number(value)), ("unit", .string(unit))])
    }

    private static func frame(_ begin: Instant, _ end: Instant) -> JSON {
        let interval = [("start_date_time", JSON.string(begin.text)), ("end_date_time", .string(end.text))]
        return object([("time_interval", object(interval))])
    }

    private static func point(
        id: String, schema: String, version: String, at: Instant, source: String, isSensed: Bool,
        body: [(String, JSON)]
    ) -> JSON {
        let name = [
            ("namespace", JSON.string("omh")), ("name", .string(schema)), ("version", .string(version)),
        ]
        let provenance = [
            ("source_name", JSON.string(source)), ("source_creation_date_time", .string(at.text)),
            ("modality", .string(isSensed ? "sensed" : "self-reported")),
        ]
        let header: [(String, JSON)] = [
            ("id", .string(id)), ("creation_date_time", .string(at.text)), ("schema_id", object(name)),
            ("acquisition_provenance", object(provenance)),
        ]
        return object([("header", object(header)), ("body", object(body))])
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSON.Member($0.0, $0.1) })
    }
}
