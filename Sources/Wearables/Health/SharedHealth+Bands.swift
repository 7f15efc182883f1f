import Database
import Psychometrics
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

// Bands along the time, one for each shared measure with figures in it.
extension SharedHealth {
    @Sendable static func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        guard let therapy = try TherapyStore.find(ID(request.therapy.text), connection) else { return [] }
        let shared = try SharedDays(in: therapy, connection)
        if shared.isEmpty { return [] }
        let bands = Bands(request, therapy, shared)
        guard bands.count > 0 else { return [] }
        return try MeasurementType.allCases.compactMap { try bands.days($0, connection) }
            + [
                try bands.records(.sleep, .sleep, connection),
                try bands.records(.activities, .activity, connection),
            ].compactMap(\.self)
    }
}

/// The shared part of one period, in the patient's days.
private struct Bands {
    let request: BandRequest
    let therapy: Therapy
    let shared: SharedDays
    let first: LocalDate
    let last: LocalDate
    let today: LocalDate

    init(_ request: BandRequest, _ therapy: Therapy, _ shared: SharedDays) {
        self.request = request
        self.therapy = therapy
        self.shared = shared
        today = LocalTime(request.now, shared.zone).date
        first = LocalTime(request.from, shared.zone).date
        // The axis reaches to the next session; future days do not count as missing.
        last = min(LocalTime(request.until.adding(seconds: -1), shared.zone).date, today)
    }

    var count: Int { Int(last.daysSince1970 - first.daysSince1970) + 1 }

    /// The days that the sentence counts. The day in which the period ends belongs to the next period, and today is
    /// not over: from one Wednesday's session to the next are seven.
    private var counted: ClosedRange<LocalDate> {
        let isCut = last == today || last == LocalTime(request.until, shared.zone).date
        return first...max(first, isCut ? last.adding(days: -1) : last)
    }
    private var texts: Texts { request.texts }
    private var words: HealthFormatter { HealthFormatter(texts: texts) }

    /// `6140 Schritte am Tag, 12 von 14 Tagen. Zuvor 7900 Schritte.`
    func days(_ type: MeasurementType, _ connection: borrowing Connection) throws -> SharedBand? {
        guard let measure = MeasurementSharing.Measure(rawValue: type.rawValue) else { return nil }
        let figures = try measured(type, from: first, to: last, connection)
        guard let all = figures.mean, let most = figures.days.compactMap(\.value).max() else { return nil }
        let days = counted
        let part = try measured(type, from: days.lowerBound, to: days.upperBound, connection)
        // A figure of a day that is not counted is better than none.
        var summary =
            part.mean.map { self.summary(words.value($0, type), days: part.whole.count, of: days) }
            ?? self.summary(words.value(all, type), days: figures.whole.count, of: first...last)
        let length = days.upperBound.daysSince1970 - days.lowerBound.daysSince1970 + 1
        let before = try measured(
            type, from: first.adding(days: -Int(length)), to: first.adding(days: -1), connection)
        if let earlier = before.mean {
            summary =
                texts[
                    "health.band_before", ["summary": summary, "value": words.value(earlier, type)]]
        }
        let marks = figures.days.compactMap { day in
            day.value.map { mark(day.date, most > 0 ? $0 / most : 0) }
        }
        return band(measure, summary, marks)
    }

    private func measured(
        _ type: MeasurementType, from: LocalDate, to: LocalDate, _ connection: borrowing Connection
    ) throws -> DayFigures {
        DayFigures(type, try shared.chosen(type, from: from, to: to, connection), today: today)
    }

    /// For sleeps and activities.
    func records(
        _ measure: MeasurementSharing.Measure, _ kind: HealthRecordKind, _ connection: borrowing Connection
    ) throws -> SharedBand? {
        guard let account = therapy.accountID,
            let visible = shared.stretch(of: measure, from: first, to: last)
        else { return nil }
        let times = try CountedTimes.read(kind, of: account, on: visible, shared.zone, connection)
        guard let mean = times.mean, let most = times.minutes.values.max() else { return nil }
        let summary = kind == .sleep ? nights(times.minutes, mean) : words.activities(times)
        let marks = times.minutes.sorted { $0.key < $1.key }.map { mark($0.key, $0.value / max(most, 1)) }
        return band(measure, summary, marks)
    }

    // MARK: Parts

    private func summary(_ value: String, days: Int, of all: ClosedRange<LocalDate>) -> String {
        let count = all.upperBound.daysSince1970 - all.lowerBound.daysSince1970 + 1
        return texts["health.summary", ["value": value, "n": String(days), "of": String(count)]]
    }

    private func nights(_ minutes: [LocalDate: Double], _ mean: Double) -> String {
        let days = counted
        let told = minutes.filter { days.contains($0.key) }.values
        let words = { (mean: Double) in self.words.duration(minutes: mean) }
        guard let counted = told.mean else {
            return summary(words(mean), days: minutes.count, of: first...last)
        }
        return summary(words(counted), days: told.count, of: days)
    }

    private func mark(_ date: LocalDate, _ height: Double) -> SharedBand.Mark {
        SharedBand.Mark(
            from: shared.zone.instant(date, hour: 0, minute: 0),
            until: shared.zone.instant(date.adding(days: 1), hour: 0, minute: 0), height: height)
    }

    private func band(
        _ measure: MeasurementSharing.Measure, _ summary: String, _ marks: [SharedBand.Mark]
    ) -> SharedBand {
        SharedBand(
            name: words.name(measure), summary: summary, marks: marks,
            page: "\(therapy.path)/health?type=\(measure.rawValue)")
    }
}
