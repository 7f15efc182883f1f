import Psychometrics
import Questionnaires
import Wire
import Wording

/// The facts a rule is checked against before any answer.
struct RuleGround {
    /// Questionnaires in use, by key.
    let definitions: [String: QuestionnaireDefinition]
    /// The text it would send.
    let library: LibraryRecord?
    /// The questionnaires that none of its patients is asked.
    let unasked: Set<String>
    /// The warning that it reaches no patient at present; nil when it reaches one.
    let nobody: String?
    let texts: Texts
}

/// A warning about a rule for its author.
struct RuleWarning: Equatable {
    let message: Message
    /// Whether it can never fire, or always does: confirmed before it is stored.
    let isGrave: Bool
}

extension Rule {
    /// Reasons why the rule can never be met, or is met by every answer: pointed out, not forbidden.
    func warnings(_ ground: RuleGround) -> [RuleWarning] {
        let outlooks = clauses.map { $0.outlook(ground) }
        var messages: [Message] = []
        for (index, outlook) in outlooks.enumerated() {
            if let warning = outlook.warning {
                messages.append(
                    Message(warning.key, warning.values.merging(["n": String(index + 1)]) { one, _ in one }))
            }
        }
        let contradiction = combination == .all ? self.contradiction(ground.definitions) : nil
        if let (one, other) = contradiction {
            messages.append(
                Message("rules.warn_contradiction", ["n": String(one + 1), "m": String(other + 1)]))
        }
        var warnings = messages.map { RuleWarning(message: $0, isGrave: false) }
        let never = outlooks.map(\.isNever)
        let always = outlooks.map(\.isAlways)
        let isNever = combination == .all ? never.contains(true) : never.allSatisfy(\.self)
        let isAlways = combination == .all ? always.allSatisfy(\.self) : always.contains(true)
        if isNever || contradiction != nil {
            warnings.append(RuleWarning(message: Message("rules.never"), isGrave: true))
        } else if isAlways || combination == .any && complete(ground.definitions) {
            warnings.append(RuleWarning(message: Message("rules.always"), isGrave: true))
        }
        if actions.interventionID != nil, ground.library?.isRetired ?? true {
            warnings.append(RuleWarning(message: Message("rules.text_gone"), isGrave: false))
        }
        if let nobody = ground.nobody {
            // A rule for protocols may be written before the protocol that uses it.
            warnings.append(
                RuleWarning(message: Message(nobody), isGrave: nobody == "rules.for_nobody"))
        }
        return warnings
    }

    /// Two conditions that no answers meet together.
    private func contradiction(_ definitions: [String: QuestionnaireDefinition]) -> (Int, Int)? {
        for (index, one) in clauses.enumerated() {
            for (other, clause) in clauses.enumerated().dropFirst(index + 1)
            where one.excludes(clause, definitions[one.key ?? ""]) {
                return (index, other)
            }
        }
        return nil
    }

    /// Two conditions on the newest value of the same thing, one of which every number meets.
    private func complete(_ definitions: [String: QuestionnaireDefinition]) -> Bool {
        clauses.contains { one in
            clauses.contains { one.completes($0, definitions[one.key ?? ""]) }
        }
    }
}

extension Clause {
    /// What is certain before any answer.
    struct Outlook {
        var isNever = false
        var isAlways = false
        var warning: Message?
    }

    func outlook(_ ground: RuleGround) -> Outlook {
        guard kind != .silent else { return Outlook() }
        guard let definition = ground.definitions[key ?? ""] else { return .never("rules.warn_unused") }
        let outlook = outlook(definition, ground.texts)
        guard !outlook.isNever, ground.unasked.contains(key ?? "") else { return outlook }
        let title = definition.title[definition.language(asked: ground.texts.language.rawValue)]
        return .never("rules.warn_unasked", ["title": title ?? key ?? ""])
    }

    private func outlook(_ definition: QuestionnaireDefinition, _ texts: Texts) -> Outlook {
        switch kind {
        case .missed, .silent: return Outlook()
        case .worsening, .improvement:
            let scale = definition.scales.first { $0.key == item }
            let hasFigures = scale.flatMap { ReliableChange($0) } != nil
            return hasFigures ? Outlook() : .never("rules.warn_no_figures")
        case .answer:
            guard let range = definition.question(item ?? "")?.possibleRange else { return Outlook() }
            let options = definition.question(item ?? "")?.options.map(\.value) ?? []
            return outlook(in: range, values: options, texts)
        case .score, .mean:
            guard let range = definition.possibleRange(ofScale: item ?? "") else { return Outlook() }
            return outlook(in: range, values: [], texts)
        case .change:
            guard let range = definition.possibleRange(ofScale: item ?? "") else { return Outlook() }
            let width = range.upperBound - range.lowerBound
            guard width.isFinite else { return Outlook() }
            return outlook(in: -width...width, values: [], texts)
        }
    }

