import Contributions
import Database
import Delivery
import HTTP
import Instruments
import Questionnaires
import Scheduling
import Therapies
import Web
import Wording

/// Two intervals between sessions side by side.
package enum ComparisonPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/comparison", .caseloadReader, show)
    }

    package struct Show: Page {
        package static let template = "timeline/comparison"
        package static let section: NavigationItem? = .patients
        package struct Row: Encodable, Sendable {
            package let label: String
            package let first: String
            package let second: String
            /// The second minus the first; nil where that is meaningless.
            package let difference: String?
        }
        package let head: PatientHead
        package let fields: [FieldView]
        /// The names of the two intervals.
        let firstName: String
        let secondName: String
        package let rows: [Row]
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply {
        let page = try c.read { connection -> Show in
            let sessions = try SessionStore.list(of: c.proof.patient, c.dates.zone, now: c.now, connection)
            let stretches = Stretch.all(sessions)
            let chosen = { (name: String, otherwise: Int) -> Int in
                let asked = c.request.query[name].flatMap { Int($0) } ?? otherwise
                return stretches.indices.contains(asked) ? asked : max(0, otherwise)
            }
            let first = chosen("first", stretches.count - 2)
            let second = chosen("second", stretches.count - 1)
            let therapy = c.proof.patient
            let cache = c.services.questionnaires
            let columns = try [first, second].map { index in
                Column(
                    stretch: stretches[index],
                    facts: try IntervalFacts(stretches[index], in: therapy.id, now: c.now, connection))
            }
            let scales = try LeadScales.all(of: therapy, cache, connection)
            return Show(
                head: try PatientHead.make(
                    c, tab: .timeline, below: c.texts["comparison.title"], sessions, connection),
                fields: [("first", first), ("second", second)].map { field($0, $1, stretches, c) },
                firstName: name(stretches[first], c), secondName: name(stretches[second], c),
                rows: rows(columns[0], columns[1], c) + rows(scales, columns[0], columns[1], c))
        }
        return .page(page)
    }

    /// One of the two.
    private struct Column {
        let stretch: Stretch
        let facts: IntervalFacts
    }

    private static func field(
        _ name: String, _ chosen: Int, _ stretches: [Stretch], _ c: Context<Caseload>
    ) -> FieldView {
        let choices = stretches.indices.reversed().map { index in
            let day = stretches[index].begin.map { " · " + c.dates.day($0.session.startsAt) } ?? ""
            return FieldView.Choice(
                value: String(index), label: self.name(stretches[index], c) + day,
                isChosen: index == chosen)
        }
        return FieldView(
            name: name, label: c.texts["comparison.\(name)"], choices: choices, isSelect: true)
    }

    private static func name(_ stretch: Stretch, _ c: Context<Caseload>) -> String {
        TimelinePages.heading(stretch.begin, stretch.end, c.texts, c.dates)
    }

    /// Shares and means with their n: the two may differ in length (PR-1).
    private static func rows(
        _ first: Column, _ second: Column, _ c: Context<Caseload>
    ) -> [Show.Row] {
        let texts = c.texts
        let length = { (column: Column) in
            column.stretch.days(c.dates).map { texts.count("comparison.days", $0) } ?? "–"
        }
        let share = { (label: String, first: (n: Int, of: Int), second: (n: Int, of: Int)) in
            Show.Row(
                label: texts[label], first: texts.share(first.n, of: first.of),
                second: texts.share(second.n, of: second.of), difference: texts.difference(first, second))
        }
        let one = first.facts
        let two = second.facts
        let moods = (one.dailies.mood?.mean, two.dailies.mood?.mean)
        return [
            Show.Row(
                label: texts["comparison.length"], first: length(first), second: length(second),
                difference: nil),
            share(
                "timeline.prompts", (one.dailies.answered, one.dailies.delivered),
                (two.dailies.answered, two.dailies.delivered)),
            share(
                "timeline.thoughts", (one.dailies.thoughts, one.dailies.answers),
                (two.dailies.thoughts, two.dailies.answers)),
            Show.Row(
                label: texts["briefing.mood"], first: texts.mean(one.dailies.mood, of: one.dailies.answers),
                second: texts.mean(two.dailies.mood, of: two.dailies.answers),
                difference: difference(moods.0, moods.1, texts)),
            share("briefing.interventions", (one.completed, one.given), (two.completed, two.given)),
        ]
    }

    /// The newest value of each lead scale in each of the two, with its day.
    private static func rows(
        _ scales: [ScaleSeries], _ first: Column, _ second: Column, _ c: Context<Caseload>
    ) -> [Show.Row] {
        scales.compactMap { series in
            let points = [first, second].map { column in
                series.points.last {
                    $0.at >= column.stretch.from && $0.at < column.stretch.until(c.now)
                }
            }
            guard points.contains(where: { $0 != nil }) else { return nil }
            let cells = points.map { point in
                point.map { point in
                    let day = c.dates.shortDay(LocalTime(point.at, c.dates.zone).date)
                    return "\(c.texts.number(point.score.value ?? 0)) (\(day))"
                } ?? "–"
            }
            return Show.Row(
                label: series.name(c.language), first: cells[0], second: cells[1],
                difference: difference(points[0]?.score.value, points[1]?.score.value, c.texts))
        }
    }

    private static func difference(_ from: Double?, _ to: Double?, _ texts: Texts) -> String? {
        guard let from, let to else { return nil }
        return ScoreFormatter(texts: texts).signed(to - from)
    }
}
