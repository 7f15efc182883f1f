import HTTP
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// One scale of a draft: its items, the reversed ones, and how they become a number.
package enum ScalePages {
    package static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/scales/:number", .author, show)
        routes.page(.post, "/questionnaires/:questionnaire/scales/:number", .author, update)
    }

    package struct Edit: Page {
        package static let template = "questionnaires/scale"
        package static let section: NavigationItem? = .questionnaires

        package struct Item: Encodable, Sendable {
            package let key: String
            package let text: String
            /// The possible values: "0–4".
            package let range: String
            package let isIn: Bool
            let isReversed: Bool
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
        package let name: LocalizedFields
        package let head: [FieldView]
        package let items: [Item]
        let itemErrors: [String]
        package let details: [FieldView]
        package let figures: [FieldView]
        package let rest: [String]
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        try EntryPage.show("scales", c) { page($0, c) }
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        try EntryPage.update("scales", c) { page($0, c) }
    }

    private static func page(_ view: EntryPage.View, _ c: Context<Member>) -> Edit {
        let index = view.index
        let draft = view.draft
        let document = view.document
        let place = DocumentPath("scales.\(index)")
        let texts = c.texts
        let fields = EditorFields(document, texts, c.services, isChecking: view.isChecking)
        let at = { (name: String) in place.appending(name) }
        let summary = fields.summary(below: place)
        let methods = [("mean", "questionnaires.method_mean"), ("sum", "questionnaires.method_sum")]
        let ends = [
            ("", "editor.no_direction"), ("true", "questionnaires.lower_better"),
            ("false", "questionnaires.higher_better"),
        ]
        let range = document.json.at(at("range"))?.array
        let head = [
            fields.field(at("key"), "editor.key", hint: "editor.scale_key_hint"),
            fields.select(at("method"), "editor.method", methods),
            fields.select(at("higher_is_worse"), "editor.direction", ends),
        ]
        let rangeError = fields.error(at: at("range"))
        let ranges = ["low", "high"].enumerated().map { position, name -> FieldView in
            let value = range.flatMap { $0.indices.contains(position) ? $0[position] : nil }
            return FieldView(
                name: at("range").appending(name).text, label: texts["editor.range_\(name)"],
                value: value?.number.map { fields.figure($0) } ?? value?.string ?? "",
                error: position == 0 ? rangeError : nil, inputMode: "decimal")
        }
        let details = [
            fields.number(
                at("minimum_answered"), "editor.minimum_answered", hint: "editor.minimum_answered_hint"),
            fields.number(at("factor"), "editor.factor", hint: "editor.factor_hint"),
            fields.check(at("percent"), "editor.percent"),
        ]
        let figures = [
            fields.number(at("cutoff"), "editor.cutoff", hint: "editor.cutoff_hint"),
            fields.number(at("reliability"), "editor.reliability"),
            fields.number(at("standard_deviation"), "editor.standard_deviation", hint: "editor.norms_hint"),
        ]
        let name = fields.localized(at("title"), "editor.scale_title")
        let itemErrors =
            [fields.error(at: at("items"))].compactMap(\.self) + fields.rest(below: at("items"))
            + fields.rest(below: at("reversed")) + [fields.error(at: at("reversed"))].compactMap(\.self)
        return Edit(
            id: draft.id, title: document.title(c.language) ?? document.key, number: String(index + 1),
            place: place.text, revision: String(draft.revision), isStale: view.isStale,
            canUndo: draft.previous != nil,
            isChecking: view.isChecking,
            errors: summary, name: name, head: head, items: items(document, place, fields, c),
            itemErrors: itemErrors, details: ranges + details, figures: figures,
            rest: fields.rest(below: place))
    }

    /// Every question that can be an item, and other entries of the scale, so that they can be removed.
    private static func items(
        _ document: DraftDocument, _ place: DocumentPath, _ fields: EditorFields, _ c: Context<Member>
    ) -> [Edit.Item] {
        let names = { (list: String) in
            (document.json.at(place.appending(list))?.array ?? []).compactMap(\.string)
        }
        let chosen = names("items")
        let reversed = names("reversed")
        let fitting = document.questions.filter { question in
            ["single", "slider", "sam", "yes_no", "number"].contains(question.json["type"]?.string)
        }
        var items = fitting.map { question -> Edit.Item in
            let key = question.json["key"]?.string ?? ""
            return Edit.Item(
                key: key, text: DraftDocument.text(question.json["text"], c.language) ?? "",
                range: range(question, document, fields), isIn: chosen.contains(key),
                isReversed: reversed.contains(key))
        }
        for key in chosen where !items.contains(where: { $0.key == key }) {
            items.append(
                Edit.Item(
                    key: key, text: c.texts["editor.not_an_item"], range: "", isIn: true,
                    isReversed: reversed.contains(key)))
        }
        return items
    }

    private static func range(
        _ question: (path: DocumentPath, json: JSON), _ document: DraftDocument, _ fields: EditorFields
    ) -> String {
        let json = question.json
        var ends: [Double] = []
        switch json["type"]?.string {
        case "yes_no": ends = [0, 1]
        case "single":
            let shared = document.json.at(DocumentPath(Array(question.path.steps.prefix(2))))
            let options = json["options"]?.array ?? shared?["options"]?.array ?? []
            ends = options.compactMap { $0["value"]?.number }.sorted()
        default: ends = [json["minimum"]?.number, json["maximum"]?.number].compactMap(\.self)
        }
        guard let low = ends.first, let high = ends.last, ends.count > 1 else { return "" }
        return "\(fields.figure(low))–\(fields.figure(high))"
    }
}