    /// - Parameter values: where only some numbers are possible.
    private func outlook(in range: ClosedRange<Double>, values: [Double], _ texts: Texts) -> Outlook {
        // A file may state bounds that cannot be calculated with.
        guard (range.upperBound - range.lowerBound).isFinite else { return Outlook() }
        let tried = values.isEmpty ? [range.lowerBound, range.upperBound] : values
        let holding = tried.count(where: threshold.isMet)
        // There are numbers between the ends of a range, too.
        let isInside = values.isEmpty && range.contains(value) && comparison == .equals
        let words = [
            "from": texts.number(range.lowerBound, digits: 2),
            "to": texts.number(range.upperBound, digits: 2),
        ]
        if holding == 0 && !isInside {
            let isWithin = range.contains(value) && !values.contains(value)
            return .never(isWithin ? "rules.warn_never_between" : "rules.warn_never", words)
        }
        if holding == tried.count && (comparison != .equals || tried.count == 1 || !values.isEmpty) {
            return Outlook(isAlways: true, warning: Message("rules.warn_always", words))
        }
        return Outlook()
    }

    // MARK: Pairs

    /// Whether no answers meet both: no value can, or there are not enough sheets for both.
    fileprivate func excludes(_ other: Clause, _ definition: QuestionnaireDefinition?) -> Bool {
        guard key == other.key, item == other.item else { return false }
        if isReliable && other.isReliable { return kind != other.kind && since == other.since }
        guard kind == other.kind, kind != .missed, kind != .silent else { return false }
        if kind == .answer, case .multiple = definition?.question(item ?? "")?.type { return false }
        guard !points(with: other, definition).contains(where: { isMet(by: $0, other, both: true) }) else {
            return false
        }
        switch kind {
        case .answer, .score: return times + other.times > max(of, other.of)
        case .mean: return of == other.of
        case .change: return since == other.since
        default: return false
        }
    }

    /// Whether every value of the newest sheet meets one of the two.
    fileprivate func completes(_ other: Clause, _ definition: QuestionnaireDefinition?) -> Bool {
        guard kind == other.kind, kind == .answer || kind == .score, key == other.key, item == other.item,
            of == 1, other.of == 1, self != other
        else { return false }
        let points = points(with: other, definition)
        return !points.isEmpty && points.allSatisfy { isMet(by: $0, other, both: false) }
    }

    private func isMet(by value: Double, _ other: Clause, both: Bool) -> Bool {
        let one = threshold.isMet(by: value)
        let two = other.threshold.isMet(by: value)
        return both ? one && two : one || two
    }

    /// Numbers that show the relation of two thresholds: all possible answers, else some around both.
    private func points(with other: Clause, _ definition: QuestionnaireDefinition?) -> [Double] {
        let options = kind == .answer ? definition?.question(item ?? "")?.options.map(\.value) ?? [] : []
        if !options.isEmpty { return options }
        let edges = [value, other.value]
        return edges + edges.flatMap { [$0 - 0.5, $0 + 0.5] } + [edges.reduce(0, +) / 2]
    }
}

extension Clause.Outlook {
    fileprivate static func never(_ key: String, _ values: [String: String] = [:]) -> Clause.Outlook {
        Clause.Outlook(isNever: true, warning: Message(key, values))
    }
}

extension QuestionnaireDefinition {
    /// The range stated by a scale, else the one its items allow.
    package func possibleRange(ofScale key: String) -> ClosedRange<Double>? {
        guard let scale = scales.first(where: { $0.key == key }) else { return nil }
        if let range = scale.range { return range }
        let ranges = scale.items.compactMap { question($0)?.possibleRange }
        guard ranges.count == scale.items.count, !ranges.isEmpty, !scale.isPercent else {
            let top = 100 * max(scale.factor, 0)
            return scale.isPercent && top.isFinite ? 0...top : nil
        }
        let low = ranges.map(\.lowerBound).reduce(0, +)
        let high = ranges.map(\.upperBound).reduce(0, +)
        let count = scale.method == .mean ? Double(ranges.count) : 1
        let first = low / count * scale.factor
        let last = high / count * scale.factor
        guard first.isFinite, last.isFinite else { return nil }
        return min(first, last)...max(first, last)
    }
}
