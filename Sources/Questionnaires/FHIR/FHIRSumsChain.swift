import JSON

extension FHIRSums {
    /// The questions whose points a chain adds up; nil where it takes anything but those that our scale counts.
    func added(_ all: [FHIRPath.Step]) -> [String]? {
        guard let chain = Chain(all), let points = chain.points, let found = questions(chain),
            found.allSatisfy({ $0.points == points })
        else { return nil }
        return found.map(\.id)
    }

    /// Whether a chain is about answers of the form, whatever it takes of them.
    func isAsked(_ all: [FHIRPath.Step]) -> Bool { Chain(all).flatMap(questions) != nil }

    private func questions(_ chain: Chain) -> [Question]? {
        let around = chain.filters.dropLast()
        guard around.allSatisfy({ $0.count == 1 }) else { return nil }
        let found = chain.isBelow ? below(chain) : named(chain)
        guard let found, !found.isEmpty,
            found.allSatisfy({ Self.stands($0.around, in: around.flatMap(\.self)) })
        else { return nil }
        return found
    }

    /// The questions that the last filter names, and nothing but questions.
    private func named(_ chain: Chain) -> [Question]? {
        let ids = chain.filters.last ?? []
        let found = ids.compactMap { byID[$0] }
        guard found.count == ids.count, chain.lookedUp == nil || chain.lookedUp == ids else { return nil }
        return found.count == 1 || chain.isSummed && !chain.isFirst ? found : nil
    }

    /// All answers of one group, or of the form.
    private func below(_ chain: Chain) -> [Question]? {
        let ids = chain.filters.last ?? [""]
        guard let group = ids.first, ids.count == 1, byID[group] == nil, !incomplete.contains(group),
            chain.isSummed, !chain.isFirst, chain.lookedUp == nil,
            chain.points != .numbers || !computed.contains(group)
        else { return nil }
        return inside[group]?.filter { question in
            let start = chain.filters.isEmpty ? 0 : question.around.lastIndex(of: group) ?? 0
            let between = question.around[(start + 1)...]
            // What is asked below a question is part of its answer in the form, and no item of the group.
            guard question.points != nil,
                chain.reach == .all || !between.contains(where: { byID[$0] != nil })
            else { return false }
            return chain.reach != .levels || between.count == chain.levels - 1
        }
    }

    private static func stands(_ around: [String], in groups: [String]) -> Bool {
        var rest = around[...]
        for group in groups {
            guard let index = rest.firstIndex(of: group) else { return false }
            rest = rest[(index + 1)...]
        }
        return true
    }

    /// What the steps of a chain choose, and what they take of it.
    private struct Chain {
        enum Reach { case levels, groups, all }
        private enum Stage { case items, answer, option }

        /// The link ids of each filter, in order.
        private(set) var filters: [[String]] = []
        /// How many items down from the last filter.
        private(set) var levels = 0
        private(set) var reach = Reach.levels
        private(set) var isFirst = false
        private(set) var isSummed = false
        /// The items whose answer's code chooses among the options of the form.
        private(set) var lookedUp: [String]?
        private var stage = Stage.items
        private let isForm: Bool
        /// What is taken of the answer; `points` is an extension with the weight.
        private var taken: [String] = []

        private static let starts: Set<String> = [
            "%resource", "%context", "%questionnaire", "QuestionnaireResponse",
        ]

        init?(_ all: [FHIRPath.Step]) {
            guard let first = all.first, Self.starts.contains(first.name) || first.name == "item" else {
                return nil
            }
            isForm = first.name == "%questionnaire"
            var steps = first.name == "item" ? all : Array(all.dropFirst())
            isSummed = steps.last?.name == "sum" && steps.last?.arguments?.isEmpty == true
            if isSummed { steps.removeLast() }
            for step in steps {
                guard take(step) else { return nil }
            }
        }

        var isBelow: Bool { levels > 0 || reach != .levels || filters.isEmpty }

