import JSON

/// Walks over the items of a form: what is asked goes into sections, in order; what is not is noted at its item.
final class FHIRItems {
    private let pieces: FHIRPieces
    private let sets: FHIRValueSets
    private let notes: FHIRItemNotes
    private(set) var sections = FHIRSections()
    /// The words before and behind the questions, of forms that this program wrote.
    private(set) var frame: [String: JSON] = [:]
    /// What became of each item that was taken, by its place.
    private(set) var taken: [String: FormItem.Outcome] = [:]
    /// The questions read so far with their types and options, for conditions.
    private var questions: [String: JSON] = [:]
    private var options: [String: FHIROptions] = [:]
    /// Items that cannot be answered here, as their answers stand elsewhere.
    private var absent: Set<String> = []
    private var counted: [FHIRSums.Question] = []
    private var incomplete: Set<String> = []
    private var calculated: [FHIRSums.Calculated] = []
    private var computed: Set<String> = []

    /// What stands around an item.
    private struct Around {
        var condition: JSON?
        var depth = 0
        var ids = [""]
        var variables: [String: String] = [:]

        func inside(_ item: JSON, _ condition: JSON?) -> Around {
            Around(
                condition: condition, depth: depth + 1, ids: ids + [item["linkId"]?.string ?? ""],
                variables: variables)
        }
    }

    init(_ root: JSON, _ pieces: FHIRPieces, _ sets: FHIRValueSets) {
        self.pieces = pieces
        self.sets = sets
        notes = FHIRItemNotes(pieces: pieces)
        let around = Around(variables: FHIRSums.variables(root))
        for (index, item) in (root["item"]?.array ?? []).enumerated() {
            read(item, "item[\(index)]", around)
        }
    }

    private static let deepest = 100

    private func read(_ item: JSON, _ place: String, _ around: Around) {
        guard around.depth < Self.deepest else {
            return pieces.fault(place, "exchange.deep", ["limit": String(Self.deepest)])
        }
        let id = item["linkId"]?.string ?? ""
        let type = item["type"]?.string ?? ""
        if type == "display", id == "_intro" || id == "_outro" {
            frame[String(id.dropFirst())] = pieces.translations(item, "text")
            taken[place] = .words
            return
        }
        var around = around
        around.variables.merge(FHIRSums.variables(item)) { $1 }
        if let expression = FHIRSums.expression(item) {
            calculated.append(
                .init(item: item, place: place, expression: expression, variables: around.variables))
            computed.formUnion(around.ids)
            let below = item["item"]?.array ?? []
            if below.contains(where: { $0["type"]?.string != "display" }) {
                incomplete.formUnion(around.ids)
            }
            return
        }
        if let reason = FHIRItemNotes.reason(item) { return leaveOut(item, place, for: reason, around) }
        let own: JSON?
        switch condition(of: item, place) {
        case .never: return hangs(item, place, around)
        case .always: own = nil
        case .when(let condition): own = condition
        }
        notes.note(item, place)
        let condition = FHIRConditionReader.both(around.condition, own)
        switch type {
        case "group": group(item, place, around.inside(item, condition))
        case "display":
            sections.begin(
                item, text: pieces.translations(item, "text"), condition: condition, place: place)
            taken[place] = .words
            below(item, place, around.inside(item, condition))
        default: question(item, place, shown: condition, around)
        }
    }

    private func group(_ item: JSON, _ place: String, _ around: Around) {
        let index = sections.count
        sections.begin(
            item, text: pieces.translations(item, "text"), condition: around.condition, place: place)
        taken[place] = .group
        below(item, place, around)
        if !(item["item"]?.array ?? []).isEmpty, sections.removeIfBare(index) {
            taken[place] = nil
            pieces.note(place, "exchange.bare")
        }
        sections.end()
    }

    /// Items below a question follow it.
    private func below(_ item: JSON, _ place: String, _ around: Around) {
        let isQuestion = !["group", "display"].contains(item["type"]?.string)
        for (index, inner) in (item["item"]?.array ?? []).enumerated() {
            let innerPlace = "\(place).item[\(index)]"
            if isQuestion && FHIRHelp.isBeside(inner) {
                if taken[place] == nil {
                    notes.leaveOut(inner, innerPlace, "exchange.left_below")
                    continue
                }
                taken[innerPlace] = FHIRItemNotes.reason(inner) == nil ? .words : nil
            } else {
                read(inner, innerPlace, around)
            }
        }
    }

