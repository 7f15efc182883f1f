import JSON
import Scheduling
import Web
import Wire
import Wording

extension Sleep: HealthRecordValue {
    package static var kind: HealthRecordKind { .sleep }

    package static func read(_ fields: InputReader, now: Instant) throws -> Sleep {
        let begin = fields.time("starts_at", required: true)
        let end = fields.time("ends_at", required: true)
        let origin = fields.choice("origin", from: origins, required: true)
        // Rounded as it is answered and stored, so that fractions of a second make no difference when it is sent again.
        var sleep = Sleep(
            startsAt: (begin ?? now).whole, endsAt: (end ?? now).whole, origin: origin ?? "manual")
        if begin != nil, end != nil { fields.refuse(sleep.problems(now: now)) }
        if let begin { fields.refuse(begin, olderThanAllowedAt: now) }
        sleep.minutesAsleep = fields.optionalWhole("minutes_asleep", 0...1_440)
        sleep.minutesRestless = fields.optionalWhole("minutes_restless", 0...1_440)
        sleep.minutesAwake = fields.optionalWhole("minutes_awake", 0...1_440)
        sleep.minutesToFallAsleep = fields.optionalWhole("minutes_to_fall_asleep", 0...1_440)
        sleep.restlessCount = fields.optionalWhole("restless_count", 0...1_000)
        sleep.awakenings = fields.optionalWhole("awakenings", 0...1_000)
        if begin != nil, end != nil { fields.refuse(sleep.tooLong) }
        sleep.efficiency = fields.measured("efficiency", 0...100)
        if origin == "manual" {
            for name in quality where fields.value(name) != nil {
                fields.refuse(name, "health.no_quality")
            }
        }
        try fields.finish()
        return sleep
    }
}

extension Sleep {
    /// The measured minutes, or the whole time without a measurement.
    package var minutes: Double {
        minutesAsleep.map(Double.init) ?? Double(endsAt.seconds - startsAt.seconds) / 60
    }

    /// The errors of its times, on `ends_at`.
    func problems(now: Instant) -> FieldErrors {
        var errors = FieldErrors()
        let seconds = endsAt.seconds - startsAt.seconds
        if seconds <= 0 {
            errors.add("ends_at", "health.order")
        } else if seconds < Self.shortest {
            errors.add("ends_at", "health.short_sleep", ["n": String(Self.shortest / 60)])
        } else if seconds > Self.longest {
            errors.add("ends_at", "health.longer_than_a_day")
        }
        if endsAt.seconds > now.seconds + DayDraft.clockSlack { errors.add("ends_at", "errors.future") }
        return errors
    }

    /// From begin to end.
    private var minutesInBed: Int { Int((endsAt.seconds - startsAt.seconds) / 60) }

    /// The errors of minutes that are more than the time in bed, one of rounding forgiven (RP-112).
    fileprivate var tooLong: FieldErrors {
        let parts = [
            ("minutes_asleep", minutesAsleep), ("minutes_restless", minutesRestless),
            ("minutes_awake", minutesAwake), ("minutes_to_fall_asleep", minutesToFallAsleep),
        ]
        var errors = FieldErrors()
        for (name, minutes) in parts where minutes ?? 0 > minutesInBed + 1 {
            errors.add(name, "health.longer_than_in_bed", ["n": String(minutesInBed)])
        }
        return errors
    }

    /// A provider's night, none of whose parts is longer than the time in bed.
    package var inBed: Sleep {
        var sleep = self
        let parts: [WritableKeyPath<Sleep, Int?>] = [
            \.minutesAsleep, \.minutesRestless, \.minutesAwake, \.minutesToFallAsleep,
        ]
        for part in parts { sleep[keyPath: part] = self[keyPath: part].map { min($0, minutesInBed) } }
        return sleep
    }

    package var knowsStages: Bool { minutesAsleep != nil }
}

extension Activity: HealthRecordValue {
    package var endsAt: Instant { startsAt.adding(seconds: Int64(durationSeconds)) }
    package var minutes: Double { Double(durationSeconds) / 60 }
    package static var kind: HealthRecordKind { .activity }
    package var knowsStages: Bool { false }

    package static func read(_ fields: InputReader, now: Instant) throws -> Activity {
        let name = fields.text("name", required: true, limit: 80)
        let begin = fields.time("starts_at", required: true)
        let seconds = fields.whole("duration_seconds", 1...86_400, first: 0) ?? 0
        if seconds == 0, !fields.has("duration_seconds") {
            fields.refuse("duration_seconds", "errors.required")
        }
        if let begin, begin.seconds + Int64(seconds) > now.seconds + DayDraft.clockSlack {
            fields.refuse("starts_at", "errors.future")
        }
        if let begin { fields.refuse(begin, olderThanAllowedAt: now) }
        var activity = Activity(name: name ?? "", startsAt: (begin ?? now).whole, durationSeconds: seconds)
        activity.distanceM = fields.measured("distance_m", MeasurementType.distance.range)
        activity.calories = fields.measured("calories", MeasurementType.activeEnergy.range)
        activity.steps = fields.optionalWhole("steps", 0...120_000)
        activity.meanHeartRate = fields.measured("mean_heart_rate", MeasurementType.heartRate.range)
        activity.maxHeartRate = fields.measured("max_heart_rate", MeasurementType.heartRate.range)
        activity.zones = zones(fields)
        try fields.finish()
        return activity
    }

    private static func zones(_ fields: InputReader) -> [HeartZone]? {
        guard let list = fields.value("zones") else { return nil }
        guard let entries = list.array, entries.count <= 10 else {
            fields.refuse("zones", "health.no_zones")
            return nil
        }
        return entries.enumerated().map { index, entry in
            let inner = InputReader(json: entry, prefix: "zones.\(index).")
            let name = inner.text("name", required: true, limit: 40)
            let zone = HeartZone(
                name: name ?? "", minimum: inner.measured("minimum", 0...300, isRequired: true) ?? 0,
                maximum: inner.measured("maximum", 0...300, isRequired: true) ?? 0,
                minutes: inner.measured("minutes", 0...1_440, isRequired: true) ?? 0,
                calories: inner.measured("calories", MeasurementType.activeEnergy.range))
            fields.adopt(inner)
            return zone
        }
    }
}

extension InputReader {
    /// A whole number in a range, or none.
    fileprivate func optionalWhole(_ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard value(name) != nil else { return nil }
        return whole(name, range, first: range.lowerBound)
    }

    /// A number in a range.
    fileprivate func measured(
        _ name: String, _ range: ClosedRange<Double>, isRequired: Bool = false
    ) -> Double? {
        guard value(name) != nil else {
            if isRequired { refuse(name, "errors.required") }
            return nil
        }
        guard let number = number(name, .init(range)) else { return nil }
        guard range.contains(number) else {
            refuse(
                name, "health.impossible",
                ["from": String(Int(range.lowerBound)), "to": String(Int(range.upperBound))])
            return nil
        }
        return number
    }
}

extension InputReader {
    /// Refuses a begin that is older than days may be.
    fileprivate func refuse(_ begin: Instant, olderThanAllowedAt now: Instant) {
        guard LocalTime(begin, Zone("UTC")).date < DayDraft.earliestDate(now) else { return }
        refuse("starts_at", "health.too_old")
    }
}
