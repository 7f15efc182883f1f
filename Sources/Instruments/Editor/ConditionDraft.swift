import HTTP
import JSON
import Questionnaires
import Wording

/// A condition that is being edited: a tree of comparisons, named as in the editor's fields.
struct ConditionDraft: Sendable, Equatable {
    enum Kind: String, Sendable, CaseIterable {
        case equals, all, any, not
        case anyOf = "any_of"
        case atLeast = "at_least"

        static let order: [Kind] = [.equals, .anyOf, .atLeast, .all, .any, .not]
        var isGroup: Bool { [.all, .any, .not].contains(self) }
    }

    var kind = Kind.equals
    var question = ""
    /// As typed; several values are separated by semicolons.
    var value = ""
    var parts: [ConditionDraft] = []

    init() {}

    // MARK: From and to the file

    init(_ json: JSON) {
        kind = Kind.order.reversed().first { json[$0.rawValue] != nil } ?? .equals
        switch kind {
        case .all, .any: parts = (json[kind.rawValue]?.array ?? []).map(ConditionDraft.init)
        case .not: parts = json["not"].map { [ConditionDraft($0)] } ?? []
        case .equals, .anyOf, .atLeast:
            question = json["question"]?.string ?? ""
            let value = json[kind.rawValue]
            self.value = (value?.array ?? [value].compactMap(\.self)).map(Self.words).joined(separator: "; ")
        }
    }

    private static func words(_ json: JSON) -> String {
        json.number.map(TypedNumber.spelled) ?? json.string ?? ""
    }

    var json: JSON {
        switch kind {
        case .all, .any: return .object([.init(kind.rawValue, .array(parts.map(\.json)))])
        case .not: return .object([.init("not", parts.first?.json ?? ConditionDraft().json)])
        case .equals, .atLeast:
            return .object([
                .init("question", .string(question)), .init(kind.rawValue, JSON(typed: value) ?? .null),
            ])
        case .anyOf:
            // A comma may be a decimal comma; only without semicolons does it separate.
            let separator: Character = value.contains(";") ? ";" : value.contains(",") ? "," : " "
            let values = value.split(separator: separator).compactMap { JSON(typed: String($0)) }
            return .object([.init("question", .string(question)), .init("any_of", .array(values))])
        }
    }

    // MARK: From the form

    /// Nil when the form has no condition with this name.
    init?(_ form: Form, _ name: String, depth: Int = 0) {
        guard depth < 20, let kind = form[name + ".kind"].flatMap(Kind.init(rawValue:)) else { return nil }
        self.kind = kind
        question = form[name + ".question"] ?? ""
        value = form[name + ".value"] ?? ""
        var index = 0
        while index < 50, let part = ConditionDraft(form, "\(name).parts.\(index)", depth: depth + 1) {
            parts.append(part)
            index += 1
        }
        regroup()
    }

    /// Converts to another kind and keeps the input: a comparison becomes the first of a group, and back.
    private mutating func regroup() {
        if kind.isGroup && parts.isEmpty {
            var inner = ConditionDraft()
            inner.question = question
            inner.value = value
            parts = [inner]
        } else if !kind.isGroup, question.isEmpty, value.isEmpty,
            let first = parts.first(where: { !$0.kind.isGroup })
        {
            question = first.question
            value = first.value
        }
        if !kind.isGroup {
            parts = []
        } else {
            question = ""
            value = ""
        }
        if kind == .not, parts.count > 1 {
            var inner = ConditionDraft()
            inner.kind = .all
            inner.parts = parts
            parts = [inner]
        }
    }

    // MARK: Changing the tree

    /// Adds a comparison to a group.
    mutating func add(at path: [Int]) {
        change(at: path[...]) { if $0.kind.isGroup && $0.kind != .not { $0.parts.append(ConditionDraft()) } }
    }

    /// Removes a part; a group that becomes empty goes, too.
    /// - Returns: whether anything is left.
    mutating func remove(at path: [Int]) -> Bool {
        guard let last = path.last else { return false }
        change(at: path.dropLast()) { if $0.parts.indices.contains(last) { $0.parts.remove(at: last) } }
        return prune()
    }

    private mutating func prune() -> Bool {
        guard kind.isGroup else { return true }
        parts = parts.compactMap { part in
            var part = part
            return part.prune() ? part : nil
        }
        return !parts.isEmpty
    }

    private mutating func change(at path: ArraySlice<Int>, _ body: (inout ConditionDraft) -> Void) {
        guard let first = path.first else { return body(&self) }
        guard parts.indices.contains(first) else { return }
        parts[first].change(at: path.dropFirst(), body)
    }

    /// The field of a fault inside a condition: `visible_if.all[0].equals` is `visible_if.parts.0.value`.
    static func field(_ path: DocumentPath) -> DocumentPath {
        guard let start = path.steps.firstIndex(of: .key("visible_if")) else { return path }
        var steps = Array(path.steps[...start])
        var rest = path.steps[(start + 1)...]
        while let step = rest.popFirst() {
            switch step {
            case .key("all"), .key("any"): steps.append(.key("parts"))
            case .key("not"): steps += [.key("parts"), .index(0)]
            case .key("equals"), .key("at_least"): steps.append(.key("value"))
            case .key("any_of"):
                steps.append(.key("value"))
                rest = []
            default: steps.append(step)
            }
        }
        return DocumentPath(steps)
    }
}