        private mutating func take(_ step: FHIRPath.Step) -> Bool {
            guard let arguments = step.arguments else { return member(step.name) }
            switch (step.name, arguments.first) {
            case ("where", let condition?): return filter(condition)
            case ("descendants", nil) where stage == .items: reach = .all
            case ("repeat", .chain(let steps)?) where stage == .items && steps.map(\.name) == ["item"]:
                if reach == .levels { reach = .groups }
            case ("first", nil): isFirst = true
            case ("extension", .text(let url)?) where stage != .items && Self.isWeight(url):
                taken.append("points")
            case ("ordinal", nil), ("weight", nil), ("toDecimal", nil):
                guard stage != .items else { return false }
                taken.append(step.name)
            default: return false
            }
            return true
        }

        private mutating func member(_ name: String) -> Bool {
            switch name {
            case "item" where stage == .items: levels += 1
            case "answer" where stage == .items && !isForm: stage = .answer
            case "answerOption" where stage == .items && isForm: stage = .option
            case "value", "valueInteger", "valueDecimal", "valueCoding", "code", "extension":
                guard stage != .items else { return false }
                taken.append(name)
            default: return false
            }
            return true
        }

        // MARK: Filters

        private mutating func filter(_ condition: FHIRPath) -> Bool {
            if stage == .items {
                guard let ids = Self.texts(condition, of: "linkId") else { return false }
                filters.append(ids)
                levels = 0
                reach = .levels
                return true
            }
            if taken.last == "extension" {
                guard let urls = Self.texts(condition, of: "url"), urls.allSatisfy(Self.isWeight) else {
                    return false
                }
                taken[taken.count - 1] = "points"
                return true
            }
            guard stage == .option, lookedUp == nil, let ids = Self.lookedUp(condition) else { return false }
            lookedUp = ids
            return true
        }

        /// The different texts that a filter compares with; nil for a filter by anything else.
        private static func texts(_ condition: FHIRPath, of name: String) -> [String]? {
            switch condition {
            case .operation("or", let left, let right):
                guard let first = texts(left, of: name), let second = texts(right, of: name) else {
                    return nil
                }
                return first + second.filter { !first.contains($0) }
            case .operation("=", .chain(let steps), .text(let text)):
                return steps.count == 1 && steps[0].name == name ? [text] : nil
            default: return nil
            }
        }

        /// The one item by whose answer's code an option is chosen.
        private static func lookedUp(_ condition: FHIRPath) -> [String]? {
            guard case .operation("=", .chain(let left), .chain(let right)) = condition,
                [["valueCoding", "code"], ["value", "code"], ["code"]].contains(left.map(\.name)),
                let answer = Chain(right), answer.stage == .answer, !answer.isBelow, !answer.isSummed,
                [["valueCoding", "code"], ["value", "code"]].contains(answer.taken),
                let ids = answer.filters.last, ids.count == 1
            else { return nil }
            return ids
        }

        /// Whether an option's extension of this address is read as its weight.
        private static func isWeight(_ url: String) -> Bool { FHIROptions.weights.contains(url) }

        // MARK: Points

        /// The points that are taken; nil for codes and whatever else is none.
        var points: Points? {
            var rest = taken[...]
            if rest.last == "toDecimal" { rest.removeLast() }
            if stage == .answer, [["value"], ["valueInteger"], ["valueDecimal"]].contains(Array(rest)) {
                return .numbers
            }
            guard stage == .answer || lookedUp != nil else { return nil }
            if rest.count > 1, ["value", "valueCoding", "valueInteger"].contains(rest.first) {
                rest.removeFirst()
            }
            let weights = [
                ["ordinal"], ["weight"], ["points", "value"], ["points", "valueDecimal"],
                ["points", "valueInteger"],
            ]
            return weights.contains(Array(rest)) ? .weights : nil
        }
    }
}
