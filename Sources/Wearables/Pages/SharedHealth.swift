import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// What a therapist sees of measurements, where the person shows it: a page, and bands along the time. By itself nothing (W6).
package enum SharedHealth {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/health", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "health/shared"
        package static let section: NavigationItem? = .patients

        let id: ID<Therapy>
        let codename: String
        /// Nil where nothing is shown.
        let view: HealthView?
        let healthStyles: String

        package static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", view: .example,
            healthStyles: "/assets/health.css")
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let view = try c.read { try shownView(c, $0) }
        return .page(
            Show(
                id: c.proof.patient.id, codename: c.proof.patient.codename, view: view,
                healthStyles: c.services.assets.alone("health")))
    }

    private static func shownView(
        _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> HealthView? {
        let therapy = c.proof.patient
        let shared = try SharedDays(in: therapy, connection)
        let shown = HealthChoice.measures.filter(shared.isShown)
        guard let first = shown.first,
            let account = try therapy.accountID.flatMap({ try AccountStore.find($0, connection) })
        else { return nil }
        var choice = HealthChoice(c.request.query, today: c.dates.today)
        if !shown.contains(choice.measure) {
            choice = HealthChoice(measure: first, span: choice.span, last: choice.last)
        }
        let visible = shared.stretch(of: choice.measure, from: choice.first, to: choice.last)
        let reader = HealthReader(
            account: account, key: try account.key(c.keys), texts: c.texts, dates: c.dates, choice: choice,
            path: "/patients/\(therapy.id)/health", isOwn: false, measures: shown, visible: visible)
        return try reader.view(connection)
    }

    // MARK: Bands

    /// One for each type of day that is shown and has figures: `6140 Schritte am Tag, 12 von 14 Tagen. Zuvor 7900 Schritte.`
    @Sendable static func bands(
        _ request: BandRequest, _ connection: borrowing Connection
    ) throws -> [SharedBand] {
        guard let therapy = try TherapyStore.find(ID(request.therapy.text), connection) else { return [] }
        let shared = try SharedDays(in: therapy, connection)
        if shared.isEmpty { return [] }
        let days = try MeasurementType.allCases.compactMap {
            try band($0, therapy, shared, request, connection)
        }
        return days + [try sleep(therapy, shared, request, connection)].compactMap(\.self)
    }

    private static func sleep(
        _ therapy: Therapy, _ shared: SharedDays, _ request: BandRequest,
        _ connection: borrowing Connection
    ) throws -> SharedBand? {
        let zone = request.dates.zone
        let (first, last) = days(request)
        guard first <= last, let account = therapy.accountID,
            let visible = shared.stretch(of: .sleep, from: first, to: last)
        else { return nil }
        let nights = SleepNights(
            try HealthRecordStore.minutes(
                of: .sleep, of: account, from: zone.instant(visible.lowerBound, hour: 0, minute: 0),
                until: zone.instant(visible.upperBound.adding(days: 1), hour: 0, minute: 0), connection), zone
        )
        guard let mean = nights.mean, let most = nights.minutes.values.max() else { return nil }
        let words = HealthWords(texts: request.texts)
        let summary = request.texts[
            "health.summary",
            [
                "value": words.duration(minutes: Int(mean.rounded())), "n": String(nights.minutes.count),
                "of": String(last.daysSince1970 - first.daysSince1970 + 1),
            ]]
        let marks = nights.minutes.sorted { $0.key < $1.key }.map {
            mark($0.key, $0.value / max(most, 1), zone)
        }
        return SharedBand(
            name: words.name(.sleep), summary: summary, marks: marks,
            page: "/patients/\(therapy.id)/health?type=sleep")
    }

    /// The days of the stretch. The axis goes on to the next session; what is not yet is no missing day.
    private static func days(_ request: BandRequest) -> (first: LocalDate, last: LocalDate) {
        let zone = request.dates.zone
        let last = LocalTime(request.until.adding(seconds: -1), zone).date
        return (LocalTime(request.from, zone).date, min(last, request.dates.today))
    }

    private static func mark(_ date: LocalDate, _ height: Double, _ zone: Zone) -> SharedBand.Mark {
        SharedBand.Mark(
            from: zone.instant(date, hour: 0, minute: 0),
            until: zone.instant(date.adding(days: 1), hour: 0, minute: 0), height: height)
    }

    private static func band(
        _ type: MeasurementType, _ therapy: Therapy, _ shared: SharedDays, _ request: BandRequest,
        _ connection: borrowing Connection
    ) throws -> SharedBand? {
        let zone = request.dates.zone
        let (first, last) = days(request)
        let count = Int(last.daysSince1970 - first.daysSince1970) + 1
        guard count > 0 else { return nil }
        let figures = DayFigures(type, try shared.chosen(type, from: first, to: last, connection))
        guard let mean = figures.mean, let most = figures.values.max() else { return nil }
        let words = HealthWords(texts: request.texts)
        var summary = request.texts[
            "health.summary",
            ["value": words.value(mean, type), "n": String(figures.values.count), "of": String(count)]]
        let before = DayFigures(
            type,
            try shared.chosen(
                type, from: first.adding(days: -count), to: first.adding(days: -1), connection))
        if let earlier = before.mean {
            summary =
                request.texts[
                    "health.band_before", ["summary": summary, "value": words.value(earlier, type)]]
        }
        let marks = figures.days.compactMap { day in
            day.value.map { mark(day.date, most > 0 ? $0 / most : 0, zone) }
        }
        return SharedBand(
            name: words.name(MeasurementSharing.Measure(rawValue: type.rawValue) ?? .steps), summary: summary,
            marks: marks, page: "/patients/\(therapy.id)/health?type=\(type.rawValue)")
    }
}
