import Database
import HTTP
import Instruments
import Intake
import Questionnaires
import Records
import Responses
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
            package let title: String
            package let basis: String
            package let note: String?
            package let cells: [Cell]
        }
        package let head: PatientHead
        package let filters: [PageLink]
        let caption: String
        package let columns: [String]
        package let rows: [Row]
        package let isEmpty: Bool
        package let next: String?
        /// How many refused sheets wait for a decision.
        package let waiting: String?
        /// What was discarded and can still be brought back; nil when there is nothing.
        package let discarded: String?

        package static let example = Index(
            head: .example, filters: [PageLink(label: "ISF-K", path: "/patients", isCurrent: true)],
            caption: "ISF-K", columns: ["Intensität"],
            rows: [
                Row(
                    path: "/patients", when: "18.11.2026, 08:12", title: "ISF-K", basis: "8 von 8",
                    note: "zusätzlich ausgefüllt, nicht gewertet",
                    cells: [Cell(label: "Intensität", value: "2,7", basis: "6 von 6")])
            ], isEmpty: true, next: "/patients?cursor=1_a", waiting: "1 zurückgehaltener Fragebogen",
            discarded: "1 verworfen")
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
        let rows = try found.part.compactMap { record -> Index.Row? in
            try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
                row(record, $0, scores[record.id] ?? [], columns, c)
            }
        }
        let path = "/patients/\(therapy.id)/contributions"
        let all = PageLink(label: c.texts["contributions.all"], path: path, isCurrent: key == nil)
        let filters = titles.map { entry in
            PageLink(
                label: "\(entry.title) (\(entry.count))",
                path: "\(path)?questionnaire_key=\(percentEncoded(entry.key))",
                isCurrent: entry.key == key)
        }
        let language = newest?.definition.language(asked: c.language.rawValue) ?? "de"
        let waiting = try QuarantineStore.count(inTherapy: therapy.id, connection)
        let discarded = try QuarantineStore.discarded(inTherapy: therapy.id, at: c.now, connection).count
        return Index(
            head: PatientHead.make(c, tab: .contributions, sessions), filters: [all] + filters,
            caption: newest?.title(c.language) ?? c.texts["contributions.all"],
            columns: columns.map { $0.title[language] ?? $0.key }, rows: rows, isEmpty: rows.isEmpty,
            next: found.next, waiting: waiting == 0 ? nil : c.texts.count("quarantine.waiting", waiting),
            discarded: discarded == 0 ? nil : c.texts.count("quarantine.discarded", discarded))
    }

    private static func row(
        _ record: ContributionRecord, _ questionnaire: QuestionnaireRecord, _ scores: [ScaleScore],
        _ columns: [Scale], _ c: Context<Caseload>
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
            path: "/patients/\(c.proof.patient.id)/contributions/\(record.id)",
            when: c.local(record.completedAt, in: record.timezone) { $0.dayAndTime(record.completedAt) },
            title: questionnaire.title(c.language),
            basis: texts.count("contributions.items", record.answered, of: record.asked), note: note,
            cells: cells)
    }
}
