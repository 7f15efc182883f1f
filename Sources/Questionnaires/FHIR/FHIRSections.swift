import JSON
import Wire

/// Puts questions into sections: neighbours shown under the same condition stand in one, as people answer them.
struct FHIRSections {
    private struct Section {
        let key: String
        let text: JSON?
        let condition: JSON?
        let place: String
        /// Stays though it says and asks nothing: it came from here.
        let isKept: Bool
        var questions: [(json: JSON, place: String)] = []

        var isEmpty: Bool { questions.isEmpty && text == nil && !isKept }
    }

    private static let mostQuestions = FilePieces.limits["questions"] ?? 0
    private var all: [Section] = []
    private var keys: Set<String> = []
    /// Whether the last section takes more questions.
    private var isOpen = false

    /// Starts a section with words of its own, for a group or a text.
    mutating func begin(_ item: JSON, text: JSON?, condition: JSON?, place: String) {
        let id = item["linkId"]?.string ?? ""
        let isOwn = id.hasPrefix(FHIRLinks.sectionPrefix)
        append(
            key: isOwn ? String(id.dropFirst(FHIRLinks.sectionPrefix.count)) : id, text: text,
            condition: condition, place: place, isKept: isOwn)
    }

    mutating func add(_ question: JSON, condition: JSON?, place: String) {
        let isFull = all.last.map { $0.questions.count >= Self.mostQuestions } ?? true
        if !isOpen || isFull || all.last?.condition != condition {
            append(key: "", text: nil, condition: condition, place: place, isKept: false)
        }
        all[all.count - 1].questions.append((question, place))
    }

    /// Ends a group: what follows stands in another section.
    mutating func end() { isOpen = false }

    var count: Int { all.count }

    /// Takes the words of a group back of which nothing came in.
    /// - Returns: whether it did.
    mutating func removeIfBare(_ index: Int) -> Bool {
        guard index == all.count - 1, all[index].questions.isEmpty, !all[index].isKept else { return false }
        keys.remove(all.removeLast().key)
        return true
    }

    private mutating func append(
        key id: String, text: JSON?, condition: JSON?, place: String, isKept: Bool
    ) {
        let next = "s\(all.count + 1)"
        var key = id.isEmpty ? next : FHIRPieces.key(id)
        if keys.contains(key) { key = next }
        while !keys.insert(key).inserted { key += "_" }
        all.append(
            Section(key: key, text: text, condition: condition, place: place, isKept: isKept))
        isOpen = true
    }

    private var kept: [Section] { all.filter { !$0.isEmpty } }

    /// As our format writes them.
    var json: [JSON] {
        kept.map { section in
            var members: [JSON.Member] = [.init("key", .string(section.key))]
            if let text = section.text { members.append(.init("text", text)) }
            if let condition = section.condition { members.append(.init("visible_if", condition)) }
            let questions = section.questions.map(\.json)
            // Options common to all choices become the section's.
            let shared = questions.compactMap { $0["options"] }
            let isShared = shared.count > 1 && shared.allSatisfy { $0 == shared[0] }
            if isShared { members.append(.init("options", shared[0])) }
            let list = isShared ? questions.map { $0.setting(DocumentPath("options"), nil) } : questions
            members.append(.init("questions", .array(list)))
            return .object(members)
        }
    }

    private static let names = ["options": "answerOption", "visible_if": "enableWhen", "key": "linkId"]

    /// The place in the form that a place in our format came from.
    func origin(of place: String) -> String {
        var steps = DocumentPath(place: place).steps[...]
        guard steps.popFirst() == .key("sections"), case .index(let index)? = steps.popFirst(),
            kept.indices.contains(index)
        else { return place }
        let section = kept[index]
        var found = section.place
        if case .key("questions")? = steps.first, case .index(let number)? = steps.dropFirst().first,
            section.questions.indices.contains(number)
        {
            found = section.questions[number].place
            steps = steps.dropFirst(2)
        } else if case .key("options")? = steps.first, let first = section.questions.first {
            found = first.place
        }
        guard case .key(let name)? = steps.first else { return found }
        found += "." + (Self.names[name] ?? name)
        if name == "options", case .index(let number)? = steps.dropFirst().first { found += "[\(number)]" }
        return found
    }
}
