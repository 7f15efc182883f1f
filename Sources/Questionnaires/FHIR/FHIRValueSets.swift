import JSON

/// The value sets that came with a form: contained in it, or beside it in a bundle.
final class FHIRValueSets {
    /// Under `#id` and under their addresses.
    private var sets: [String: JSON] = [:]
    private var systems: [String: JSON] = [:]
    /// What was found in each set; nil for one that cannot be read, or is being read.
    private var known: [String: [Concept]?] = [:]
    /// The code systems that were asked for, by their addresses.
    private var flat: [String: System] = [:]
    /// The answers of each set, once for all items that use it.
    private var offered: [String: [JSON]] = [:]

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
        let name = Self.bare(reference)
        if let found = offered[name] { return found }
        guard let concepts = concepts(name, depth: 0), !concepts.isEmpty else { return nil }
        let options = concepts.map(Self.option)
        offered[name] = options
        return options
    }

    /// How many answers a value set has; 0 where they are not known.
    func count(_ reference: String) -> Int { concepts(reference, depth: 0)?.count ?? 0 }

    /// Shared by all sets that it is in.
    private final class Concept {
        let system: String?
        let json: JSON
        let name: String

        init(system: String?, json: JSON) {
            self.system = system
            self.json = json
            name = "\(system ?? "")|\(json["code"]?.string ?? "")"
        }
    }

    /// A code system with all levels in one list.
    private struct System {
        let concepts: [Concept]
        let byName: [String: Concept]
    }

    /// How many sets may include each other in a row.
    private static let deepest = 20

    /// - Parameter depth: how many sets around it include it.
    private func concepts(_ reference: String, depth: Int) -> [Concept]? {
        let name = Self.bare(reference)
        if let found = known[name] { return found }
        guard depth <= Self.deepest, let set = sets[name] else { return nil }
        // A set that includes itself has nothing to say about itself.
        known[name] = .some(nil)
        let found = read(set, depth)
        known[name] = .some(found)
        return found
    }

    /// Each concept once, in order.
    private func read(_ set: JSON, _ depth: Int) -> [Concept]? {
        var all: [Concept] = []
        var names: Set<String> = []
        if let expanded = set["expansion"]?["contains"]?.array {
            for json in expanded { Self.expand(json, into: &all) }
            return all.filter { names.insert($0.name).inserted }
        }
        guard let compose = set["compose"], let included = compose["include"]?.array else { return nil }
        for part in included {
            guard let concepts = self.part(part, depth) else { return nil }
            all += concepts.filter { names.insert($0.name).inserted }
        }
        for part in compose["exclude"]?.array ?? [] {
            guard let excluded = self.part(part, depth) else { return nil }
            let names = Set(excluded.map(\.name))
            all.removeAll { names.contains($0.name) }
        }
        return all
    }

    private static func expand(_ json: JSON, into all: inout [Concept]) {
        if json["abstract"] != .bool(true), json["code"] != nil {
            all.append(Concept(system: json["system"]?.string, json: json))
        }
        for inner in json["contains"]?.array ?? [] { expand(inner, into: &all) }
    }

    private func part(_ part: JSON, _ depth: Int) -> [Concept]? {
        guard part["filter"]?.array?.isEmpty ?? true else { return nil }
        var found: [[Concept]] = []
        let name = part["system"]?.string.map(Self.bare)
        let system = name.flatMap(self.system)
        if let concepts = part["concept"]?.array {
            found.append(
                concepts.map { json in
                    let concept = Concept(system: name, json: json)
                    // Words that a set leaves to its system.
                    let isBare = json["display"] == nil && json["extension"] == nil
                    return isBare ? system?.byName[concept.name] ?? concept : concept
                })
        } else if name != nil {
            guard let system else { return nil }
            found.append(system.concepts)
        }
        for reference in part["valueSet"]?.array ?? [] {
            guard let text = reference.string, let concepts = concepts(text, depth: depth + 1) else {
                return nil
            }
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

    private func system(_ url: String) -> System? {
        if let found = flat[url] { return found }
        guard let list = systems[url]?["concept"]?.array else { return nil }
        var all: [Concept] = []
        for json in list { Self.flatten(json, url, into: &all) }
        let found = System(
            concepts: all,
            byName: Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one }))
        flat[url] = found
        return found
    }

    private static func flatten(_ json: JSON, _ system: String, into all: inout [Concept]) {
        all.append(Concept(system: system, json: json))
        for inner in json["concept"]?.array ?? [] { flatten(inner, system, into: &all) }
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
