import Contributions
import Database
import HTTP
import Instruments
import Questionnaires
import Rules
import Therapies
import Web
import Wording

/// Gathers the content of a scale's page.
struct ScaleReader {
    private let c: Context<Caseload>
    private let series: ScaleSeries
    private let others: [ScaleSeries]
    private let sessions: SessionList

    /// - Throws: `Problem.notFound` for a scale without a sheet.
    init(
        _ key: String, _ scale: String, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws {
        self.c = c
        let therapy = c.proof.patient
        guard let own = try Self.series(key, scale, c, connection) else { throw Problem.notFound }
        series = own
        others = try LeadScales.all(of: therapy, c.services.questionnaires, connection).filter {
            $0.questionnaire.key != key || $0.scale.key != scale
        }
        sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
    }

    /// With words and figures of the newest answered version; the one in use now may differ.
    private static func series(
        _ key: String, _ scale: String, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> ScaleSeries? {
        let therapy = c.proof.patient.id
        let known = try ContributionStore.keys(inTherapy: therapy, connection)
        guard let entry = known.first(where: { $0.key == key }),
            let record = try QuestionnaireStore.find(entry.newest, c.services.questionnaires, connection),
            let scale = record.definition.scales.first(where: { $0.key == scale })
        else { return nil }
        let points = try ContributionStore.series(
            ofKey: key, scale: scale.key, inTherapy: therapy, connection)
        return ScaleSeries(
            questionnaire: record, scale: scale, points: points.filter { $0.score.value != nil })
    }

    private var texts: Texts { c.texts }

    func page(_ connection: borrowing Connection) throws -> ScaleCoursePages.Show {
        let therapy = c.proof.patient
        let second = try second(connection)
        let key = percentEncoded(series.questionnaire.key)
        return ScaleCoursePages.Show(
            id: therapy.id, codename: therapy.codename, path: series.path(of: therapy.id),
            title: series.title(c.language),
            questionnaire: series.questionnaire.title(c.language),
            sheets: "\(therapy.path)/contributions?questionnaire_key=\(key)",
            direction: ScoreFormatter(texts: texts).direction(series.scale), newest: newest(),
            sheet: try figure(second, connection),
            items: try ItemReader(series, c).table(connection), second: field(second),
            printed: texts["scale.printed", ["at": c.dates.dayAndTime(c.now)]])
    }

    private func newest() -> ScaleCoursePages.Show.Newest? {
        let change = ScoreChange(
            series, startedOn: c.proof.patient.startedOn, since: sessions.last, zone: c.dates.zone)
        guard let change else { return nil }
        let words = ScoreFormatter(texts: texts)
        let score = change.last.score
        return ScaleCoursePages.Show.Newest(
            value: texts.number(score.value ?? 0), range: words.range(series.scale),
            when: c.dates.short(change.last.at),
            basis: texts.count("contributions.questions", score.answered, of: score.items),
            link: "\(c.proof.patient.path)/contributions/\(change.last.id)",
            changes: words.changes(change, series.scale))
    }

    // MARK: Two scales

    /// The requested second scale; nil without one, and for an unknown one.
    private func second(_ connection: borrowing Connection) throws -> ScaleSeries? {
        guard let asked = c.request.query["with"], let slash = asked.lastIndex(of: "/") else { return nil }
        let key = String(asked[..<slash])
        let scale = String(asked[asked.index(after: slash)...])
        return try Self.series(key, scale, c, connection)
    }

    private func field(_ second: ScaleSeries?) -> FieldView? {
        if others.isEmpty { return nil }
        let name = { (series: ScaleSeries) in "\(series.questionnaire.key)/\(series.scale.key)" }
        let chosen = second.map(name) ?? ""
        let choices = [("", texts["scale.alone"])] + others.map { (name($0), $0.name(c.language)) }
        return FieldView(
            name: "with", label: texts["scale.beside"],
            choices: choices.map { .init(value: $0, label: $1, isChosen: $0 == chosen) }, isSelect: true)
    }

    // MARK: The figure

    private static let height = 300.0

    /// The course alone, for the list of its sheets.
    func figure(_ connection: borrowing Connection) throws -> ChartFrame { try figure(nil, connection) }

    private func figure(_ second: ScaleSeries?, _ connection: borrowing Connection) throws -> ChartFrame {
        let therapy = c.proof.patient
        let whole = Zoom.therapy.axis(therapy, sessions, zone: c.dates.zone, now: c.now)
        let first = series.points.first?.at
        let axis = TimeAxis(
            from: min(whole.from, first ?? whole.from), to: max(whole.to, series.points.last?.at ?? whole.to))
        let data = ChartData(
            sessions: sessions, pauses: try PauseStore.all(for: therapy, connection),
            dailies: DailySeries([]), slots: [], scales: [series],
            interventions: try InterventionStore.all(in: therapy.id, withWithdrawn: false, connection),
            daily: nil)
        let charting = Charting(
            data: data, axis: axis, texts: texts, dates: c.dates, now: c.now, begunOn: therapy.startedOn,
            therapy: therapy.id, path: "\(therapy.path)/timeline", query: "", height: Self.height)
        var charts = [charting.scale(series, link: nil)]
        if let second { charts.append(charting.scale(second, link: second.path(of: therapy.id))) }
        let given = charting.interventions()
        if !given.isEmpty { charts.append(given) }
        return charting.sheet(charts)
    }
}
