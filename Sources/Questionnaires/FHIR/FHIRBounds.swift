import JSON
import Wording

/// How large a form may be. It is counted before anything of it is read, without recursion: a form beyond these bounds
/// is refused with the number, as reading it would take the server's time and memory.
struct FHIRBounds {
    private static let mostItems = 5_000
    private static let deepest = 100
    private static let mostConditions = 2_000
    /// In all value sets and code systems together.
    private static let mostConcepts = 10_000
    /// Parts of value sets, with the other sets that they name: each may go through all concepts.
    private static let mostParts = 1_000
    /// Answers of one item.
    private static let mostOfOne = FilePieces.limits["options"] ?? 0
    /// Of all items together: several may use one value set.
    private static let mostOptions = 50_000
    private static let mostFaults = 100

    /// What the form is refused for.
    private(set) var faults: [QuestionnaireFile.Fault] = []
    /// The questions whose answers stand in a value set.
    private var references: [(place: String, set: String)] = []
    /// The answers that stand at the items themselves.
    private var options = 0

    /// - Parameter beside: the other resources of the upload.
    init(_ form: JSON, beside: [JSON]) {
        countItems(form)
        countConcepts(beside + (form["contained"]?.array ?? []))
    }

    private mutating func judge(_ place: String, _ count: Int, of what: String, _ limit: Int) {
        guard count > limit, faults.count < Self.mostFaults else { return }
        let values = ["count": String(count), "what": what, "limit": String(limit)]
        faults.append(.init(place: place, message: Message("exchange.too_big", values)))
    }

    private mutating func refuseDepth(_ place: String) {
        let values = ["limit": String(Self.deepest)]
        faults.append(.init(place: place, message: Message("exchange.deep", values)))
    }

    // MARK: Items

    /// An item that is still to be counted.
    private struct Step {
        let item: JSON
        let place: String
        let level: Int
        /// Whether everything around it is asked.
        let isAsked: Bool
    }

    private mutating func countItems(_ form: JSON) {
        var items = 0
        var conditions = 0
        var isDeep = false
        var rest = Self.below(form, place: "", level: 1, isAsked: true)
        while let step = rest.popLast() {
            items += 1
            conditions += step.item["enableWhen"]?.array?.count ?? 0
            if step.level > Self.deepest, !isDeep {
                isDeep = true
                refuseDepth(step.place)
            }
            // The answers of an item that is left out are not read.
            let isAsked =
                step.isAsked && FHIRItemNotes.reason(step.item) == nil
                && FHIRSums.expression(step.item) == nil
            if isAsked { countOptions(step.item, step.place) }
            rest += Self.below(step.item, place: step.place, level: step.level + 1, isAsked: isAsked)
        }
        judge("item", items, of: "item", Self.mostItems)
        judge("item", conditions, of: "enableWhen", Self.mostConditions)
    }

    /// The items below, the first at the end.
    private static func below(_ json: JSON, place: String, level: Int, isAsked: Bool) -> [Step] {
        let before = place.isEmpty ? "" : place + "."
        return (json["item"]?.array ?? []).enumerated().reversed().map { index, item in
            // Below the deepest level, places would only grow.
            let own = level > deepest + 1 ? place : "\(before)item[\(index)]"
            return Step(item: item, place: own, level: level, isAsked: isAsked)
        }
    }

    private mutating func countOptions(_ item: JSON, _ place: String) {
        let own = FHIRPieces.offered(item).count
        options += own
        judge(place + ".answerOption", own, of: "answerOption", Self.mostOfOne)
        if own == 0, let set = item["answerValueSet"]?.string { references.append((place: place, set: set)) }
    }

    // MARK: Value sets

    private mutating func countConcepts(_ resources: [JSON]) {
        var concepts = 0
        var parts = 0
        var isDeep = false
        var rest: [(json: JSON, inner: String, level: Int)] = []
        for resource in resources {
            switch resource["resourceType"]?.string {
            case "CodeSystem":
                rest += (resource["concept"]?.array ?? []).map { (json: $0, inner: "concept", level: 1) }
            case "ValueSet":
                rest += (resource["expansion"]?["contains"]?.array ?? []).map {
                    (json: $0, inner: "contains", level: 1)
                }
                for name in ["include", "exclude"] {
                    for part in resource["compose"]?[name]?.array ?? [] {
                        parts += 1 + (part["valueSet"]?.array?.count ?? 0)
                        concepts += part["concept"]?.array?.count ?? 0
                    }
                }
            default: break
            }
        }
        while let one = rest.popLast() {
            concepts += 1
            isDeep = isDeep || one.level > Self.deepest
            rest += (one.json[one.inner]?.array ?? []).map {
                (json: $0, inner: one.inner, level: one.level + 1)
            }
        }
        if isDeep { refuseDepth("contained") }
        judge("contained", concepts, of: "concept", Self.mostConcepts)
        judge("contained", parts, of: "include", Self.mostParts)
    }

    /// Counts the answers that come out of the value sets. To be asked once the form is within the other bounds.
    mutating func countChoices(_ sets: FHIRValueSets) {
        for (place, set) in references {
            let count = sets.count(set)
            options += count
            judge(place + ".answerValueSet", count, of: "answerOption", Self.mostOfOne)
        }
        judge("item", options, of: "answerOption", Self.mostOptions)
    }
}
