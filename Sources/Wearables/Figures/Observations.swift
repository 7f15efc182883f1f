import JSON
import Scheduling
import Web
import Wire

/// The unit of a day's figure (UCUM), and the day as a FHIR R4 Observation. Codes are this system's own: those of
/// terminologies would need an expert's check. For the same reason none is of the category `vital-signs`, whose
/// profile requires such codes.
enum MeasuredUnit {
    /// - Returns: its text, and its code in UCUM.
    static func of(_ type: MeasurementType) -> (text: String, code: String) {
        switch type {
        case .steps: ("steps", "{steps}")
        case .heartRate, .restingHeartRate: ("/min", "/min")
        case .hrvRMSSD, .hrvSDNN: ("ms", "ms")
        case .oxygenSaturation: ("%", "%")
        case .distance: ("m", "m")
        case .activeEnergy: ("kcal", "kcal")
        }
    }

    /// Nil for a day without a figure.
    static func observation(_ day: MeasurementDayRecord) -> JSON? {
        guard let value = day.value else { return nil }
        let zone = Zone(day.zone.name)
        let begin = zone.instant(day.date, hour: 0, minute: 0)
        let end = zone.instant(day.date.adding(days: 1), hour: 0, minute: 0)
        let unit = of(day.type)
        let isMove = [.steps, .distance, .activeEnergy].contains(day.type)
        return observation(
            day.type.rawValue, category: isMove ? "activity" : nil, begin, end, day.receivedAt,
            value,
            unit, method: day.source.rawValue)
    }

    /// Minutes asleep; nil when unknown.
    static func observation(_ record: HealthRecord<Sleep>) -> JSON? {
        let sleep = record.value
        guard let minutes = sleep.minutesAsleep else { return nil }
        return observation(
            "sleep", category: "activity", sleep.startsAt, sleep.endsAt, record.receivedAt, Double(minutes),
            ("min", "min"), method: sleep.origin)
    }

    private static func observation(
        _ code: String, category: String?, _ begin: Instant, _ end: Instant, _ issued: Instant,
        _ value: Double,
        _ unit: (text: String, code: String), method: String
    ) -> JSON {
        let coding = { (system: String, code: String) -> JSON in
            object([("coding", .array([object([("system", .string(system)), ("code", .string(code))])]))])
        }
        let categories = "http://terminology.hl7.org/CodeSystem/observation-category"
        let kind = category.map { [("category", JSON.array([coding(categories, $0)]))] } ?? []
        return object(
            [("resourceType", .string("Observation")), ("status", .string("final"))] + kind + [
                ("code", coding("urn:intersession:measurement", code)),
                ("effectivePeriod", object([("start", .string(begin.text)), ("end", .string(end.text))])),
                ("issued", .string(issued.text)),
                (
                    "valueQuantity",
                    object([
                        ("value", .number(value)), ("unit", .string(unit.text)),
                        ("system", .string("http://unitsofmeasure.org")), ("code", .string(unit.code)),
                    ])
                ),
                ("method", object([("text", .string(method))])),
            ])
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSON.Member($0.0, $0.1) })
    }
}
