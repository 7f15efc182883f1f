import Wire
import Wording

/// Measurements in readable form.
struct HealthFormatter: Sendable {
    let texts: Texts

    func name(_ measure: MeasurementSharing.Measure) -> String { texts["health.\(measure.rawValue)"] }

    func source(_ source: MeasurementSource) -> String { texts["health.source_\(source.rawValue)"] }

    /// With its unit, in the digits that are meaningful.
    func value(_ value: Double, _ type: MeasurementType) -> String {
        let isKilometres = type == .distance
        let number = texts.amount(isKilometres ? value / 1_000 : value, digits: isKilometres ? 1 : 0)
        return texts["health.unit_\(type.rawValue)", ["n": number]]
    }

    /// `3 Aktivitäten, zusammen 2 h 40 min`.
    func activities(_ times: CountedTimes) -> String {
        texts[
            "health.activities_sum",
            [
                "count": texts.count("health.activities", times.counted.count),
                "value": duration(minutes: times.total),
            ]]
    }

    /// Rounded to whole minutes, a value as its mean (RP-124).
    func duration(minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return texts["health.hours", ["h": String(whole / 60), "min": String(whole % 60)]]
    }
}
