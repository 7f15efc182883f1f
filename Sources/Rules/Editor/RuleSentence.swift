import HTTP
import Instruments
import Psychometrics
import Web
import Wire
import Wording

/// The conditions as sentences whose gaps are fields (PR-18).
package struct RuleSentence {
    /// A part of a sentence: words, or a gap to fill in.
    struct Piece: Encodable, Sendable {
        var text: String?
        var gap: Gap?
    }

    /// A field inside of a sentence.
    struct Gap: Encodable, Sendable {
        let id: String
        let label: String
        let value: String
        let isSelect: Bool
        let groups: [Group]
        let inputMode: String?
        let describedBy: String?
        /// Whether it has the focus after its condition was added.
        let isFirst: Bool
    }

    /// Choices under one heading; those without one come first.
    struct Group: Encodable, Sendable {
        let heading: String?
        let choices: [FieldView.Choice]
    }

    /// A note on a gap.
    struct Note: Encodable, Sendable {
        let id: String
        let text: String
        let isError: Bool
        /// What a typed number may mean, where that is asked.
        var readings: [Reading] = []
        var isAsked = false
    }

    /// The value of a field that the sentence has no gap for.
    struct Kept: Encodable, Sendable {
        let name: String
        let value: String
    }

    /// One condition.
    package struct Row: Encodable, Sendable {
        let number: Int
        let legend: String
        let lead: String
        let kind: FieldView
        let pieces: [Piece]
        let notes: [Note]
        let kept: [Kept]
        let removal: String?
    }

    let items: RuleItems
    let filled: FormState
    /// The row that was just added.
    let fresh: Int?

    /// The fields that have gaps in a kind's sentence, with the sentence's name.
    private static func sentence(of kind: String) -> (name: String, gaps: [String]) {
        switch kind {
        case "mean": ("mean", ["of", "item", "comparison", "value"])
        case "change_begin", "change_last": ("change", ["item", "comparison", "value"])
        case "worsening_begin", "worsening_last": ("worsening", ["item"])
        case "improvement_begin", "improvement_last": ("improvement", ["item"])
        case "missed": ("missed", ["item", "times"])
        case "silent": ("silent", ["days"])
        default: ("value", ["item", "times", "of", "comparison", "value"])
        }
    }

    /// The conditions to draw; at least one.
    func rows() -> [Row] {
        let used = RuleStep.used(filled.form)
        let rows = used.isEmpty ? [1] : used
        return rows.map { row($0, isOnly: rows.count == 1, isFirst: $0 == rows.first) }
    }

    private func row(_ number: Int, isOnly: Bool, isFirst: Bool) -> Row {
        let texts = filled.texts
        let (kindField, kind) = self.kind(number)
        let (name, gaps) = Self.sentence(of: kind)
        var fields: [String: FieldView] = [:]
        for gap in gaps { fields[gap] = field(gap, number, kind) }
        let combine = filled.form["combine"] == "any" ? "any" : "all"
        let kept = RuleStep.parts.dropFirst().filter { !gaps.contains($0) }.compactMap { part in
            let value = filled.form["\(part)_\(number)"] ?? ""
            return value.isEmpty ? nil : Kept(name: "\(part)_\(number)", value: value)
        }
        return Row(
            number: number, legend: texts["rules.condition", ["n": String(number)]],
            lead: texts[isFirst ? "rules.sentence_when" : "rules.sentence_\(combine)"], kind: kindField,
            pieces: pieces(name, kind, number, fields), notes: gaps.flatMap { notes(fields[$0]) },
            kept: kept, removal: isOnly ? nil : texts["rules.remove_condition", ["n": String(number)]])
    }

    /// - Returns: the field, and the kind whose sentence is drawn.
    private func kind(_ number: Int) -> (FieldView, String) {
        let texts = filled.texts
        var view = filled.field("kind_\(number)", label: "rules.kind", first: RuleEditForm.kinds[0])
        view.isSelect = true
        let isUnknown = !RuleEditForm.kinds.contains(view.value)
        view.choices =
            isUnknown ? [.init(value: "", label: texts["assignments.choose"], isChosen: true)] : []
        view.choices += RuleEditForm.kinds.map {
            .init(value: $0, label: texts["rules.kind_\($0)"], isChosen: $0 == view.value)
        }
        return (view, isUnknown ? RuleEditForm.kinds[0] : view.value)
    }

    private func field(_ name: String, _ number: Int, _ kind: String) -> FieldView {
        let first = ["comparison": "at_least", "times": "1", "of": "1", "days": "7"][name] ?? ""
        let label = name == "item" && kind == "missed" ? "assignments.questionnaire" : "rules.\(name)"
        return filled.field("\(name)_\(number)", label: label, first: first)
    }

    // MARK: Words and gaps

    /// A sentence cut at its gaps.
    private func pieces(
        _ name: String, _ kind: String, _ number: Int, _ fields: [String: FieldView]
    ) -> [Piece] {
        let texts = filled.texts
        let chosen = fields["item"]?.value ?? ""
        var words = [
            "since": texts[kind.hasSuffix("_last") ? "rules.since_last" : "rules.since_begin"],
            "sheets": texts[items.isDaily(chosen) ? "rules.sentence_dailies" : "rules.sentence_sheets"],
            "source": items.title(of: chosen).map { texts["rules.sentence_source", ["title": $0]] } ?? "",
        ]
        let mark = "\u{1}"
        for gap in fields.keys { words[gap] = "\(mark)\(gap)\(mark)" }
        let stretches = texts["rules.sentence_\(name)", words].split(
            separator: Character(mark), omittingEmptySubsequences: false)
        var isFirst = fresh == number
        return stretches.enumerated().compactMap { index, stretch in
            guard index % 2 == 1 else { return Piece(text: String(stretch)) }
            guard let field = fields[String(stretch)] else { return nil }
            defer { isFirst = false }
            return Piece(gap: gap(String(stretch), field, kind, isFirst: isFirst))
        }
    }

    private func gap(_ name: String, _ field: FieldView, _ kind: String, isFirst: Bool) -> Gap {
        let texts = filled.texts
        var groups: [Group] = []
        switch name {
        case "item": groups = items.groups(for: kind, chosen: field.value, texts)
        case "comparison":
            let choices = Threshold.Comparison.allCases.map { comparison in
                FieldView.Choice(
                    value: comparison.rawValue, label: texts["rules.comparison_\(comparison.rawValue)"],
                    isChosen: comparison.rawValue == field.value)
            }
            groups = [Group(heading: nil, choices: choices)]
        default: break
        }
        let notes = notes(field)
        return Gap(
            id: field.name, label: field.label, value: field.value, isSelect: !groups.isEmpty, groups: groups,
            inputMode: name == "value" ? "decimal" : "numeric",
            describedBy: notes.isEmpty ? nil : notes.map(\.id).joined(separator: " "), isFirst: isFirst)
    }

    /// The error of a gap, and the stored value where it was changed meanwhile.
    private func notes(_ field: FieldView?) -> [Note] {
        guard let field else { return [] }
        var notes: [Note] = []
        if let error = field.error {
            notes.append(
                Note(
                    id: "\(field.name)-error", text: "\(field.label): \(error)", isError: true,
                    readings: field.readings, isAsked: !field.readings.isEmpty))
        }
        if let stored = field.stored {
            let words = items.label(of: stored.value, filled.texts) ?? stored.value
            let text =
                "\(field.label): \(filled.texts["forms.stored"]) \(words.isEmpty ? stored.empty : words)"
            notes.append(Note(id: "\(field.name)-stored", text: text, isError: false))
        }
        return notes
    }
}
