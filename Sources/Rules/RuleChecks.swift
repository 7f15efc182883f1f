import Psychometrics
import Questionnaires
import Wording

extension Rule {
    /// Where the rule can never be met, or is met by every answer. Nothing of it is forbidden, all of it pointed out.
    package func warnings(
        _ questionnaires: [String: QuestionnaireDefinition], _ library: LibraryRecord?
    ) -> [Message] {
        let outlooks = clauses.map { $0.outlook(questionnaires[$0.key ?? ""]) }
        var warnings: [Message] = []
        for (index, outlook) in outlooks.enumerated() {
            if let key = outlook.warning {
                warnings.append(Message(key, ["n": String(index + 1)]))
            }
        }
        let never = outlooks.map(\.isNever)
        let always = outlooks.map(\.isAlways)
        let isNever = combination == .all ? never.contains(true) : never.allSatisfy(\.self)
        let isAlways = combination == .all ? always.allSatisfy(\.self) : always.contains(true)
        if isNever || (combination == .all && excludeEachOther) {
            warnings.append(Message("rules.never"))
        } else if isAlways {
            warnings.append(Message("rules.always"))
        }
        if actions.interventionID != nil, library?.isRetired ?? true {
            warnings.append(Message("rules.text_gone"))
        }
        return warnings
    }

    /// Two conditions on the newest value of the same thing that no number meets both.
    private var excludeEachOther: Bool {
        let single = clauses.filter { ($0.kind == .score || $0.kind == .answer) && $0.of == 1 }
        return single.contains { one in
            single.contains { other in
                one.kind == other.kind && one.key == other.key && one.item == other.item
                    && !one.overlaps(other)
            }
        }
    }
}

extension Clause {
    /// What can be said before anybody has answered.
    struct Outlook {
        var isNever = false
        var isAlways = false
        var warning: String?
    }

    func outlook(_ definition: QuestionnaireDefinition?) -> Outlook {
        guard kind != .silent else { return Outlook() }
        guard let definition else { return Outlook(isNever: true, warning: "rules.warn_unused") }
        switch kind {
        case .missed, .silent: return Outlook()
        case .worsening, .improvement:
            let scale = definition.scales.first { $0.key == item }
            let hasFigures = scale.flatMap { ReliableChange($0) } != nil
            return hasFigures ? Outlook() : Outlook(isNever: true, warning: "rules.warn_no_figures")
        case .answer:
            guard let range = definition.question(item ?? "")?.possibleRange else { return Outlook() }
            let options = definition.question(item ?? "")?.options.map(\.value) ?? []
            return outlook(in: range, values: options)
        case .score, .mean:
            guard let range = definition.possibleRange(ofScale: item ?? "") else { return Outlook() }
            return outlook(in: range, values: [])
        case .change:
            guard let range = definition.possibleRange(ofScale: item ?? "") else { return Outlook() }
            let width = range.upperBound - range.lowerBound
            guard width.isFinite else { return Outlook() }
            return outlook(in: -width...width, values: [])
        }
    }

    /// - Parameter values: where only some numbers are possible.
    private func outlook(in range: ClosedRange<Double>, values: [Double]) -> Outlook {
        // A file may promise numbers that nothing can be counted with.
        guard (range.upperBound - range.lowerBound).isFinite else { return Outlook() }
        let tried = values.isEmpty ? [range.lowerBound, range.upperBound] : values
        let holding = tried.count(where: threshold.isMet)
        // Between the ends of a range there are numbers too.
        let isInside = values.isEmpty && range.contains(value) && comparison == .equals
        if holding == 0 && !isInside { return Outlook(isNever: true, warning: "rules.warn_never") }
        if holding == tried.count && (comparison != .equals || tried.count == 1 || !values.isEmpty) {
            return Outlook(isAlways: true, warning: "rules.warn_always")
        }
        return Outlook()
    }

    /// Whether some number meets both.
    func overlaps(_ other: Clause) -> Bool {
        let edges = [value, other.value]
        let tried = edges + edges.flatMap { [$0 - 0.5, $0 + 0.5] } + [edges.reduce(0, +) / 2]
        return tried.contains { threshold.isMet(by: $0) && other.threshold.isMet(by: $0) }
    }
}

extension QuestionnaireDefinition {
    /// The range a scale says it has, else the one its items allow.
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
