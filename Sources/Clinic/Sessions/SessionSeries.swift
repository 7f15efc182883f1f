import JSON
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A series of sessions noted in one step: the same weekday and time of the clinic's clock. As in calendars (RFC
/// 5545, COUNT and EXDATE) an omitted day counts.
struct SessionSeries: Sendable {
    var everyWeeks = 1
    var count = 1
    var except: Set<LocalDate> = []

    static let longestStep = 12
    static let mostSessions = 60

    /// From the API, the member `repeat`; a single one without it.
    static func read(_ fields: InputReader) -> SessionSeries {
        guard let inner = fields.object("repeat") else { return SessionSeries() }
        var series = SessionSeries()
        series.everyWeeks = inner.whole("every_weeks", 1...longestStep, first: 1) ?? 1
        series.count = inner.whole("count", 1...mostSessions, first: 1) ?? 1
        switch inner.value("except") {
        case nil: break
        case .array(let days)? where days.count <= mostSessions:
            for (index, day) in days.enumerated() {
                if case .string(let text) = day, let date = LocalDate(text) {
                    series.except.insert(date)
                } else {
                    inner.refuse("except.\(index)", "errors.date")
                }
            }
        default: inner.refuse("except", "sessions.except_list", ["limit": String(mostSessions)])
        }
        fields.adopt(inner)
        return series
    }

    /// From the portal: how often, and days to omit, one a line.
    static func read(form fields: InputReader) -> SessionSeries {
        var series = SessionSeries()
        series.everyWeeks = fields.whole("repeat_weeks", 0...longestStep, first: 0) ?? 0
        series.count = fields.whole("repeat_count", 1...mostSessions, first: 1) ?? 1
        for line in (fields.text("repeat_except", limit: 2_000, lines: true) ?? "").split(
            whereSeparator: { $0.isNewline || $0 == "," || $0 == ";" })
        {
            let word = line.filter { !$0.isWhitespace }
            if word.isEmpty { continue }
            if let date = LocalDate(word) ?? written(word) {
                series.except.insert(date)
            } else {
                fields.refuse("repeat_except", "sessions.except_day", ["day": String(line.prefix(40))])
            }
        }
        if series.everyWeeks == 0 {
            series.everyWeeks = 1
            series.count = 1
        }
        return series
    }

    /// A day in the German notation: `24.12.2026`.
    private static func written(_ word: String) -> LocalDate? {
        let parts = word.split(separator: ".").compactMap { Int($0) }
        return parts.count == 3 ? LocalDate(year: parts[2], month: parts[1], day: parts[0]) : nil
    }

    /// The sessions of it, without the omitted days.
    /// - Returns: them, and how many of them fell into a pause.
    func drafts(
        from first: SessionDraft, _ zone: Zone, pauses: PauseSpans?
    ) -> (drafts: [SessionDraft], paused: Int) {
        let start = LocalTime(first.startsAt, zone)
        var drafts: [SessionDraft] = []
        var paused = 0
        for index in 0..<count {
            let day = start.date.adding(days: index * 7 * everyWeeks)
            if except.contains(day) { continue }
            if index > 0, pauses?.contains(day) ?? false {
                paused += 1
                continue
            }
            let startsAt =
                index == 0
                ? first.startsAt : zone.instant(day, hour: start.hour, minute: start.minute)
            drafts.append(first.moved(to: startsAt))
        }
        return (drafts, paused)
    }
}
