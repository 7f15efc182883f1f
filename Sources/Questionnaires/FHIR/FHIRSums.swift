import JSON

/// Calculated items that are the plain sum of answers of the same form: they become scales.
struct FHIRSums {
    /// An item that is worked out from others.
    struct Calculated {
        let item: JSON
        let place: String
        let expression: String
        /// The named expressions that it may use.
        let variables: [String: String]
    }

    struct Question {
        let id: String
        let key: String
        /// The groups and questions around it, from the form itself, which has no id.
        let around: [String]
        /// Nil for one whose answer is no number at all.
        let points: Points?
    }

    /// How the form itself says what number of points an answer is.
    enum Points {
        /// By weights of its options.
        case weights
        /// The answer is the number, within known ends.
        case numbers
        case unknown
    }

    let byID: [String: Question]
    /// The questions at any depth of each group.
    let inside: [String: [Question]]
    /// Groups of which something was left out: nothing can be said about all of their answers.
    let incomplete: Set<String>
    /// Groups with a number that is itself worked out, and is among their answers in the form alone.
    let computed: Set<String>
    private let paths = Paths()

    init(_ questions: [Question], incomplete: Set<String>, computed: Set<String>) {
        self.incomplete = incomplete
        self.computed = computed
        byID = Dictionary(questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var inside: [String: [Question]] = [:]
        for question in questions {
            for group in Set(question.around) { inside[group, default: []].append(question) }
        }
        self.inside = inside
    }

    /// Each named expression is parsed once, whatever number of items use it.
    private final class Paths {
        private var known: [String: FHIRPath?] = [:]

        func path(_ text: String) -> FHIRPath? {
            if let path = known[text] { return path }
            let path = FHIRPath(text)
            known.updateValue(path, forKey: text)
            return path
        }
    }

    static func expression(_ item: JSON) -> String? {
        let url = "sdc-questionnaire-calculatedExpression"
        return (item["extension"]?.array ?? []).first { found in
            found["url"]?.string?.split(separator: "/").last.map(String.init) == url
        }?["valueExpression"]?["expression"]?.string
    }

    /// The named expressions of an element.
    static func variables(_ json: JSON) -> [String: String] {
        let found = FHIRPieces.extensions(json, FHIRWriter.standard + "variable").compactMap { variable in
            variable["valueExpression"].flatMap { value -> (String, String)? in
                guard let name = value["name"]?.string, let text = value["expression"]?.string else {
                    return nil
                }
                return (name, text)
            }
        }
        return Dictionary(found, uniquingKeysWith: { $1 })
    }

    /// The keys of the questions that are added up; nil where it is anything but a plain sum of theirs.
    func items(_ calculated: Calculated) -> [String]? {
        var search = Search(sums: self, variables: calculated.variables)
        guard let path = paths.path(calculated.expression), let ids = search.addends(path),
            Set(ids).count == ids.count
        else { return nil }
        let found = ids.compactMap { byID[$0] }
        guard found.count == ids.count else { return nil }
        return found.map(\.key)
    }

    /// Looks through an expression and those that it names, which may name each other without end.
    private struct Search {
        let sums: FHIRSums
        let variables: [String: String]
        private var steps = 2_000

        init(sums: FHIRSums, variables: [String: String]) {
            self.sums = sums
            self.variables = variables
        }

        private mutating func named(_ name: String) -> FHIRPath? {
            steps -= 1
            return steps > 0 ? variables[name].flatMap(sums.paths.path) : nil
        }

        /// What is added up, at least one; nil for anything but a sum.
        mutating func addends(_ path: FHIRPath, depth: Int = 0) -> [String]? {
            guard depth < 40 else { return nil }
            // Sums lean to the left, one addend after the other.
            var parts: [FHIRPath] = []
            var left = path
            while case .operation("+", let before, let last) = left {
                parts.append(last)
                left = before
            }
            var all: [String] = []
            for part in [left] + parts.reversed() {
                guard let found = addend(part, depth + 1), !found.isEmpty else { return nil }
                all += found
                if all.count > 1_000 { return nil }
            }
            return all
        }

        private mutating func addend(_ path: FHIRPath, _ depth: Int) -> [String]? {
            switch path {
            case .variable(let name): return named(name).flatMap { addends($0, depth: depth) }
            case .chain(let steps):
                if steps.count == 1, steps[0].name == "iif", let arguments = steps[0].arguments {
                    return conditional(arguments, depth)
                }
                return sums.added(steps)
            case .operation("+", _, _): return addends(path, depth: depth)
            case .operation, .text, .number, .nothing: return nil
            }
        }

        /// `iif(%a.exists(), %a, 0)`: with all answers given, which our scale waits for, it is the answer.
        private mutating func conditional(_ arguments: [FHIRPath], _ depth: Int) -> [String]? {
            guard (2...3).contains(arguments.count), isGiven(arguments[0], depth) else { return nil }
            switch arguments.count == 3 ? arguments[2] : .nothing {
            case .nothing, .number(0): return addends(arguments[1], depth: depth)
            default: return nil
            }
        }

        /// Whether a condition holds once everything is answered.
        private mutating func isGiven(_ path: FHIRPath, _ depth: Int) -> Bool {
            guard depth < 40 else { return false }
            switch path {
            case .operation("or", let left, let right), .operation("and", let left, let right):
                return isGiven(left, depth + 1) && isGiven(right, depth + 1)
            case .variable(let name):
                guard let path = named(name) else { return false }
                return isGiven(path, depth + 1)
            case .chain(let steps):
                guard let last = steps.last, last.name == "exists", last.arguments?.isEmpty == true else {
                    return false
                }
                let before = Array(steps.dropLast())
                if before.count == 1, before[0].name.hasPrefix("%") {
                    return addend(.variable(String(before[0].name.dropFirst())), depth + 1) != nil
                }
                return sums.isAsked(before)
            default: return false
            }
        }
    }
}
