import Contributions
import Database
import HTTP
import Instruments
import Intake
import Questionnaires
import Templates
import Therapies
import Web
import Wire
import Wording

/// All answered sheets of a patient: one questionnaire as a table, sheet by sheet and item by item.
package enum AnswersPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/contributions", .caseloadReader, index)
    }

    package struct Index: Page {
        package static let template = "contributions/index"
        package static let section: NavigationItem? = .patients
        package struct Cell: Encodable, Sendable {
            package let label: String
            package let value: String
            package let basis: String
        }
        package struct Row: Encodable, Sendable {
            package let path: String
            package let when: String
            package let title: WrittenText
            package let basis: String
            package let note: String?
            /// Of all questionnaires, the value of the lead scale; of one, each scale has a column.
            let lead: Cell?
            package let cells: [Cell]
            /// Of the lead scale since the begin, as it was with this sheet.
            let change: Change?
        }
        struct Change: Encodable, Sendable {
            /// `64 → 48`.
            let course: String
            let verdict: String?
            let tone: String
        }
        package let head: PatientHead
        package let filters: [PageLink]
        let caption: WrittenText
        package let columns: [String]
        /// Whether one questionnaire is chosen.
        let isOne: Bool
        /// The course of its lead scale; nil for all questionnaires, and without values.
        let figure: ChartFrame?
        /// What is open, apart from what was answered.
        let open: [PatientShow.Open]
        let hasApart: Bool
        package let rows: [Row]
        package let isEmpty: Bool
        package let next: String?
        /// The number of refused sheets that wait for a decision.
        package let waiting: String?
        /// Discarded ones that can still be brought back; nil without any.
        package let discarded: String?
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let key = c.request.query["questionnaire_key"]
        let page = try c.read { connection in try make(c, paging, key, connection) }
        try FileLook.note(c)
        return .page(page)
    }

    private static func make(
        _ c: Context<Caseload>, _ paging: Paging, _ key: String?, _ connection: borrowing Connection
    ) throws -> Index {
        let therapy = c.proof.patient
        let cache = c.services.questionnaires
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        let known = try ContributionStore.keys(inTherapy: therapy.id, connection)
        let titles = try known.map { entry in
            let record = try QuestionnaireStore.find(entry.newest, cache, connection)
            return (key: entry.key, title: record?.title(c.language) ?? entry.key, count: entry.count)
        }
        let found = try ContributionStore.page(inTherapy: therapy.id, key: key, paging, connection)
        let scores = try ContributionStore.scores(of: found.part, connection)
        let newest = try known.first { $0.key == key }.flatMap {
            try QuestionnaireStore.find($0.newest, cache, connection)
        }
        let columns = newest?.definition.scales ?? []
        let series = try LeadScales.all(of: therapy, cache, connection)
        let rows = try found.part.compactMap { record -> Index.Row? in
            try QuestionnaireStore.find(record.questionnaireID, cache, connection).map { questionnaire in
                let own = series.first { $0.questionnaire.key == questionnaire.key }
                return row(record, questionnaire, own, scores[record.id] ?? [], columns, c)
            }
        }
        let chosen = series.first { $0.questionnaire.key == key }
        let figure = try chosen.map { series in
            try ScaleReader(series.questionnaire.key, series.scale.key, c, connection).figure(connection)
        }
        let open = try PatientShow.open(c, connection).filter { key == nil || $0.key == key }
        let path = "\(therapy.path)/contributions"
        let all = PageLink(label: c.texts["contributions.all"], path: path, isCurrent: key == nil)
        let filters = titles.map { entry in
            PageLink(
                label: "\(entry.title) (\(entry.count))",
                path: "\(path)?questionnaire_key=\(percentEncoded(entry.key))",
                isCurrent: entry.key == key)
        }
        let language = newest?.definition.language(asked: c.language.rawValue) ?? "de"
        let waiting = try QuarantineStore.count(at: .therapy(therapy.id), connection)
        let discarded = try QuarantineStore.countDiscarded(at: .therapy(therapy.id), now: c.now, connection)
        return Index(
            head: try PatientHead.make(c, tab: .contributions, sessions, connection),
            filters: [all] + filters,
            caption: newest?.written(on: c.language) ?? WrittenText(c.texts["contributions.all"]),
            columns: columns.map { $0.title[language] ?? $0.key }, isOne: newest != nil, figure: figure,
            open: open, hasApart: !open.isEmpty || waiting > 0 || discarded > 0, rows: rows,
            isEmpty: rows.isEmpty,
            next: found.next, waiting: waiting == 0 ? nil : c.texts.count("quarantine.waiting", waiting),
            discarded: discarded == 0 ? nil : c.texts.count("quarantine.discarded", discarded))
    }

    private static func row(
        _ record: ContributionRecord, _ questionnaire: QuestionnaireRecord, _ series: ScaleSeries?,
        _ scores: [ScaleScore], _ columns: [Scale], _ c: Context<Caseload>
    ) -> Index.Row {
        let texts = c.texts
        let language = questionnaire.definition.language(asked: c.language.rawValue)
        let cells = columns.map { scale -> Index.Cell in
            let label = scale.title[language] ?? scale.key
            guard let score = scores.first(where: { $0.scale == scale.key }) else {
                return Index.Cell(label: label, value: texts["contributions.none"], basis: "")
            }
            let value = score.value.map { texts.number($0, digits: 2) } ?? texts["contributions.none"]
            return Index.Cell(
                label: label, value: value,
                basis: texts.count("contributions.items", score.answered, of: score.items))
        }
        let note =
            record.isPaper
            ? texts["contributions.from_paper"]
            : record.isExtra
                ? texts["contributions.extra"]
                : record.admittedAt != nil ? texts["contributions.admitted"] : nil
        return Index.Row(
            path: "\(c.proof.patient.path)/contributions/\(record.id)",
            when: c.local(record.completedAt, in: record.timezone) { $0.dayAndTime(record.completedAt) },
            title: questionnaire.written(on: c.language),
            basis: texts.count("contributions.items", record.answered, of: record.asked), note: note,
            lead: columns.isEmpty ? lead(record, series, c) : nil, cells: cells,
            change: series.flatMap { change(record, $0, c) })
    }

    private static func lead(
        _ record: ContributionRecord, _ series: ScaleSeries?, _ c: Context<Caseload>
    ) -> Index.Cell? {
        guard let series, let score = series.points.first(where: { $0.id == record.id })?.score,
            let value = score.value
        else { return nil }
        return Index.Cell(
            label: series.title(c.language),
            value: ScoreFormatter(texts: c.texts).ofRange(value, series.scale),
            basis: c.texts.count("contributions.items", score.answered, of: score.items))
    }

    /// The change that was known with this sheet; nil for the first one.
    private static func change(
        _ record: ContributionRecord, _ series: ScaleSeries, _ c: Context<Caseload>
    ) -> Index.Change? {
        guard let place = series.points.firstIndex(where: { $0.id == record.id }) else { return nil }
        let known = ScaleSeries(
            questionnaire: series.questionnaire, scale: series.scale,
            points: Array(series.points[...place]))
        let change = ScoreChange(
            known, startedOn: c.proof.patient.startedOn, after: nil, zone: c.dates.zone)
        guard let first = change?.begin?.score.value, let last = change?.last.score.value else { return nil }
        let verdict = ClinicalChange(series.scale, from: first, to: last)
        return Index.Change(
            course: "\(c.texts.number(first)) → \(c.texts.number(last))",
            verdict: verdict.map { c.texts["charts.class_\($0.rawValue)"] },
            tone: verdict.map(ScoreFormatter.tone) ?? "plain")
    }
}
