import JSON
import Records
import Wire

/// Half-filled answers, each with the moment it was given or taken back. When two devices continue the same sheet,
/// the later answer to each question counts.
package struct DraftAnswers: Sendable, Equatable {
    package struct Item: Sendable, Equatable {
        /// Nil for one that was taken back.
        package let answer: Answer?
        package let at: Instant
    }

    /// A device's change of one answer.
    package struct Change: Sendable {
        package let answer: Answer?
        /// Nil for now.
        let at: Instant?

        package init(_ answer: Answer?, at: Instant? = nil) {
            self.answer = answer
            self.at = at
        }
    }

    package private(set) var items: [String: Item] = [:]
    /// The id of its future sheet, and when filling in began; nil before a page has shown it. Sent from two devices
    /// it becomes one sheet.
    package var sheet: ID<ContributionRecord>?
    package var startedAt: Instant?

    package init() {}

    package var answers: Answers { items.compactMapValues(\.answer) }
    package var isEmpty: Bool { answers.isEmpty }

    /// Merges changes. An equal answer is no change; a fast clock gains no advantage.
    package mutating func merge(_ changes: [String: Change], at now: Instant) {
        for (key, change) in changes {
            let known = items[key]
            // One that another device has told here, told again, is not said anew.
            if let known, known.answer == change.answer { continue }
            if known == nil, change.at == nil, change.answer == nil { continue }
            // Whole seconds, the precision of all answers.
            let seconds = min(change.at ?? now, now).seconds
            if let known, known.at.seconds > seconds { continue }
            items[key] = Item(answer: change.answer, at: Instant(milliseconds: seconds * 1000))
        }
    }

    /// The answers that another version of the questionnaire accepts.
    package func kept(where fits: (String, Answer) -> Bool) -> DraftAnswers {
        var rest = self
        rest.items = items.filter { key, item in item.answer.map { fits(key, $0) } ?? false }
        return rest
    }

    /// The same without answers that another version does not accept; those taken back stay.
    package func fitting(_ fits: (String, Answer?) -> Bool) -> DraftAnswers {
        var rest = self
        rest.items = items.filter { fits($0.key, $0.value.answer) }
        return rest
    }

    // MARK: As it is stored

    /// An array: answers, their times, and data of the whole. In older drafts an object of answers.
    package var bytes: [UInt8] {
        get throws {
            var whole: [JSON.Member] = []
            if let sheet { whole.append(.init("sheet", .string(sheet.text))) }
            if let startedAt { whole.append(.init("started_at", .string(startedAt.text))) }
            return try JSONWriter.bytes(
                of: JSON.array([answersJSON(withNull: false), times, .object(whole)]))
        }
    }

    /// - Parameter withNull: includes answers taken back, as null.
    package func answersJSON(withNull: Bool) -> JSON {
        .object(
            sorted.compactMap { key, item in
                if item.answer == nil, !withNull { return nil }
                return JSON.Member(key, item.answer.map(JSON.init) ?? .null)
            })
    }

    /// When each was given or taken back.
    package var times: JSON { .object(sorted.map { JSON.Member($0.key, .string($0.value.at.text)) }) }

    private var sorted: [(key: String, value: Item)] { items.sorted { $0.key < $1.key } }

    /// - Parameter updatedAt: the time of answers without one.
    package init(stored bytes: [UInt8], updatedAt: Instant) throws {
        let json = try JSON.parse(bytes)
        let parts = json.array ?? [json]
        // Whole seconds, and worked out only where one is missing: the distant past has none.
        let moment = { Instant(milliseconds: updatedAt.seconds * 1000) }
        let times = parts.count > 1 ? parts[1] : .null
        if case .object(let members)? = parts.first {
            for member in members where member.value != .null {
                let at = times[member.key]?.string.flatMap { Instant($0) } ?? moment()
                items[member.key] = Item(answer: Answer(member.value), at: at)
            }
        }
        if case .object(let members) = times {
            for member in members where items[member.key] == nil {
                let at = member.value.string.flatMap { Instant($0) } ?? moment()
                items[member.key] = Item(answer: nil, at: at)
            }
        }
        guard parts.count > 2 else { return }
        sheet = parts[2]["sheet"]?.string.flatMap { ID(uuid: $0) }
        startedAt = parts[2]["started_at"]?.string.flatMap { Instant($0) }
    }
}

extension JSON {
    package init(_ answer: Answer) {
        self =
            switch answer {
            case .number(let value): .number(value)
            case .numbers(let values): .array(values.map { .number($0) })
            case .text(let text): .string(text)
            }
    }
}

extension Answer {
    /// Nil for other values.
    package init?(_ json: JSON) {
        switch json {
        case .number(let value): self = .number(value)
        case .array(let values): self = .numbers(values.compactMap(\.number))
        case .string(let text): self = .text(text)
        default: return nil
        }
    }
}
