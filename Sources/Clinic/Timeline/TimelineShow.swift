import Contributions
import Templates
import Web

extension TimelinePages {
    /// The content of the timeline.
    package struct Show: Page {
        package static let template = "timeline/show"
        package static let section: NavigationItem? = .patients
        package let head: PatientHead
        let zooms: [PageLink]
        package let sheet: ChartFrame
        /// The patient's own measurements, as shared.
        let bands: [SharedBandView]
        /// Whether the figures overlay all intervals.
        let isByDay: Bool
        package let filters: [PageLink]
        let intervals: [Part]
        package let older: String?
        package let isEmpty: Bool

        package struct Part: Encodable, Sendable {
            /// `session-11` for the events since session 11.
            package let id: String
            package let heading: String
            package let dates: String
            package let facts: [Fact]
            /// For a folded one: hidden on phones.
            var more: String?
            package let rows: Drawn<Row>
            /// The address that opens a folded one; nil for an open one.
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
            package let title: WrittenText
            package let link: String?
            package let scores: [ScoreText]
            /// The number of answered questions.
            package let basis: String?
            package let summary: String?
            package let badge: String?

            package let tone: String
            /// The dailies of a day, summed; nil for other rows.
            var day: Day?

            private static let names = [
                "kind", "when", "machineTime", "title", "link", "scores", "basis", "summary", "badge", "tone",
                "day",
            ]
            package var drawn: Value {
                let values: [Value] = [
                    .text(kind), .text(when), .text(machineTime), title.drawn, .text(link),
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
    }
}
