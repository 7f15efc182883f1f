import Contributions
import Database
import HTTP
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// The intersession timeline: time divided by the sessions, all events of an interval under its heading.
package enum TimelinePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/timeline", .caseloadReader, show)
    }

    /// The most answer sheets of a page; older ones are a link away.
    static let pageSize = 120

    /// The query of the address.
    private struct Choice: Sendable {
        let kind: TimelineEvent.Kind?
        let zoom: Zoom
        let before: Instant?
        /// The unfolded interval, beside the present one.
        let open: String?

        /// Past intervals are folded to their headings (PR-13), as long as all kinds are shown from the newest on.
        var isFolded: Bool { kind == nil && before == nil }

        init(_ query: Form) {
            // A session's number stands for its anchor: hundreds of links contain it.
            open = query["open"].map { $0.allSatisfy(\.isNumber) ? "session-\($0)" : $0 }
            kind = query["kind"].flatMap(TimelineEvent.Kind.init(rawValue:))
            zoom = query["zoom"].flatMap(Zoom.init(rawValue:)) ?? .therapy
            before = query["before"].flatMap { Int64($0) }.map { Instant(milliseconds: $0) }
        }

        /// The query of a link that changes one of them.
        func query(kind: TimelineEvent.Kind?, zoom: Zoom) -> String {
            var parts: [String] = []
            if zoom != .therapy { parts.append("zoom=\(zoom.rawValue)") }
            if let kind { parts.append("kind=\(kind.rawValue)") }
            return parts.joined(separator: "&")
        }
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let choice = Choice(c.request.query)
        let therapy = c.proof.patient
        let page = try c.read { connection -> Show in
            let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            let history = try TherapyHistory(therapy.id, now: c.now, connection)
            let intervals = Interval.all(sessions, history)
            let reader = try TimelineReader(c, connection)
            let (filled, next) =
                choice.isFolded
                ? try open(choice.open, of: intervals, reader, sessions, connection)
                : try listed(choice, intervals, reader, sessions, connection)
            let axis = choice.zoom.axis(therapy, sessions, zone: c.dates.zone, now: c.now)
            let data = try ChartReader.read(c, sessions, history, connection)
            let words = IntervalFormatter(c, data, history)
            let bands = try SharedBandView.all(c, from: axis.from, until: axis.to, connection)
            return show(
                filled.reversed(), next: next, choice, sheet(data, axis, choice, c), bands,
                head: try PatientHead.make(c, tab: .timeline, sessions, connection), words)
        }
        try FileLook.note(c)
        return .page(page)
    }

    /// The present interval, and a requested one; of a full one the newest entries, with a link to older ones.
    private static func open(
        _ asked: String?, of intervals: [Interval], _ reader: TimelineReader, _ sessions: SessionList,
        _ connection: borrowing Connection
    ) throws -> ([Interval], next: Instant?) {
        var filled = intervals
        var next: Instant?
        for index in intervals.indices
        where index == intervals.count - 1 || intervals[index].anchor == asked {
            let interval = intervals[index]
            let boundary = try reader.boundary(before: interval.until, limit: pageSize, connection)
            let from = max(interval.from, boundary ?? .distantPast)
            if from > interval.from { next = from }
            filled[index].entries = try reader.entries(
                since: from, before: interval.until, sessions, connection)
        }
        return (filled, next)
    }

    /// All events of a kind, or before a moment, a page at a time.
    private static func listed(
        _ choice: Choice, _ intervals: [Interval], _ reader: TimelineReader, _ sessions: SessionList,
        _ connection: borrowing Connection
    ) throws -> ([Interval], next: Instant?) {
        let (entries, next) = try reader.page(
            before: choice.before ?? .distantFuture, limit: pageSize, sessions, connection)
        return (Interval.fill(intervals, with: entries), next)
    }

    private static func sheet(
        _ data: ChartData, _ axis: TimeAxis, _ choice: Choice, _ c: Context<Caseload>
    ) -> ChartFrame {
        if choice.zoom == .days {
            return DayCharting(data: data, texts: c.texts, dates: c.dates).sheet()
        }
        return Charting(
            data: data, axis: axis, texts: c.texts, dates: c.dates, now: c.now,
            begunOn: c.proof.patient.startedOn, therapy: c.proof.patient.id,
            path: "", query: choice.query(kind: choice.kind, zoom: choice.zoom)
        ).sheet()
    }

    private static func show(
        _ intervals: [Interval], next: Instant?, _ choice: Choice, _ sheet: ChartFrame,
        _ bands: [SharedBandView], head: PatientHead, _ words: IntervalFormatter
    ) -> Show {
        let path = "/patients/\(head.id)/timeline"
        let kind = choice.kind
        let link = { (kind: TimelineEvent.Kind?, zoom: Zoom) -> String in
            let query = choice.query(kind: kind, zoom: zoom)
            return query.isEmpty ? path : "\(path)?\(query)"
        }
        let rest = choice.query(kind: kind, zoom: choice.zoom)
        let unfold = { (interval: Interval) -> String? in
            let isOpen = interval.end == nil || interval.anchor == choice.open || !choice.isFolded
            if isOpen { return nil }
            // Relative to the page: there are hundreds of them.
            let name = interval.begin.map { $0.number.map { String($0) } ?? interval.anchor } ?? "0"
            return "?open=\(name)\(rest.isEmpty ? "" : "&" + rest)#\(interval.anchor)"
        }
        let coming = words.coming(intervals.first, kind: kind)
        let parts =
            [coming].compactMap(\.self)
            + intervals.indices.map { index in
                let before = index + 1 < intervals.count ? intervals[index + 1].sums : nil
                return words.part(
                    intervals[index], before: before, kind: kind, unfold: unfold(intervals[index]))
            }
        let zooms = Zoom.allCases.map { zoom in
            PageLink(
                label: words.texts["timeline.zoom_\(zoom.rawValue)"], path: link(kind, zoom),
                isCurrent: zoom == choice.zoom)
        }
        let isEmpty = parts.allSatisfy { $0.rows.isEmpty && $0.unfold == nil }
        return Show(
            head: head, zooms: zooms, sheet: sheet, bands: bands, isByDay: choice.zoom == .days,
            filters: filters(kind, { link($0, choice.zoom) }, words.texts),
            intervals: parts.filter {
                choice.isFolded && ($0.unfold != nil || kind == nil) || !$0.rows.isEmpty
            },
            older: next.map { "\(path)?before=\($0.milliseconds)\(rest.isEmpty ? "" : "&" + rest)" },
            isEmpty: isEmpty)
    }

    private static func filters(
        _ current: TimelineEvent.Kind?, _ link: (TimelineEvent.Kind?) -> String, _ texts: Texts
    ) -> [PageLink] {
        let kinds: [TimelineEvent.Kind] = [
            .contribution, .daily, .assignment, .intervention, .alert, .session,
        ]
        let all = PageLink(label: texts["timeline.filter_all"], path: link(nil), isCurrent: current == nil)
        return [all]
            + kinds.map { kind in
                PageLink(
                    label: texts["timeline.filter_\(kind.rawValue)"], path: link(kind),
                    isCurrent: kind == current)
            }
    }
}