    private func question(_ item: JSON, _ place: String, shown condition: JSON?, _ around: Around) {
        let id = item["linkId"]?.string ?? ""
        switch FHIRQuestionReader(pieces: pieces, sets: sets).read(item, place) {
        case .question(let question, let offered):
            let type = question["type"]?.string ?? ""
            questions[id] = question
            options[id] = offered
            let points = Self.points(type, question, offered)
            counted.append(
                .init(id: id, key: question["key"]?.string ?? "", around: around.ids, points: points))
            sections.add(question, condition: condition, place: place)
            taken[place] = .question(type)
            below(item, place, around.inside(item, condition))
        case .withoutAnswers: forget(item, around)
        case .unknown:
            incomplete.formUnion(around.ids)
            below(item, place, around.inside(item, condition))
        }
    }

    private static func points(
        _ type: String, _ question: JSON, _ options: FHIROptions?
    ) -> FHIRSums.Points? {
        switch type {
        case "text", "date": return nil
        case "single":
            guard let options, options.isCounted else { return .unknown }
            return options.basis == .weights ? .weights : .numbers
        case "slider", "sam": return .numbers
        case "number":
            return question["minimum"] != nil && question["maximum"] != nil ? .numbers : .unknown
        default: return .unknown
        }
    }

    // MARK: Leaving out

    private func leaveOut(_ item: JSON, _ place: String, for reason: String, _ around: Around) {
        notes.leaveOut(item, place, reason)
        incomplete.formUnion(around.ids)
    }

    /// An item shown only with an answer that cannot be given goes with it.
    private func hangs(_ item: JSON, _ place: String, _ around: Around) {
        notes.leaveOut(item, place, "exchange.hangs_on")
        forget(item, around)
    }

    private func forget(_ item: JSON, _ around: Around) {
        incomplete.formUnion(around.ids)
        if let id = item["linkId"]?.string { absent.insert(id) }
        for inner in item["item"]?.array ?? [] { forget(inner, around) }
    }

    // MARK: Scales

    /// The items that are plain sums, as scales of our format; the others are noted.
    func scales() -> [JSON] {
        let sums = FHIRSums(counted, incomplete: incomplete, computed: computed)
        var keys: Set<String> = []
        var numbers: [String: Int] = [:]
        return calculated.compactMap { one -> JSON? in
            guard let items = sums.items(one) else {
                notes.leaveOut(one.item, one.place, "exchange.calculated")
                return nil
            }
            var key = FHIRPieces.key(one.item["linkId"]?.string ?? "sum")
            let start = String(key.prefix(50))
            while !keys.insert(key).inserted {
                numbers[start, default: 1] += 1
                key = "\(start)_\(numbers[start] ?? 1)"
            }
            taken[one.place] = .scale
            pieces.note(one.place, "exchange.sum", ["key": key, "n": String(items.count)])
            notes.noteScale(one.item, one.place)
            return .object([
                .init("key", .string(key)),
                .init("title", pieces.translations(one.item, "text") ?? pieces.text(key)),
                .init("method", .string("sum")), .init("items", .array(items.map { .string($0) })),
                // The form adds up what is there; we never guess at an answer that is not.
                .init("minimum_answered", .number(1)),
            ])
        }
    }

    // MARK: Conditions

    private enum Shown {
        case always
        case never
        case when(JSON)
    }

    private func condition(of item: JSON, _ place: String) -> Shown {
        let own = FHIRPieces.extensions(item, FHIRWriter.own + "visible-if").first?["valueString"]?.string
        if let own, let json = try? JSON.parse(Array(own.utf8)) { return .when(json) }
        let reader = FHIRConditionReader(questions: questions, options: options)
        let isAll = item["enableBehavior"]?.string == "all"
        let list = item["enableWhen"]?.array ?? []
        var parts: [JSON] = []
        var isWhole = true
        var dropped = 0
        for (index, when) in list.enumerated() {
            if let id = when["question"]?.string, absent.contains(id) {
                // Never answered: only that it has no answer holds.
                let holds = when["operator"]?.string == "exists" && when["answerBoolean"] == .bool(false)
                if holds && !isAll { return .always }
                if !holds && isAll { return .never }
                dropped += 1
            } else if let part = reader.comparison(when) {
                parts.append(part)
            } else {
                pieces.note("\(place).enableWhen[\(index)]", "exchange.when")
                isWhole = false
            }
        }
        // A part of a condition would be another condition: all of it, or none.
        guard isWhole else { return .always }
        if parts.isEmpty { return dropped > 0 && !isAll ? .never : .always }
        return .when(
            parts.count == 1 ? parts[0] : .object([.init(isAll ? "all" : "any", .array(parts))]))
    }
}
