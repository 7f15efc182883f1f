import HTTP

/// What a button of the editor does to the form without storing anything (PR-18): everything typed stays.
enum RuleStep: Equatable {
    case preview
    /// A condition more, of a kind.
    case add(String)
    /// The condition in a row, from 1.
    case remove(Int)

    static let field = "step"
    /// What a row is made of.
    static let parts = ["kind", "item", "comparison", "value", "times", "of", "days"]

    /// Nil for a form that is to be stored.
    init?(_ form: Form) {
        let pieces = (form[Self.field] ?? "").split(separator: ":").map(String.init)
        switch pieces.first {
        case "preview": self = .preview
        case "add":
            let kind = form["add_kind"] ?? ""
            self = .add(RuleSheet.kinds.contains(kind) ? kind : RuleSheet.kinds[0])
        case "remove":
            guard let row = pieces.last.flatMap({ Int($0) }), 1...RuleSheet.rows ~= row else { return nil }
            self = .remove(row)
        default: return nil
        }
    }

    /// The row that is new, to begin in.
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
        if case .add(let kind) = self, rows.count < RuleSheet.rows {
            fields += Self.blank(kind, row: rows.count + 1)
        }
        return Form(fields)
    }

    /// A condition of a kind as it begins: two of three, because one value is noise.
    static func blank(_ kind: String, row: Int) -> [Form.Field] {
        let first = [
            "kind": kind, "item": "", "comparison": kind == "value" ? "at_most" : "at_least", "value": "",
            "times": "2", "of": "3", "days": "3",
        ]
        return parts.map { .init("\($0)_\(row)", first[$0] ?? "") }
    }

    /// The rows in which something stands; the first of an empty form.
    static func used(_ form: Form) -> [Int] {
        (1...RuleSheet.rows).filter { row in
            ["kind", "item", "value"].contains { !(form["\($0)_\(row)"] ?? "").isEmpty }
        }
    }

    private static func row(of name: String) -> Int? {
        guard let at = name.lastIndex(of: "_"), parts.contains(String(name[..<at])) else { return nil }
        return Int(name[name.index(after: at)...])
    }
}
