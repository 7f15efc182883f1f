import Contributions
import Database
import HTTP
import Instruments
import Psychometrics
import Questionnaires
import Studies
import Web
import Wire
import Wording

/// Results of scales over all participants: means, courses over time, and outcomes by group (IO-21).
package enum ResultPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/studies/:study/results", .studyLead, show)
    }

    package struct Show: Page {
        package static let template = "studies/results"
        package static let section: NavigationItem? = .studies
        package struct Row: Encodable, Sendable {
            package let scale: String
            package let questionnaire: String
            package let mean: String
            package let deviation: String
            package let people: String
            package let sheets: String
        }
        struct Compared: Encodable, Sendable {
            struct Arm: Encodable, Sendable {
                let name: String
                let people: String
                let begin: String
                let end: String
                let change: String
            }
            let title: String
            let when: String
            let rank: String
            let effects: [EffectFigure]
            let arms: [Arm]
        }
        package let head: StudyHead
        let compared: [Compared]
        let isCompared: Bool
        package let course: ChartFrame?
        package let rows: [Row]
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study.id
        let page = try c.read { connection -> Show in
            let people = try EnrolmentStore.consenting(in: study, connection)
            let scales = try StudyScale.all(in: study, c.language, c.services.questionnaires, connection)
            let groups = try GroupStore.find(study, connection)?.groups
            let weeks = try ScaleMeans.weeks(in: study, of: people, connection)
            let named = try StudyScale.named(
                by: groups, in: c.proof.study, c.language, c.services.questionnaires, connection)
            let compared = try groups.map { try comparisons($0, people, named, c, connection) } ?? []
            return Show(
                head: StudyHead.make(c, tab: .results), compared: compared, isCompared: !compared.isEmpty,
                course: course(groups, people, scales, weeks, OutcomeWords(c, groups)),
                rows: try means(weeks, c, connection))
        }
        return .page(page)
    }

    /// Means over persons, not over sheets: answering more often gives no more weight.
    private static func means(
        _ weeks: [String: [PersonWeek]], _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [Show.Row] {
        let format = ResultFormatter(texts: c.texts)
        return try StudyItemStore.all(in: c.proof.study.id, connection).distinct.flatMap {
            item -> [Show.Row] in
            // A retired one still has results.
            let cache = c.services.questionnaires
            let last = try QuestionnaireStore.versions(item.key, connection).first
            let newest = try last.flatMap { try QuestionnaireStore.find($0.id, cache, connection) }
            guard let definition = newest?.definition else { return [] }
            let language = definition.language(asked: c.language.rawValue)
            return definition.scales.map { scale in
                let means = ScaleMeans(weeks["\(item.key)/\(scale.key)"] ?? [])
                return Show.Row(
                    scale: scale.title[language] ?? scale.key,
                    questionnaire: newest?.title(c.language) ?? item.key,
                    mean: format.value(means.spread?.mean), deviation: format.value(means.spread?.deviation),
                    people: String(means.people), sheets: String(means.sheets))
            }
        }
    }

    // MARK: Groups

    private static func comparisons(
        _ groups: TrialDesign, _ people: [EnrolmentRecord], _ scales: [StudyScale], _ c: Context<StudyLead>,
        _ connection: borrowing Connection
    ) throws -> [Show.Compared] {
        try GroupComparison.all(groups, in: c.proof.study.id, of: people, connection).map { comparison in
            let words = OutcomeWords(c, groups)
            return compared(comparison, comparison.figure(scales, words), words)
        }
    }

    private static func compared(
        _ comparison: GroupComparison, _ figure: EffectFigure, _ words: OutcomeWords
    ) -> Show.Compared {
        let texts = words.texts
        let format = ResultFormatter(texts: texts)
        let arms = comparison.arms.map { arm in
            Show.Compared.Arm(
                name: words.arms.name(arm.arm),
                people: texts.count("timeline.n_of", arm.ends.count, of: arm.applying)
                    + (arm.excluded > 0
                        ? ", " + texts["studies.outcome_excluded", ["n": String(arm.excluded)]] : ""),
                begin: format.spread(arm.begins), end: format.spread(arm.ends),
                change: format.spread(arm.changes, isChange: true))
        }
        return Show.Compared(
            title: figure.title, when: figure.when,
            rank: texts[
                comparison.outcome.isPrimary ? "studies.outcome_primary" : "studies.outcome_secondary"],
            effects: [figure], arms: arms)
    }

    // MARK: Courses

    private static let mostCourses = 6

    /// Of the outcomes where there are groups, the primary ones first; else of the first scale of each questionnaire.
    private static func course(
        _ groups: TrialDesign?, _ people: [EnrolmentRecord], _ scales: [StudyScale],
        _ weeks: [String: [PersonWeek]], _ words: OutcomeWords
    ) -> ChartFrame? {
        let wanted = groups.map { groups in
            groups.outcomes.compactMap { outcome in
                scales.first { $0.isNamed(by: outcome) }
            }
        }
        var shown: [StudyScale] = []
        for scale in wanted ?? scales {
            let isThere = shown.contains {
                $0.key == scale.key && (wanted == nil || $0.scale == scale.scale)
            }
            if !isThere { shown.append(scale) }
        }
        let all = shown.prefix(mostCourses).map { scale -> (StudyScale, [WeeklyMeans]) in
            let values = weeks[scale.id] ?? []
            let arms: [StudyArm.Key?] = groups?.arms.map(\.key) ?? [nil]
            return (scale, arms.map { WeeklyMeans($0, people, values) })
        }
        let weeks = Set(all.flatMap(\.1).flatMap(\.weeks).map(\.week)).sorted()
        return weeks.isEmpty
            ? nil : CourseDrawing(weeks: weeks, arms: words.arms, texts: words.texts).sheet(all)
    }
}

