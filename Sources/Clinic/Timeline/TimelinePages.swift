import Database
import HTTP
import Records
import Responses
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// The intersession timeline: time cut by the sessions, everything between two of them under its interval.
package enum TimelinePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/timeline", .caseload, show)
    }

    /// How many answer sheets a page shows at most; older ones are a link away.
    static let pageSize = 120

    package struct Show: Page {
        package static let template = "timeline/show"
        package static let section: NavigationItem? = .patients
        package let head: PatientHead
        let zooms: [PageLink]
        package let sheet: ChartSheet
        /// Whether the figures lay all intervals over each other.
        let isByDay: Bool
        package let filters: [PageLink]
        let intervals: [Part]
        package let older: String?
        package let isEmpty: Bool

        package init(
            head: PatientHead, zooms: [PageLink], sheet: ChartSheet, isByDay: Bool, filters: [PageLink],
            intervals: [Part], older: String?, isEmpty: Bool
        ) {
            self.head = head
            self.zooms = zooms
            self.sheet = sheet
            self.isByDay = isByDay

            self.filters = filters
            self.intervals = intervals
            self.older = older
            self.isEmpty = isEmpty
        }

        package struct Part: Encodable, Sendable {
            /// `session-11` for what happened since session 11.
            package let id: String
            package let heading: String
            package let dates: String
            package let facts: [Fact]
            package let rows: Drawn<Row>
        }
        package struct Fact: Encodable, Sendable {
            package let number: String
            package let text: String
        }
        package struct Row: Drawable {
            package let kind: String
            package let when: String
            package let machineTime: String
            package let title: String
            package let link: String?
            package let scores: [ScoreText]
            /// How many of the questions were answered.
            package let basis: String?
            package let summary: String?
            package let badge: String?

            package let tone: String

            private static let names = [
                "kind", "when", "machineTime", "title", "link", "scores", "basis", "summary", "badge", "tone",
            ]
            package var drawn: Value {
                let values: [Value] = [
                    .text(kind), .text(when), .text(machineTime), .text(title), .text(link),
                    .list(scores.map(\.drawn)),
                    .text(basis), .text(summary), .text(badge), .text(tone),
                ]
                return .record(Record(names: Self.names, values: values))
            }
        }
        package struct ScoreText: Drawable {
            let label: String
            let value: String

            private static let names = ["label", "value"]
            package var drawn: Value {
                .record(Record(names: Self.names, values: [.text(label), .text(value)]))
            }
        }

        package static let example = Show(
            head: .example, zooms: [PageLink(label: "Therapie", path: "?", isCurrent: true)], sheet: .example,
            isByDay: false, filters: [PageLink(label: "Alles", path: "?", isCurrent: true)],
            intervals: [
                Part(
                    id: "session-11", heading: "Seit Sitzung 11", dates: "Dienstag, 17. November",
                    facts: [Fact(number: "10 von 11", text: "Abfragen beantwortet")],
                    rows: Drawn([
                        Row(
                            kind: "contribution", when: "Di 17.11. 08:12", machineTime: "2026-11-17T08:12",
                            title: "ISF-K", link: nil, scores: [ScoreText(label: "Intensität", value: "2,7")],
                            basis: "8 von 8", summary: nil, badge: nil, tone: "plain")
                    ]))
            ], older: nil, isEmpty: false)
    }

    /// What the address asks for.
    private struct Choice: Sendable {
        let kind: TimelineEvent.Kind?
        let zoom: Zoom
        let before: Instant?

        init(_ query: Form) {
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
        let before = choice.before
        let therapy = c.proof.patient
        let page = try c.read { connection -> Show in
            let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            let (entries, next) = try TimelineReader(c, connection).page(
                before: before ?? .distantFuture, limit: pageSize, sessions, connection)
            let window = (next ?? .distantPast)..<(before ?? .distantFuture)
            let dailies = try DailyStore.slots(
                in: therapy.id, from: window.lowerBound, until: min(window.upperBound, c.now),
                connection)
            let intervals = Interval.cut(entries, by: sessions, dailies: dailies, window: window)
            let axis = choice.zoom.axis(therapy, sessions, zone: c.dates.zone, now: c.now)
            let data = try ChartReader.read(c, sessions, axis, connection)
            return show(
                intervals, next: next, choice, sheet(data, axis, choice, c),
                head: PatientHead.make(c, tab: .timeline, sessions), c)
        }
        return .page(page)
    }

    private static func sheet(
        _ data: ChartData, _ axis: TimeAxis, _ choice: Choice, _ c: Context<Caseload>
    ) -> ChartSheet {
        if choice.zoom == .days {
            return DayCharting(data: data, texts: c.texts, dates: c.dates).sheet()
        }
        return Charting(
            data: data, axis: axis, texts: c.texts, dates: c.dates, now: c.now,
            begunOn: c.proof.patient.startedOn, path: "/patients/\(c.proof.patient.id)/timeline",
            query: choice.query(kind: choice.kind, zoom: choice.zoom)
        ).sheet()
    }

    private static func show(
        _ intervals: [Interval], next: Instant?, _ choice: Choice, _ sheet: ChartSheet, head: PatientHead,
        _ c: Context<Caseload>
    ) -> Show {
        let path = "/patients/\(c.proof.patient.id)/timeline"
        let kind = choice.kind
        let link = { (kind: TimelineEvent.Kind?, zoom: Zoom) -> String in
            let query = choice.query(kind: kind, zoom: zoom)
            return query.isEmpty ? path : "\(path)?\(query)"
        }
        let parts =
            [coming(intervals.first, kind: kind, c)].compactMap(\.self)
            + intervals.map { part($0, kind: kind, c) }
        let zooms = Zoom.allCases.map { zoom in
            PageLink(
                label: c.texts["timeline.zoom_\(zoom.rawValue)"], path: link(kind, zoom),
                isCurrent: zoom == choice.zoom)
        }
        let rest = choice.query(kind: kind, zoom: choice.zoom)
        return Show(
            head: head, zooms: zooms, sheet: sheet, isByDay: choice.zoom == .days,
            filters: filters(kind, { link($0, choice.zoom) }, c.texts),
            intervals: parts.filter { kind == nil || !$0.rows.isEmpty },
            older: next.map { "\(path)?before=\($0.milliseconds)\(rest.isEmpty ? "" : "&" + rest)" },
            isEmpty: parts.allSatisfy(\.rows.isEmpty))
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
