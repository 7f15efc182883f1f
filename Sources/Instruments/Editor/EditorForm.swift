import Foundation
import HTTP
import JSON
import Questionnaires
import Wording

/// Stores the input of a page of the editor. Fields are named after their places in the file; only those below the
/// page's own place are read. Text in place of a number is kept, and is a fault of the file.
package enum EditorForm {
    private static let numbers: Set<String> = [
        "value", "minimum", "maximum", "step", "minimum_choices", "maximum_choices", "factor",
        "minimum_answered", "cutoff", "reliability", "standard_deviation",
    ]
    private static let booleans: Set<String> = [
        "required", "exclusive", "percent", "higher_is_worse", "printable",
    ]
    private static let words: Set<String> = [
        "key", "type", "method", "aspect", "mode", "layout", "citation", "origin",
    ]

    /// - Parameter root: the place that the page edits; the whole file for its head.
    static func merge(_ form: Form, into document: inout DraftDocument, below root: DocumentPath) {
        let before = document.questions.map { ($0.path, $0.json["key"]?.string ?? "") }
        for field in form.fields {
            let path = DocumentPath(field.name)
            guard path.isInside(root), isPlace(path, below: root) else { continue }
            put(field, path, form, &document)
        }
        mergeCondition(form, &document, root)
        mergeScale(form, &document, root)
        let after = Dictionary(document.questions.map { ($0.path, $0.json["key"]?.string ?? "") }) {
            first, _ in first
        }
        let olds = counts(before.map(\.1))
        let news = counts(Array(after.values))
        for (path, old) in before {
            // References follow a key from unique to unique only: a typing mistake in between must not redirect them.
            guard olds[old] == 1, let new = after[path], new != old, news[new] == 1 else { continue }
            document.follow(old, renamedTo: new)
        }
        complete(&document, below: root)
    }

    private static func counts(_ keys: [String]) -> [String: Int] {
        Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// The names of all fields of the editor; `#` stands for an index, `~` for a language. Others change nothing.
    private static let places: Set<String> = {
        let option = ["value", "exclusive", "text.~"]
        let question =
            [
                "key", "type", "required", "text.~", "minimum", "maximum", "step", "minimum_label.~",
                "maximum_label.~", "minimum_choices", "maximum_choices", "aspect", "must_be_seen.at_least",
                "must_be_seen.any_of",
            ] + option.map { "options.#." + $0 }
        let section =
            ["key", "layout", "text.~"] + option.map { "options.#." + $0 }
            + question.map { "questions.#." + $0 }
        let scale = [
            "key", "title.~", "method", "factor", "percent", "minimum_answered", "higher_is_worse", "cutoff",
            "reliability", "standard_deviation", "range.low", "range.high",
        ]
        let head = [
            "key", "citation", "origin", "mode", "printable", "title.~", "description.~", "intro.~",
            "outro.~",
        ]
        return Set(head + section.map { "sections.#." + $0 } + scale.map { "scales.#." + $0 })
    }()

    /// The head's page must not change the sections.
    private static func isPlace(_ path: DocumentPath, below root: DocumentPath) -> Bool {
        let isHead = path.steps.first != .key("sections") && path.steps.first != .key("scales")
        return (isHead || !root.steps.isEmpty) && places.contains(path.shape)
    }

    private static func put(
        _ field: Form.Field, _ path: DocumentPath, _ form: Form, _ document: inout DraftDocument
    ) {
        guard let name = path.lastKey else { return }
        // An unticked box sends nothing; a hidden field before it shows that it was on the page.
        let text = form.all(field.name).last ?? field.value
        if numbers.contains(name) {
            document.set(path, JSON(typed: text, meant: form[TypedNumber.meantName(field.name)]))
        } else if booleans.contains(name) {
            document.set(path, text.isEmpty ? nil : .bool(text == "true"))
        } else if name == "at_least" || name == "any_of" {
            mergeAlarming(path.parent, form, &document)
        } else if name == "low" || name == "high" {
            mergeRange(path.parent, form, &document)
        } else if words.contains(name) || path.isTranslation {
            let typed = clean(text)
            document.set(path, typed.isEmpty ? nil : .string(typed))
        }
    }

    private static func clean(_ text: String) -> String {
        TypedLines.read(text).precomposedStringWithCanonicalMapping.trimmingCharacters(
            in: .whitespacesAndNewlines)
    }

    private static func number(_ form: Form, _ name: String) -> JSON? {
        JSON(typed: form[name] ?? "", meant: form[TypedNumber.meantName(name)])
    }

    private static func mergeRange(
        _ path: DocumentPath, _ form: Form, _ document: inout DraftDocument
    ) {
        let low = number(form, path.appending("low").text)
        let high = number(form, path.appending("high").text)
        let isGiven = low != nil || high != nil
        document.set(path, isGiven ? .array([low ?? .null, high ?? .null]) : nil)
    }

    /// A threshold, or single values separated by commas; both at once is a reported fault.
    private static func mergeAlarming(
        _ path: DocumentPath, _ form: Form, _ document: inout DraftDocument
    ) {
        var members: [JSON.Member] = []
        if let least = number(form, path.appending("at_least").text) {
            members.append(.init("at_least", least))
        }
        let typed = clean(form[path.appending("any_of").text] ?? "")
        // Decimal commas need a semicolon between the values.
        let separator: Character = typed.contains(";") ? ";" : ","
        let values = typed.split(separator: separator).compactMap {
            JSON(typed: $0.trimmingCharacters(in: .whitespaces))
        }
        if !values.isEmpty { members.append(.init("any_of", .array(values))) }
        document.set(path, members.isEmpty ? nil : .object(members))
    }

    private static func mergeCondition(
        _ form: Form, _ document: inout DraftDocument, _ root: DocumentPath
    ) {
        guard root.steps.first == .key("sections") else { return }
        let path = root.appending("visible_if")
        document.set(path, ConditionDraft(form, path.text)?.json)
    }

    /// The items of a scale are boxes, in the order of the questions.
    private static func mergeScale(
        _ form: Form, _ document: inout DraftDocument, _ root: DocumentPath
    ) {
        guard root.steps.first == .key("scales"), document.json.at(root) != nil else { return }
        let items = form.all("items")
        let reversed = form.all("reversed")
        document.set(root.appending("items"), .array(items.prefix(500).map { .string($0) }))
        // A reversed item outside of the scale stays ticked, and is a reported fault.
        let list = reversed.prefix(500).map { JSON.string($0) }
        document.set(root.appending("reversed"), list.isEmpty ? nil : .array(Array(list)))
    }

    /// Fills in the defaults of a question's type, where nothing was typed yet.
    private static func complete(_ document: inout DraftDocument, below root: DocumentPath) {
        for (path, question) in document.questions where path.isInside(root) {
            for (name, value) in FileReader.usual[question["type"]?.string ?? ""] ?? []
            where question[name] == nil {
                document.set(path.appending(name), value)
            }
        }
    }
}
