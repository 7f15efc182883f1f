import Responses
import Templates
import Web
import Wording

extension TimelinePages {
    /// What stands on the timeline.
    package struct Show: Page {
        package static let template = "timeline/show"
        package static let section: NavigationItem? = .patients
        package let head: PatientHead
        let zooms: [PageLink]
        package let sheet: ChartSheet
        /// What the person measures themselves and shows.
        let bands: [SharedBandView]
        /// Whether the figures lay all intervals over each other.
        let isByDay: Bool
        package let filters: [PageLink]
        let intervals: [Part]
        package let older: String?
        package let isEmpty: Bool

        package init(
            head: PatientHead, zooms: [PageLink], sheet: ChartSheet, bands: [SharedBandView],
            isByDay: Bool, filters: [PageLink],
            intervals: [Part], older: String?, isEmpty: Bool
        ) {
            self.head = head
            self.zooms = zooms
            self.sheet = sheet
            self.bands = bands
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
            /// Of a folded one: what phones leave out.
            var more: String?
            package let rows: Drawn<Row>
            /// Where a folded one is opened; nil for one that is.
            let unfold: String?
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
            /// The dailies of a day, summed; nil for everything else.
            var day: Day?

            private static let names = [
                "kind", "when", "machineTime", "title", "link", "scores", "basis", "summary", "badge", "tone",
                "day",
            ]
            package var drawn: Value {
                let values: [Value] = [
                    .text(kind), .text(when), .text(machineTime), .text(title), .text(link),
                    .list(scores.map(\.drawn)),
                    .text(basis), .text(summary), .text(badge), .text(tone), day.map(\.drawn) ?? .null,
                ]
                return .record(Record(names: Self.names, values: values))
            }
        }
        /// Three prompts in one row, opened to the single ones (PR-13).
        package struct Day: Drawable {
            /// One for each answer, the earliest first: whether the therapy came to mind.
            let dots: [Bool]
            let words: String
            let rows: [Row]

            private static let names = ["dots", "words", "rows"]
            private static let dotNames = ["isThought"]
            package var drawn: Value {
                let dots = dots.map { Value.record(Record(names: Self.dotNames, values: [.bool($0)])) }
                return .record(
                    Record(
                        names: Self.names,
                        values: [.list(dots), .text(words), .list(rows.map(\.drawn))]))
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
            bands: [.example], isByDay: false,
            filters: [PageLink(label: "Alles", path: "?", isCurrent: true)],
            intervals: [
                Part(
                    id: "session-11", heading: "Seit Sitzung 11", dates: "Dienstag, 17. November",
                    facts: [Fact(number: "10 von 11", text: "Abfragen beantwortet")],
                    rows: Drawn([
                        Row(
                            kind: "contribution", when: "Di 17.11. 08:12", machineTime: "2026-11-17T08:12",
                            title: "ISF-K", link: nil, scores: [ScoreText(label: "Intensität", value: "2,7")],
                            basis: "8 von 8", summary: nil, badge: nil, tone: "plain")
                    ]), unfold: nil),
                Part(
                    id: "session-10", heading: "Zwischen Sitzung 10 und 11", dates: "",
                    facts: [Fact(number: "10 von 11", text: "Abfragen beantwortet")], rows: Drawn([]),
                    unfold: "/patients"),
            ], older: nil, isEmpty: false)
    }
}