/// Draws means by week since enrolment: a line for each arm, distinguished by colour and by dashes.
struct CourseDrawing {
    /// Those that have values, the first of them first.
    let weeks: [Int]
    let arms: ArmWords
    let texts: Texts

    private var last: Int { max(1, weeks.last ?? 1) }

    private static let height = 96.0
    private static let marks = 6

    func sheet(_ all: [(StudyScale, [WeeklyMeans])]) -> ChartFrame {
        // Marks stand where values are: on every week that has some, or on each second, third and so on of them.
        let step = max(1, (weeks.count + Self.marks - 1) / Self.marks)
        let days = stride(from: 0, to: weeks.count, by: step).map { index in
            ChartFrame.Day(x: percent(weeks[index]), text: String(weeks[index] + 1), isMinor: false)
        }
        return ChartFrame(
            isTimed: false, sessions: [], days: days, sessionLines: "", offLines: "", nextLine: "",
            pauses: "", axisName: texts["studies.week_head"],
            charts: all.filter { !$0.1.allSatisfy(\.weeks.isEmpty) }.map { chart($0.0, $0.1) })
    }

    private func x(_ week: Int) -> Double { Double(week) / Double(last) * 1000 }

    private func percent(_ week: Int) -> String {
        let tenths = week * 1000 / last
        return "\(tenths / 10).\(tenths % 10)%"
    }

    private func chart(_ scale: StudyScale, _ lines: [WeeklyMeans]) -> ChartView {
        let values = lines.flatMap(\.weeks).map(\.mean)
        let range = scale.definition.range ?? (values.min() ?? 0)...(values.max() ?? 1)
        let axis = ValueAxis(low: range.lowerBound, high: range.upperBound, height: Self.height)
        var grid = PathText()
        for value in [range.upperBound, range.lowerBound] { grid.horizontal(axis.y(value)) }
        let layers = lines.flatMap { means -> [ChartView.Layer] in
            var line = PathText()
            var dots = PathText()
            let points = means.weeks.map { (x: x($0.week), y: axis.y($0.mean)) }
            line.line(points)
            for point in points { dots.dot(point.x, point.y) }
            let kind = means.arm.map(arms.look) ?? "all"
            return [
                .init(kind: "arm-\(kind)", path: line.text), .init(kind: "mean-\(kind)", path: dots.text),
            ]
        }
        let reading = lines.compactMap(\.arm).map { arm in
            texts["studies.line_\(arms.look(arm))", ["arm": arms.name(arm)]]
        }
        let people = lines.flatMap(\.weeks).map(\.people).max() ?? 0
        return ChartView(
            id: "course-\(scale.key)-\(scale.scale)", name: scale.title,
            reading: reading.joined(separator: " · "), value: texts.count("studies.at_most", people),
            height: Int(Self.height),
            labels: [texts.number(range.upperBound), texts.number(range.lowerBound)], grid: grid.text,
            layers: layers, marks: [], table: table(lines), isEmpty: false)
    }

    private func table(_ lines: [WeeklyMeans]) -> ChartView.Table {
        let names = lines.map { $0.arm.map(arms.name) ?? texts["studies.mean"] }
        let weeks = Set(lines.flatMap { $0.weeks.map(\.week) }).sorted()
        let rows = weeks.map { week in
            ChartView.Table.Row(
                head: texts["studies.week", ["n": String(week + 1)]],
                cells: lines.map { means in
                    means.weeks.first { $0.week == week }.map {
                        "\(texts.number($0.mean, digits: 2)) (\($0.people))"
                    } ?? "–"
                })
        }
        return ChartView.Table(columns: [texts["studies.week_head"]] + names, rows: rows)
    }
}
