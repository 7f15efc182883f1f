import JSON

/// The value sets that came with a form: contained in it, or beside it in a bundle.
final class FHIRValueSets {
    /// Under `#id` and under their addresses.
    private var sets: [String: JSON] = [:]
    private var systems: [String: JSON] = [:]
    /// What was found in each set; nil for one that cannot be read, or is being read.
    private var known: [String: [Concept]?] = [:]

    /// - Parameter beside: the other resources of the upload.
    init(_ root: JSON, beside: [JSON] = []) {
        for resource in beside { add(resource) }
        for resource in root["contained"]?.array ?? [] {
            if let id = resource["id"]?.string, resource["resourceType"] == .string("ValueSet") {
                sets["#" + id] = resource
            }
            add(resource)
        }
    }

    private func add(_ resource: JSON) {
        guard let url = resource["url"]?.string else { return }
        switch resource["resourceType"]?.string {
        case "ValueSet": sets[Self.bare(url)] = resource
        case "CodeSystem": systems[Self.bare(url)] = resource
        default: break
        }
    }

    /// Without the version behind the bar.
    private static func bare(_ url: String) -> String {
        String(String.UnicodeScalarView(url.unicodeScalars.prefix { $0 != "|" }))
    }

    /// The answers of a value set, as `answerOption`; nil where it did not come along, or says them by a rule that only
    /// a server of terms can follow.
    func options(_ reference: String) -> [JSON]? {
        let found = concepts(reference)
        return found?.isEmpty == true ? nil : found.map { $0.map(Self.option) }
    }

    private struct Concept {
        let system: String?
        let json: JSON

        var name: String { "\(system ?? "")|\(json["code"]?.string ?? "")" }
    }

    /// More than any question can offer: such a list is refused as too long.
    private static let limit = 1_000

    /// Each once, in order.
    private static func distinct(_ concepts: [Concept]) -> [Concept] {
        var names: Set<String> = []
        return Array(concepts.filter { names.insert($0.name).inserted }.prefix(limit))
    }

    private func concepts(_ reference: String) -> [Concept]? {
        let name = Self.bare(reference)
        if let found = known[name] { return found }
        // A set that includes itself has nothing to say about itself.
        known[name] = .some(nil)
        let found = sets[name].flatMap(read).map(Self.distinct)
        known[name] = .some(found)
        return found
    }

    private func read(_ set: JSON) -> [Concept]? {
        if let expanded = set["expansion"]?["contains"]?.array { return expanded.flatMap(Self.expanded) }
        guard let compose = set["compose"], let included = compose["include"]?.array else { return nil }
        var all: [Concept] = []
        for part in included where all.count <= Self.limit {
            guard let concepts = self.part(part) else { return nil }
            all = Self.distinct(all + concepts)
        }
        for part in compose["exclude"]?.array ?? [] {
            guard let excluded = self.part(part) else { return nil }
            let names = Set(excluded.map(\.name))
            all.removeAll { names.contains($0.name) }
        }
        return all
    }

    private static func expanded(_ json: JSON) -> [Concept] {
        let isChoosable = json["abstract"] != .bool(true) && json["code"] != nil
        let own = isChoosable ? [Concept(system: json["system"]?.string, json: json)] : []
        return own + (json["contains"]?.array ?? []).flatMap(expanded)
    }

    private func part(_ part: JSON) -> [Concept]? {
        guard part["filter"]?.array?.isEmpty ?? true else { return nil }
        var found: [[Concept]] = []
        let system = part["system"]?.string
        let all = system.flatMap { systems[Self.bare($0)]?["concept"]?.array }.map { concepts in
            concepts.flatMap { Self.nested($0, system) }
        }
        if let concepts = part["concept"]?.array {
            // Words that a set leaves to its system.
            let words = Dictionary(
                (all ?? []).map { ($0.name, $0.json) }, uniquingKeysWith: { one, _ in one })
            found.append(
                concepts.map { json in
                    let concept = Concept(system: system, json: json)
                    let isBare = json["display"] == nil && json["extension"] == nil
                    return isBare ? Concept(system: system, json: words[concept.name] ?? json) : concept
                })
        } else if system != nil {
            guard let all else { return nil }
            found.append(all)
        }
        for reference in part["valueSet"]?.array ?? [] {
            guard let text = reference.string, let concepts = concepts(text) else { return nil }
            found.append(concepts)
        }
        guard var common = found.first else { return nil }
        // What a part names together is what all of it have.
        for other in found.dropFirst() {
            let names = Set(other.map(\.name))
            common = common.filter { names.contains($0.name) }
        }
        return common
    }

    private static func nested(_ json: JSON, _ system: String?) -> [Concept] {
        [Concept(system: system, json: json)]
            + (json["concept"]?.array ?? []).flatMap { nested($0, system) }
    }

    private static func option(_ concept: Concept) -> JSON {
        let json = concept.json
        var coding: [JSON.Member] = []
        if let system = concept.system { coding.append(.init("system", .string(system))) }
        for name in ["code", "display", "_display"] {
            if let value = json[name] { coding.append(.init(name, value)) }
        }
        let designations = (json["designation"]?.array ?? []).compactMap { designation -> JSON? in
            guard let language = designation["language"], let words = designation["value"] else { return nil }
            return .object([
                .init("url", .string(FHIRWriter.standard + "translation")),
                .init(
                    "extension",
                    .array([
                        FHIRWriter.extended("lang", "valueCode", language),
                        FHIRWriter.extended("content", "valueString", words),
                    ])),
            ])
        }
        if json["_display"] == nil, !designations.isEmpty {
            coding.append(.init("_display", .object([.init("extension", .array(designations))])))
        }
        var extensions = json["extension"]?.array ?? []
        // Code systems say the weight of a code as its property.
        let weight = (json["property"]?.array ?? []).first { $0["code"]?.string == "itemWeight" }
        if let value = weight?["valueDecimal"] ?? weight?["valueInteger"] {
            extensions.append(FHIRWriter.extended(FHIRWriter.standard + "itemWeight", "valueDecimal", value))
        }
        if !extensions.isEmpty { coding.append(.init("extension", .array(extensions))) }
        return .object([.init("valueCoding", .object(coding))])
    }
}
