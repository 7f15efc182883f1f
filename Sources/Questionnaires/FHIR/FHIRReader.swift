import JSON
import Wording

/// Reads a FHIR R4 `Questionnaire` into our file format. Items become sections and questions, `enableWhen` becomes
/// conditions; parts without an equivalent are noted, item by item, and left out.
package final class FHIRReader {
    private let root: JSON
    private let pieces: FHIRPieces
    private var sections: [JSON] = []
    private var sectionKeys: Set<String> = []
    /// The questions read so far with their types and options, for conditions.
    private var questions: [String: JSON] = [:]
    /// The values assigned to their options' codes.
    private var codes: [String: [String: Double]] = [:]

    private init(_ root: JSON) {
        self.root = root
        pieces = FHIRPieces(
            language: root["language"]?.string.map(FHIRPieces.code) ?? "en")
    }

    package static func isFHIR(_ json: JSON) -> Bool { json["resourceType"] != nil }

    /// - Returns: a file, to be checked by `QuestionnaireFile`, and notes on left-out parts.
    /// - Throws: `Faults` when it is another kind of resource.
    package static func read(_ json: JSON) throws(QuestionnaireFile.Faults) -> (
        file: JSON, notes: [ExchangeNote]
    ) {
        guard json["resourceType"]?.string == "Questionnaire" else {
            let message = Message("exchange.other_resource")
            throw QuestionnaireFile.Faults(list: [.init(place: "resourceType", message: message)])
        }
        let reader = FHIRReader(json)
        let file = reader.file()
        if reader.sections.isEmpty {
            throw QuestionnaireFile.Faults(list: [.init(place: "item", message: Message("file.empty"))])
        }
        return (file, reader.pieces.notes)
    }

    /// By what the form is known again; nil for one that this program exported.
    package static func identity(_ json: JSON) -> FormIdentity? { FormIdentity(json) }

    // MARK: The resource

    private func file() -> JSON {
        for (index, item) in (root["item"]?.array ?? []).enumerated() {
            read(item, place: "item[\(index)]", parent: nil, depth: 0)
        }
        var members: [JSON.Member] = [
            .init("format", .string(QuestionnaireFile.format)), .init("key", .string(key)),
        ]
        if let version = root["version"]?.string.flatMap(Int.init), version > 0 {
            members.append(.init("version", .number(Double(version))))
        }
        let title = pieces.translations(root, "title") ?? pieces.text(root["name"]?.string ?? key)
        members.append(.init("title", title))
        if let about = pieces.translations(root, "description") {
            members.append(.init("description", about))
        }
        for name in ["intro", "outro"] { if let words = frame[name] { members.append(.init(name, words)) } }
        if let copyright = root["copyright"]?.string { members.append(.init("citation", .string(copyright))) }
        let origin =
            FHIRPieces.extensions(root, FHIRWriter.own + "origin").first?["valueString"]
            ?? root["publisher"]
        if let origin { members.append(.init("origin", origin)) }
        if FHIRPieces.extensions(root, FHIRWriter.own + "mode").first?["valueCode"]?.string == "living" {
            members.append(.init("mode", .string("living")))
        }
        if FHIRPieces.extensions(root, FHIRWriter.own + "printable").first?["valueBoolean"] == .bool(true) {
            members.append(.init("printable", .bool(true)))
        }
        members.append(.init("sections", .array(sections)))
        let scales = FHIRPieces.extensions(root, FHIRWriter.own + "scale").compactMap { found in
            found["valueString"]?.string.flatMap { try? JSON.parse(Array($0.utf8)) }
        }
        if !scales.isEmpty { members.append(.init("scales", .array(scales))) }
        for member in FHIRPieces.members(root) where member.key == "modifierExtension" {
            pieces.note(member.key, "exchange.modifier")
        }
        return .object(members)
    }

    private var frame: [String: JSON] = [:]

    private var key: String {
        let own = (root["identifier"]?.array ?? []).first { $0["system"]?.string == FHIRWriter.own + "key" }
        return own?["value"]?.string.map(FHIRPieces.key)
            ?? FormIdentity.key(root, title: root["title"]?.string)
    }

    // MARK: Items

    /// - Parameter parent: the condition of the group around it.
    private func read(_ item: JSON, place: String, parent: JSON?, depth: Int) {
        guard depth < 20 else { return pieces.note(place, "exchange.deep") }
        let id = item["linkId"]?.string ?? ""
        let type = item["type"]?.string ?? ""
        if type == "display", id == "_intro" || id == "_outro" {
            frame[String(id.dropFirst())] = pieces.translations(item, "text")
            return
        }
        let condition = both(parent, condition(of: item, place))
        switch type {
        case "group": group(item, place, condition, depth)
        case "display": append(item, questions: [], condition)
        default:
            guard let question = question(item, place) else { return }
            // A question outside of any group gets a section of its own.
            append(nil, questions: [question], condition)
            nested(item, place, condition, depth)
        }
    }

    /// A group becomes a section; inner groups and questions with a condition of their own become sections behind it.
    private func group(_ item: JSON, _ place: String, _ condition: JSON?, _ depth: Int) {
        var open: [JSON] = []
        var isFirst = true
        let flush = {
            if isFirst || !open.isEmpty { self.append(isFirst ? item : nil, questions: open, condition) }
            isFirst = false
            open = []
        }
        for (index, inner) in (item["item"]?.array ?? []).enumerated() {
            let innerPlace = "\(place).item[\(index)]"
            let type = inner["type"]?.string ?? ""
            let isOwnSection = type == "group" || type == "display" || inner["enableWhen"] != nil
            if isOwnSection {
                flush()
                read(inner, place: innerPlace, parent: condition, depth: depth + 1)
            } else if let question = question(inner, innerPlace) {
                open.append(question)
                if hasRealChildren(inner) {
                    flush()
                    nested(inner, innerPlace, condition, depth)
                }
            }
        }
        flush()
    }

    /// Items below a question follow it.
    private func nested(_ item: JSON, _ place: String, _ condition: JSON?, _ depth: Int) {
        for (index, inner) in (item["item"]?.array ?? []).enumerated() where FHIRPieces.control(inner) == nil
        {
            read(inner, place: "\(place).item[\(index)]", parent: condition, depth: depth + 1)
        }
    }

    private func hasRealChildren(_ item: JSON) -> Bool {
        (item["item"]?.array ?? []).contains { FHIRPieces.control($0) == nil }
    }

    private func append(_ item: JSON?, questions: [JSON], _ condition: JSON?) {
        guard sections.count < FilePieces.limits["sections"] ?? 0 else {
            return pieces.note("item", "exchange.many")
        }
        let id = item?["linkId"]?.string.map {
            $0.hasPrefix(FHIRWriter.sectionPrefix) ? String($0.dropFirst(FHIRWriter.sectionPrefix.count)) : $0
        }
        var key = FHIRPieces.key(id ?? "s\(sections.count + 1)")
        if sectionKeys.contains(key) { key = "s\(sections.count + 1)" }
        while !sectionKeys.insert(key).inserted { key += "_" }
        var members: [JSON.Member] = [.init("key", .string(key))]
        if let item, let words = pieces.translations(item, "text") { members.append(.init("text", words)) }
        if let condition { members.append(.init("visible_if", condition)) }
        // Options common to all choices become the section's.
        let shared = questions.compactMap { $0["options"] }
        let isShared = shared.count > 1 && shared.allSatisfy { $0 == shared[0] }
        if isShared { members.append(.init("options", shared[0])) }
        let list = isShared ? questions.map { $0.setting(DocumentPath("options"), nil) } : questions
        members.append(.init("questions", .array(list)))
        sections.append(.object(members))
    }

    private func question(_ item: JSON, _ place: String) -> JSON? {
        guard let question = FHIRQuestionReader(pieces: pieces).question(item, place) else { return nil }
        let id = item["linkId"]?.string ?? ""
        questions[id] = question
        codes[id] = FHIRQuestionReader.codes(item)
        return question
    }

    // MARK: Conditions

    private func both(_ first: JSON?, _ second: JSON?) -> JSON? {
        guard let first, let second else { return first ?? second }
        return .object([.init("all", .array([first, second]))])
    }

    private func condition(of item: JSON, _ place: String) -> JSON? {
        let reader = FHIRConditionReader(questions: questions, codes: codes)
        let own = FHIRPieces.extensions(item, FHIRWriter.own + "visible-if").first?["valueString"]?.string
        if let own, let json = try? JSON.parse(Array(own.utf8)) { return json }
        let list = item["enableWhen"]?.array ?? []
        let parts = list.enumerated().compactMap { index, when -> JSON? in
            let part = reader.comparison(when)
            if part == nil { pieces.note("\(place).enableWhen[\(index)]", "exchange.when") }
            return part
        }
        // A part of a condition would be another condition: all of it, or none.
        guard parts.count == list.count else { return nil }
        guard parts.count > 1 else { return parts.first }
        let behaviour = item["enableBehavior"]?.string == "all" ? "all" : "any"
        return .object([.init(behaviour, .array(parts))])
    }
}
