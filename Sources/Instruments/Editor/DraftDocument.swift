import JSON
import Questionnaires
import Wire
import Wording

/// A questionnaire that is being edited: the present file, with its faults.
struct DraftDocument: Sendable, Equatable {
    private(set) var json: JSON

    init(_ json: JSON) { self.json = json }

    /// A new questionnaire with one empty section and question.
    init(key: String, title: JSON) {
        json = .object([
            .init("format", .string(QuestionnaireFile.format)), .init("key", .string(key)),
            .init("title", title), .init("sections", .array([])), .init("scales", .array([])),
        ])
        add(to: DocumentPath("sections"))
        add(to: DocumentPath("sections.0.questions"))
    }

    var key: String { json["key"]?.string ?? "" }
    var sections: [JSON] { json["sections"]?.array ?? [] }
    var scales: [JSON] { json["scales"]?.array ?? [] }

    /// The title in a language, else in any; nil without one.
    func title(_ language: Language) -> String? { Self.text(json["title"], language) }

    static func text(_ json: JSON?, _ language: Language) -> String? {
        let written = LocalizedText(json: json).translations.filter { !$0.text.isEmpty }
        return LocalizedText(translations: written).text(in: language)
    }

    /// All questions with their places, in order.
    var questions: [(path: DocumentPath, json: JSON)] {
        sections.enumerated().flatMap { section, json in
            (json["questions"]?.array ?? []).enumerated().map { index, question in
                (DocumentPath("sections.\(section).questions.\(index)"), question)
            }
        }
    }

    /// The document without the parts of another type of question: options stay in the draft when a choice becomes a
    /// slider, and return when it becomes a choice again, but they are no part of the questionnaire.
    var file: JSON {
        var file = json
        for (path, question) in questions {
            guard let known = FileReader.allowed[question["type"]?.string ?? ""],
                case .object(let members) = question
            else { continue }
            let foreign = members.filter { FileReader.typed.contains($0.key) && !known.contains($0.key) }
            let empty = members.filter { $0.key == "options" && $0.value.array?.isEmpty == true }
            for member in foreign + empty { file = file.setting(path.appending(member.key), nil) }
        }
        for index in sections.indices {
            let path = DocumentPath("sections.\(index).options")
            if file.at(path)?.array?.isEmpty == true { file = file.setting(path, nil) }
        }
        return file
    }

    /// The finished questionnaire, or every fault with its place.
    func read() -> Result<QuestionnaireDefinition, QuestionnaireFile.Faults> {
        Result { () throws(QuestionnaireFile.Faults) in try QuestionnaireFile.read(file) }
    }

    var faults: [QuestionnaireFile.Fault] {
        if case .failure(let faults) = read() { return faults.list }
        return []
    }

    mutating func set(_ path: DocumentPath, _ value: JSON?) { json = json.setting(path, value) }

    // MARK: Lists

    /// The most entries of lists that can grow, so that a page stays usable.
    private static let limits = ["sections": 200, "questions": 200, "options": 60, "scales": 100]

    /// Adds an entry of the list's kind.
    /// - Returns: the place of the new entry; nil where none can be added.
    @discardableResult
    mutating func add(to list: DocumentPath) -> DocumentPath? {
        guard let kind = list.lastKey, let limit = Self.limits[kind] else { return nil }
        let entries = json.at(list)?.array ?? []
        guard entries.count < limit, json.at(list.parent) != nil else { return nil }
        json = json.setting(list, .array(entries + [fresh(kind, beside: entries)]))
        return list.appending(entries.count)
    }

    private func fresh(_ kind: String, beside entries: [JSON]) -> JSON {
        switch kind {
        case "sections":
            return .object([
                .init("key", .string(free("s", among: sections))), .init("questions", .array([])),
            ])
        case "questions":
            let last = entries.last?["type"] ?? .string("single")
            return .object([
                .init("key", .string(free("q", among: questions.map(\.json)))), .init("type", last),
                .init("required", .bool(true)), .init("text", .object([])),
            ])
        case "options":
            let next = (entries.compactMap { $0["value"]?.number }.max() ?? -1) + 1
            return .object([.init("value", .number(next)), .init("text", .object([]))])
        default:
            return .object([
                .init("key", .string(free("scale", among: scales))), .init("title", .object([])),
                .init("method", .string("mean")), .init("items", .array([])),
            ])
        }
    }

