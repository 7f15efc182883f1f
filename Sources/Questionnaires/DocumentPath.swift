import JSON
import Wire

/// A place in a questionnaire file, `sections.2.questions.0.text.de`; the editor's fields are named by it.
package struct DocumentPath: Sendable, Hashable {
    package enum Step: Sendable, Hashable {
        case key(String)
        case index(Int)
    }

    package let steps: [Step]

    package init(_ steps: [Step]) { self.steps = steps }

    /// Steps are separated by dots; a step of digits is an index.
    package init(_ text: String) {
        steps = text.split(separator: ".", omittingEmptySubsequences: true).map { part in
            let isNumber = part.utf8.count < 6 && part.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
            return (isNumber ? Int(part) : nil).map { .index($0) } ?? .key(String(part))
        }
    }

    /// The place of a fault, `sections[2].questions[0].text.de`, with indices in brackets.
    package init(place: String) {
        self.init(place.replacing("[", with: ".").replacing("]", with: ""))
    }

    package var text: String {
        steps.map { step in
            switch step {
            case .key(let key): key
            case .index(let index): String(index)
            }
        }.joined(separator: ".")
    }

    /// The kind of the place: `sections.#.questions.#.text.~`, for any section, question and language.
    package var shape: String {
        if isTranslation { return parent.shape + ".~" }
        return steps.map { step in
            switch step {
            case .index: "#"
            case .key(let key): key
            }
        }.joined(separator: ".")
    }

    /// The names of texts in a questionnaire's file.
    private static let texts: Set<String> = [
        "text", "title", "description", "intro", "outro", "minimum_label", "maximum_label",
    ]

    /// Whether a member holds words for people.
    package static func isWords(_ name: String) -> Bool {
        texts.contains(name) || name == "citation" || name == "origin"
    }

    /// Whether it is a text in one language: a text's name, then a language code.
    package var isTranslation: Bool {
        guard let last = lastKey, LocalizedText.isCode(last), let text = parent.lastKey else { return false }
        return Self.texts.contains(text)
    }

    package func appending(_ key: String) -> DocumentPath { DocumentPath(steps + [.key(key)]) }
    package func appending(_ index: Int) -> DocumentPath { DocumentPath(steps + [.index(index)]) }

    package var parent: DocumentPath { DocumentPath(Array(steps.dropLast())) }

    /// The index in a list; nil when its last step is a key.
    package var lastIndex: Int? {
        if case .index(let index)? = steps.last { return index }
        return nil
    }

    package var lastKey: String? {
        if case .key(let key)? = steps.last { return key }
        return nil
    }

    package func isInside(_ other: DocumentPath) -> Bool {
        steps.count >= other.steps.count && Array(steps.prefix(other.steps.count)) == other.steps
    }
}

extension JSON {
    /// The value at a place; nil when there is none.
    package func at(_ path: DocumentPath) -> JSON? { at(path.steps[...]) }

    private func at(_ steps: ArraySlice<DocumentPath.Step>) -> JSON? {
        guard let first = steps.first else { return self }
        switch first {
        case .key(let key): return self[key]?.at(steps.dropFirst())
        case .index(let index):
            guard let list = array, list.indices.contains(index) else { return nil }
            return list[index].at(steps.dropFirst())
        }
    }

    /// The document with another value at a place; nil removes the value. Missing objects on the way are created, but
    /// list entries must exist: a name from outside cannot make lists grow.
    package func setting(_ path: DocumentPath, _ value: JSON?) -> JSON {
        setting(path.steps[...], value) ?? self
    }

    private func setting(_ steps: ArraySlice<DocumentPath.Step>, _ value: JSON?) -> JSON? {
        guard let first = steps.first else { return value }
        let rest = steps.dropFirst()
        switch first {
        case .key(let key):
            guard case .object(let members) = self else { return self }
            // Removing a missing value changes nothing.
            if value == nil && self[key] == nil { return self }
            return .object(Self.setting(key, in: members) { ($0 ?? .object([])).setting(rest, value) })
        case .index(let index):
            guard case .array(var list) = self, list.indices.contains(index) else { return self }
            guard let changed = list[index].setting(rest, value) else {
                list.remove(at: index)
                return .array(list)
            }
            list[index] = changed
            return .array(list)
        }
    }

    private static func setting(
        _ key: String, in members: [Member], _ change: (JSON?) -> JSON?
    ) -> [Member] {
        var members = members
        let index = members.firstIndex { $0.key == key }
        let changed = change(index.map { members[$0].value })
        switch (index, changed) {
        case (let index?, let changed?): members[index] = Member(key, changed)
        case (let index?, nil): members.remove(at: index)
        case (nil, let changed?): members.append(Member(key, changed))
        case (nil, nil): break
        }
        return members
    }
}
