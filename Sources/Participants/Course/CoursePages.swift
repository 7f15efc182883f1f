import Contributions
import HTTP
import Identity
import Instruments
import Questionnaires
import Studies
import Templates
import Web
import Wire
import Wording

/// The own course (TYS-9, TYT-2), and the own level beside the others' (TYS-8).
package enum CoursePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/results", .patient, show)
        routes.page(.get, "/my/results/:questionnaire", .patient, items)
    }

    package struct Show: Page {
        package static let template = "my/results"
        package static let section: NavigationItem? = .course

        package struct Part: Encodable, Sendable {
            package let key: String
            package let title: WrittenText
            package let charts: [CourseChart]
        }

        package let isEmpty: Bool
        package let parts: [Part]
        package let dailies: [CourseChart]
        let hasDailies: Bool
        package let comparisons: [Comparison]
        let hasComparisons: Bool
        package let sent: [OwnContributionPages.Entry]
    }

    package struct Items: Page {
        package static let template = "my/results-items"
        package static let section: NavigationItem? = .course
        package let title: String
        package let charts: [CourseChart]
    }

    private static let lately = 3

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let reader = CourseReader(c)
        let (parts, dailies, sent) = try c.read { connection in
            (
                try reader.parts(connection), try reader.dailies(connection),
                try OwnContributionPages.entries(
                    try ContributionStore.newest(of: account.id, key: nil, limit: lately, connection), c,
                    connection)
            )
        }
        let comparisons = try Comparison.all(c)
        return .page(
            Show(
                isEmpty: sent.isEmpty,
                parts: parts.map {
                    .init(
                        key: $0.record.key, title: $0.record.written(c.languages, on: c.language),
                        charts: $0.charts)
                }, dailies: dailies, hasDailies: !dailies.isEmpty, comparisons: comparisons,
                hasComparisons: !comparisons.isEmpty, sent: sent))
    }

    @Sendable static func items(_ c: Context<Member>) throws -> Reply {
        let reader = CourseReader(c)
        let key = c.places["questionnaire"] ?? ""
        guard let found = try c.read({ try reader.items(ofKey: key, $0) }) else { throw Problem.notFound }
        return .page(Items(title: found.record.title(c.languages), charts: found.charts))
    }
}

/// The own level beside the middle half of the others, drawn from the figures of the API.
package struct Comparison: Encodable, Sendable {
    package let title: String
    package let text: String
    /// `Ihr Mittel 2,4 aus 12 Fragebögen; …`.
    package let figures: String
    /// Nil while fewer than ten others have answered.
    package let figure: Figure?

    package struct Figure: Encodable, Sendable {
        package let words: String
        package let box: String
        package let median: String
        package let own: String
        package let low: String
        package let high: String
    }

    /// Those of one's own studies that one has answered.
    static func all(_ c: Context<Member>) throws -> [Comparison] {
        let feedback = try FeedbackAPI.all(c).map(\.attributes).filter { $0.level != nil }
        return try c.read { connection in
            try feedback.map { one in
                let record = try QuestionnaireStore.newest(
                    one.questionnaireKey, c.services.questionnaires, connection)
                return Comparison(one, range: record?.definition.scales.first?.range, c.texts)
            }
        }
    }

    private init(_ one: Feedback, range: ClosedRange<Double>?, _ texts: Texts) {
        title = "\(one.title): \(one.scale)"
        text = one.text
        let level = one.level ?? 0
        figures =
            texts[
                "course.own_level",
                ["value": texts.number(level), "count": texts.count("course.sheets", one.sheets)]]
        figure = one.distribution.map { Figure($0, level: level, range: range, texts) }
    }

    private init(title: String, text: String, figures: String, figure: Figure?) {
        self.title = title
        self.text = text
        self.figures = figures
        self.figure = figure
    }
}

extension Comparison.Figure {
    private static let edge = 20.0

    fileprivate init(
        _ others: Feedback.Distribution, level: Double, range: ClosedRange<Double>?, _ texts: Texts
    ) {
        let low = min(range?.lowerBound ?? others.lowerQuartile, level)
        let high = max(range?.upperBound ?? others.upperQuartile, level)
        let x = { (value: Double) -> Double in
            let share = high > low ? (value - low) / (high - low) : 0.5
            return Self.edge + min(1, max(0, share)) * (1000 - 2 * Self.edge)
        }
        var box = PathText()
        var median = PathText()
        var own = PathText()
        let left = x(others.lowerQuartile)
        box.bar(left, 10, width: x(others.upperQuartile) - left, to: 30)
        median.bar(x(others.median) - 2, 6, width: 4, to: 34)
        own.dot(x(level), 20)
        words =
            texts[
                "course.others",
                [
                    "n": String(others.participants), "low": texts.number(others.lowerQuartile),
                    "high": texts.number(others.upperQuartile), "median": texts.number(others.median),
                ]]
        self.box = box.text
        self.median = median.text
        self.own = own.text
        self.low = texts.number(low)
        self.high = texts.number(high)
    }
}
