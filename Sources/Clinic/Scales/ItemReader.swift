import Contributions
import Database
import Instruments
import Questionnaires
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Opens the newest sheets of a scale, with their answers side by side.
struct ItemReader {
    private let series: ScaleSeries
    private let c: Context<Caseload>
    /// The most columns that fit a page.
    static let most = 12

    init(_ series: ScaleSeries, _ c: Context<Caseload>) {
        self.series = series
        self.c = c
    }

    /// Nil without any sheet.
    func table(_ connection: borrowing Connection) throws -> ItemTable? {
        let therapy = c.proof.patient.id
        let key = series.questionnaire.key
        let found = try ContributionStore.earlier(
            of: key, inTherapy: therapy, before: .distantFuture, limit: Self.most, connection)
        let sheets = try OpenedContribution.all(found.reversed(), c.services, connection)
        if sheets.isEmpty { return nil }
        let definition = series.questionnaire.definition
        let language = definition.language(asked: c.language.rawValue)
        let left =
            try ContributionStore.keys(inTherapy: therapy, connection).first { $0.key == key }
            .map { $0.count - sheets.count } ?? 0
        let days = c.dates.numericDays(sheets.map(date))
        return ItemTable(
            columns: zip(sheets, days).map { sheet, day in
                ItemTable.Column(
                    label: day, path: "/patients/\(therapy)/contributions/\(sheet.record.id)",
                    isLast: sheet.record.id == sheets.last?.record.id)
            },
            rows: series.scale.items.compactMap { item in
                definition.question(item).map { row($0, sheets, language) }
            }, contentLanguage: language, more: left > 0 ? c.texts.count("scale.more", left) : nil)
    }

    private func date(_ sheet: OpenedContribution) -> LocalDate {
        LocalTime(sheet.record.completedAt, c.dates.zone).date
    }

    private func number(_ question: String, _ sheet: OpenedContribution) -> Double? {
        if case .number(let value)? = sheet.answers[question] { return value }
        return nil
    }

    private func row(
        _ question: QuestionnaireDefinition.Question, _ sheets: [OpenedContribution], _ language: String
    ) -> ItemTable.Row {
        let values = sheets.map { number(question.key, $0) }
        let cells = zip(sheets, values).enumerated().map { index, entry in
            let (sheet, value) = entry
            // The range of the version that was answered.
            let range =
                sheet.questionnaire.definition.question(question.key)?.possibleRange ?? question.possibleRange
            return ItemTable.Cell(
                value: value.map { c.texts.number($0) },
                shade: value.map { String(Self.shade($0, in: range)) } ?? "none",
                label: c.dates.day(date(sheet)),
                isLast: index == sheets.count - 1)
        }
        return ItemTable.Row(
            question: question.text[language] ?? question.key,
            moved: Self.hasRisen(values, in: question.possibleRange).map {
                c.texts[$0 ? "scale.risen" : "scale.fallen"]
            },
            cells: cells)
    }

    /// Five steps from the lowest answer to the highest.
    static func shade(_ value: Double, in range: ClosedRange<Double>?) -> Int {
        guard let range, range.upperBound > range.lowerBound else { return 0 }
        let share = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Int((min(1, max(0, share)) * 4).rounded())
    }

    /// Whether the newest answer differs from the one before by at least two steps, and two fifths of the range.
    /// - Returns: whether it is the higher one; nil where the difference is smaller, or there is none before.
    static func hasRisen(_ values: [Double?], in range: ClosedRange<Double>?) -> Bool? {
        guard let range, let newest = values.last ?? nil,
            let before = values.dropLast().last(where: { $0 != nil }) ?? nil
        else { return nil }
        let far = max(2, (range.upperBound - range.lowerBound) * 0.4)
        let difference = newest - before
        guard abs(difference) >= far - 1e-9 else { return nil }
        return difference > 0
    }
}
