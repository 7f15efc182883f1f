import HTTP

/// The effect of a button of the editor on the form, without storing (PR-18): all input stays.
enum RuleStep: Equatable {
    case preview
    /// Adds a condition of a kind.
    case add(String)
    /// Removes the condition in a row, from 1.
    case remove(Int)

    static let field = "step"
    /// The fields of a row.
    static let parts = ["kind", "item", "comparison", "value", "times", "of", "days"]

    /// Nil for a form to be stored.
    init?(_ form: Form) {
        let pieces = (form[Self.field] ?? "").split(separator: ":").map(String.init)
        switch pieces.first {
        case "preview": self = .preview
        case "add":
            let kind = form["add_kind"] ?? ""
            self = .add(RuleEditForm.kinds.contains(kind) ? kind : RuleEditForm.kinds[0])
        case "remove":
            guard let row = pieces.last.flatMap({ Int($0) }), 1...RuleEditForm.rows ~= row else { return nil }
            self = .remove(row)
        default: return nil
        }
    }

    /// The new row, to be focused.
    func fresh(in form: Form) -> Int? {
        guard case .add = self else { return nil }
        return Self.used(form).last
    }

    /// The form afterwards, its rows numbered without a gap.
    func applied(to form: Form) -> Form {
        var rows = Self.used(form)
        if case .remove(let row) = self { rows.removeAll { $0 == row } }
        var fields = form.fields.filter { Self.row(of: $0.name) == nil }
        for (index, row) in rows.enumerated() {
            for part in Self.parts {
                guard let value = form["\(part)_\(row)"] else { continue }
                fields.append(.init("\(part)_\(index + 1)", value))
            }
        }
        if case .add(let kind) = self, rows.count < RuleEditForm.rows {
            fields += Self.blank(kind, row: rows.count + 1)
        }
        return Form(fields)
    }

    /// A new condition of a kind: two of three, because one value is noise.
    static func blank(_ kind: String, row: Int) -> [Form.Field] {
        let first = [
            "kind": kind, "item": "", "comparison": kind == "value" ? "at_most" : "at_least", "value": "",
            "times": "2", "of": "3", "days": "3",
        ]
        return parts.map { .init("\($0)_\(row)", first[$0] ?? "") }
    }

    /// The rows with any input; the first of an empty form.
    static func used(_ form: Form) -> [Int] {
        (1...RuleEditForm.rows).filter { row in
            ["kind", "item", "value"].contains { !(form["\($0)_\(row)"] ?? "").isEmpty }
        }
    }

    private static func row(of name: String) -> Int? {
        guard let at = name.lastIndex(of: "_"), parts.contains(String(name[..<at])) else { return nil }
        return Int(name[name.index(after: at)...])
    }
}