    private func free(_ prefix: String, among entries: [JSON]) -> String {
        let taken = Set(entries.compactMap { $0["key"]?.string })
        return (1...).lazy.map { "\(prefix)\($0)" }.first { !taken.contains($0) } ?? prefix
    }

    /// Moves an entry of a list by one place; at the ends nothing happens.
    /// - Returns: its new place.
    mutating func move(_ path: DocumentPath, by offset: Int) -> DocumentPath {
        guard let index = path.lastIndex, var list = json.at(path.parent)?.array,
            list.indices.contains(index), list.indices.contains(index + offset)
        else { return path }
        list.swapAt(index, index + offset)
        json = json.setting(path.parent, .array(list))
        return path.parent.appending(index + offset)
    }

    /// Puts a copy behind an entry; sections, questions and scales in it get keys of their own.
    /// - Returns: the place of the copy.
    mutating func copy(_ path: DocumentPath) -> DocumentPath {
        guard let index = path.lastIndex, let kind = path.parent.lastKey, let limit = Self.limits[kind],
            var list = json.at(path.parent)?.array, list.indices.contains(index), list.count < limit
        else { return path }
        var taken = Set((sections + questions.map(\.json) + scales).compactMap { $0["key"]?.string })
        list.insert(Self.renamed(list[index], &taken), at: index + 1)
        if kind == "options" { list[index + 1] = nextOption(list[index], list) }
        json = json.setting(path.parent, .array(list))
        return path.parent.appending(index + 1)
    }

    private func nextOption(_ option: JSON, _ list: [JSON]) -> JSON {
        let next = (list.compactMap { $0["value"]?.number }.max() ?? -1) + 1
        return option.setting(DocumentPath("value"), .number(next))
    }

    private static func renamed(_ json: JSON, _ taken: inout Set<String>) -> JSON {
        guard let key = json["key"]?.string else { return json }
        let name = (2...).lazy.map { "\(key)_\($0)" }.first { !taken.contains($0) } ?? key
        taken.insert(name)
        var copy = json.setting(DocumentPath("key"), .string(name))
        if let questions = json["questions"]?.array {
            copy = copy.setting(DocumentPath("questions"), .array(questions.map { renamed($0, &taken) }))
        }
        return copy
    }

    mutating func remove(_ path: DocumentPath) {
        guard path.lastIndex != nil, json.at(path) != nil else { return }
        json = json.setting(path, nil)
    }

    /// Renames a question's key in conditions and scales.
    mutating func follow(_ old: String, renamedTo new: String) {
        guard !old.isEmpty, !new.isEmpty, old != new else { return }
        for (index, section) in sections.enumerated() {
            guard let condition = section["visible_if"] else { continue }
            let path = DocumentPath("sections.\(index).visible_if")
            json = json.setting(path, Self.following(condition, old, new))
        }
        for (index, scale) in scales.enumerated() {
            for list in ["items", "reversed"] {
                guard let keys = scale[list]?.array else { continue }
                let changed = keys.map { $0.string == old ? JSON.string(new) : $0 }
                json = json.setting(DocumentPath("scales.\(index).\(list)"), .array(changed))
            }
        }
    }

    private static func following(_ condition: JSON, _ old: String, _ new: String) -> JSON {
        switch condition {
        case .array(let parts): return .array(parts.map { following($0, old, new) })
        case .object(let members):
            return .object(
                members.map { member in
                    let isReference = member.key == "question" && member.value.string == old
                    return .init(
                        member.key, isReference ? .string(new) : following(member.value, old, new))
                })
        default: return condition
        }
    }
}
