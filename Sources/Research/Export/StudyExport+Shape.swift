import Contributions
import Database
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Therapies
import Wording

extension StudyExport {
    /// The headers of SPSS files. Sheets are opened for it only where a question is answered in words, or has changed its
    /// type: all other lengths follow from the questionnaire.
    func shape(
        of people: [EnrolmentRecord], _ prompts: StudyPrompts, _ versions: [QuestionnaireRecord],
        masking: ExportMasking?, for formats: [Format], _ connection: borrowing Connection
    ) throws -> ExportShape {
        var shape = ExportShape()
        let tables = Set(formats.filter(\.tellsRows).compactMap(\.file))
        let isWide = formats.contains(.sav) || formats.contains(.timePointsSav)
        guard isWide || !tables.isEmpty else { return shape }
        let list = VariableList(versions, words)
        let worded = Set(list.variables.filter(\.isMeasured).map(\.questionnaire))
        shape.coded = CSVDialect.plain.text(list.notShown)
        for item in prompts.items {
            shape.widen("questionnaire", item.key)
            shape.widen("item_id", item.id.text)
            shape.widen("time_point", item.timePoint ?? ExportRow.studyWide)
        }
        for state in PromptState.allCases { shape.widen("prompt_state", state.rawValue) }
        for source in ExportRow.sources { shape.widen("source", source) }
        for enrolment in people {
            shape.widen("participant", enrolment.codename)
            shape.widen("arm", (masking?.masked(enrolment) ?? enrolment).arm?.rawValue ?? "")
            guard let account = try AccountStore.find(enrolment.accountID, connection) else { continue }
            let key = try account.key(keys)
            for (name, rows) in try further(of: enrolment, key, tables, connection) {
                for row in rows { shape.tables[name, default: .init()].add(row, of: enrolment.codename) }
            }
            shape.people += 1
            guard isWide else { continue }
            shape.rows += try count(prompts, enrolment, connection)
            try measure(enrolment, key, worded, &shape, connection)
        }
        return shape
    }

    private func measure(
        _ enrolment: EnrolmentRecord, _ key: PersonKey, _ worded: Set<String>, _ shape: inout ExportShape,
        _ connection: borrowing Connection
    ) throws {
        try StudyContributionStore.each(of: enrolment.id, connection) { record in
            shape.widen("timezone", record.timezone)
            let known = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            guard let known, worded.contains(known.key) else { return }
            shape.add(try JSON.parse(record.answers(key).bytes), known.definition)
        }
    }

    /// The number of a participant's occasions, without opening a sheet.
    private func count(
        _ prompts: StudyPrompts, _ enrolment: EnrolmentRecord, _ connection: borrowing Connection
    ) throws -> Int {
        let own = try prompts.of(enrolment, connection)
        let sheets = try StudyContributionStore.completions(as: enrolment.id, prompts, connection)
        let byItem = Dictionary(grouping: sheets, by: \.item)
        return prompts.items.reduce(0) { sum, item in
            let given = (byItem[item.id] ?? []).map { (at: $0.at, prompt: $0.prompt) }
            return sum + own.occasions(of: item, own.prompts(of: item, until: now), given, at: now).count
        }
    }
}
