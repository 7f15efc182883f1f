import HTTP
import JSON
import Questionnaires
import Records
import Web
import Wording

/// One section of a draft: its text, its condition, its options, its questions.
package enum SectionPages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/sections/:number", .author, show)
        routes.page(.post, "/questionnaires/:questionnaire/sections/:number", .author, update)
    }

    package struct Edit: Page {
        package static let template = "questionnaires/section"
        package static let section: NavigationItem? = .questionnaires

        struct OptionRow: Encodable, Sendable {
            let place: String
            let value: FieldView
            let text: LocalizedFields
            let exclusive: FieldView?
        }
        package struct Options: Encodable, Sendable {
            let place: String
            let legend: String
            let rows: [OptionRow]
            let errors: [String]
        }
        package struct QuestionBlock: Encodable, Sendable {
            let place: String
            let number: String
            let heading: String
            let key: FieldView
            let kind: FieldView
            let required: FieldView
            let text: LocalizedFields
            let details: [FieldView]
            /// The answers that must be seen (PR-11); empty for questions answered in words.
            let alarming: [FieldView]
            let labels: [LocalizedFields]
            let isChoice: Bool
            let hasOwnOptions: Bool
            let options: Options?
            let errors: [String]
            let canMoveUp: Bool
            let canMoveDown: Bool
        }
        package struct ConditionRow: Encodable, Sendable {
            let place: String
            /// 0 to 4, for the indentation.
            let depth: String
            let kind: FieldView
            let question: FieldView?
            let value: FieldView?
            let canAdd: Bool
            let errors: [String]
        }

        package let id: ID<EditorDraft>
        package let title: String
        package let number: String
        package let place: String
        package let revision: String
        package let isStale: Bool
        package let canUndo: Bool
        let isChecking: Bool
        package let errors: ErrorSummary?
        package let key: FieldView
        package let text: LocalizedFields
        package let layout: FieldView
        let hasEarlier: Bool
        package let conditions: [ConditionRow]
        let hasCondition: Bool
        package let options: Options?
        package let questions: [QuestionBlock]
        package let rest: [String]
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try EntryPage.show("sections", c) { page($0, c) }
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try EntryPage.update("sections", c) { page($0, c) }
    }

    private static func page(_ view: EntryPage.View, _ c: Context<Member>) -> Edit {
        let index = view.index
        let draft = view.draft
        let document = view.document
        let place = DocumentPath("sections.\(index)")
        let texts = c.texts
        let fields = EditorFields(document, texts, c.services, isChecking: view.isChecking)
        let section = document.sections[index]
        let questions = section["questions"]?.array ?? []
        let usesShared = questions.contains { isChoice($0) && $0["options"] == nil }
        let hasShared = section["options"]?.array?.isEmpty == false
        let summary = fields.summary(below: place)
        let conditions = ConditionRows(fields, document, before: index, c.language)
        return Edit(
            id: draft.id, title: document.title(c.language) ?? document.key, number: String(index + 1),
            place: place.text, revision: String(draft.revision), isStale: view.isStale,
            canUndo: draft.previous != nil,
            isChecking: view.isChecking,
            errors: summary, key: fields.field(place.appending("key"), "editor.key"),
            text: fields.localized(place.appending("text"), "editor.section_text", isArea: true),
            layout: fields.select(
                place.appending("layout"), "editor.layout", layouts, hint: "editor.layout_hint"),
            hasEarlier: !conditions.questions.isEmpty,
            conditions: section["visible_if"].map {
                conditions.rows(ConditionDraft($0), place.appending("visible_if"))
            }
                ?? [],
            hasCondition: section["visible_if"] != nil,
            options: usesShared || hasShared
                ? options(place.appending("options"), "editor.shared_options", fields, questions) : nil,
            questions: questions.indices.map { number in
                block(
                    place.appending("questions").appending(number), questions[number],
                    isLast: number == questions.count - 1, fields, c)
            }, rest: fields.rest(below: place))
    }

    private static let layouts =
        [("", "editor.layout_usual")]
        + SectionLayout.allCases.map { ($0.rawValue, "editor.layout_\($0.rawValue)") }

    private static func isChoice(_ question: JSON) -> Bool {
        ["single", "multiple"].contains(question["type"]?.string)
    }

    private static func options(
        _ place: DocumentPath, _ legend: String, _ fields: EditorFields, _ questions: [JSON]
    ) -> Edit.Options {
        let isMultiple = questions.contains { $0["type"]?.string == "multiple" }
        let list = fields.document.json.at(place)?.array ?? []
        let error = fields.error(at: place)
        let rows = list.indices.map { index -> Edit.OptionRow in
            let row = place.appending(index)
            return Edit.OptionRow(
                place: row.text, value: fields.number(row.appending("value"), "editor.value"),
                text: fields.localized(row.appending("text"), "editor.answer"),
                exclusive: isMultiple ? fields.check(row.appending("exclusive"), "editor.exclusive") : nil)
        }
        return Edit.Options(
            place: place.text, legend: fields.texts[legend], rows: rows,
            errors: [error].compactMap(\.self) + fields.rest(below: place))
    }

    private static let kinds = ["single", "multiple", "slider", "sam", "yes_no", "text", "number", "date"]

    private static func block(
        _ place: DocumentPath, _ question: JSON, isLast: Bool, _ fields: EditorFields, _ c: Context<Member>
    ) -> Edit.QuestionBlock {
        let number = place.lastIndex ?? 0
        let kind = question["type"]?.string ?? ""
        let hasOwn = question["options"] != nil
        var details: [FieldView] = []
        var labels: [LocalizedFields] = []
        let at = { (name: String) in place.appending(name) }
        switch kind {
        case "multiple":
            details = [
                fields.number(at("minimum_choices"), "editor.minimum_choices"),
                fields.number(at("maximum_choices"), "editor.maximum_choices"),
            ]
        case "slider", "sam", "number":
            details = [
                fields.number(at("minimum"), "editor.minimum"),
                fields.number(at("maximum"), "editor.maximum"),
            ]
        default: break
        }
        if kind == "slider" { details.append(fields.number(at("step"), "editor.step")) }
        if kind == "sam" {
            let aspects = [("valence", "editor.valence"), ("arousal", "editor.arousal")]
            details.append(fields.select(at("aspect"), "editor.aspect", aspects))
        }
        if kind == "slider" || kind == "sam" {
            labels = [
                fields.localized(at("minimum_label"), "editor.minimum_label"),
                fields.localized(at("maximum_label"), "editor.maximum_label"),
            ]
        }
        let alarming =
            kind == "text" || kind == "date" ? [] : alarming(at("must_be_seen"), kind, question, fields)
        let isChoice = isChoice(question)
        let own = isChoice && hasOwn ? options(at("options"), "editor.own_options", fields, [question]) : nil
        let heading = c.texts["editor.question", ["n": String(number + 1)]]
        return Edit.QuestionBlock(
            place: place.text, number: String(number + 1), heading: heading,
            key: fields.field(at("key"), "editor.key", hint: "editor.question_key_hint"),
            kind: fields.select(at("type"), "editor.type", kinds.map { ($0, "questionnaires.type_\($0)") }),
            required: fields.check(at("required"), "editor.required"),
            text: fields.localized(at("text"), "editor.question_text", isArea: true), details: details,
            alarming: alarming, labels: labels, isChoice: isChoice, hasOwnOptions: hasOwn, options: own,
            errors: fields.rest(below: place), canMoveUp: number > 0, canMoveDown: !isLast)
    }

    private static func alarming(
        _ place: DocumentPath, _ kind: String, _ question: JSON, _ fields: EditorFields
    ) -> [FieldView] {
        let least = fields.number(
            place.appending("at_least"), "editor.must_be_seen_from", hint: "editor.must_be_seen_hint")
        guard isChoice(question) else { return [least] }
        var values = fields.field(place.appending("any_of"), "editor.must_be_seen_values")
        values.value = (question["must_be_seen"]?["any_of"]?.array ?? []).compactMap { value in
            value.number.map(TypedNumber.spelled) ?? value.string
        }.joined(separator: ", ")
        return [least, values]
    }
}
