import JSON
import Wording

/// Reads a FHIR R4 `Questionnaire` into our file format. Items become sections and questions, `enableWhen` becomes
/// conditions; parts without an equivalent are noted, item by item, and left out.
package final class FHIRReader {
    private let root: JSON
    private let pieces: FHIRPieces
    private let items: FHIRItems
    private let scales: [JSON]
    private var sections: FHIRSections { items.sections }

    private init(_ root: JSON, _ sets: FHIRValueSets, points: [String: Double]) {
        self.root = root
        pieces = FHIRPieces(
            language: root["language"]?.string.map(FHIRPieces.code) ?? "en", points: points)
        items = FHIRItems(root, pieces, sets)
        scales = items.scales()
        for member in FHIRPieces.members(root) where member.key == "modifierExtension" {
            pieces.note(member.key, "exchange.modifier")
        }
        FHIRItemNotes(pieces: pieces).extensions(root, "extension", .null)
        let limit = FilePieces.limits["sections"] ?? 0
        let count = sections.json.count
        if count > limit {
            pieces.fault("item", "exchange.many", ["count": String(count), "limit": String(limit)])
        }
        if count == 0 { pieces.fault("item", "file.empty") }
    }

    package static func isFHIR(_ json: JSON) -> Bool { json["resourceType"] != nil }

    /// A form in our format, checked as a whole.
    package struct Form: Sendable {
        package let json: JSON
        package let definition: QuestionnaireDefinition
        package let notes: [ExchangeNote]
        package let items: [FormItem]
        /// By what it is known again; nil for one that this program exported.
        package let identity: FormIdentity?
    }

    /// - Parameter points: of answers that say none, by their place.
    /// - Throws: `Faults` with the form's own places: it is taken whole or not at all.
    package static func form(
        _ json: JSON, points: [String: Double] = [:]
    ) throws(QuestionnaireFile.Faults) -> Form {
        let reader = try reader(json, points: points)
        let file = reader.file()
        let identity = FormIdentity(reader.root)
        if let faults = identity?.faults, !faults.isEmpty { throw QuestionnaireFile.Faults(list: faults) }
        do throws(QuestionnaireFile.Faults) {
            return Form(
                json: file, definition: try QuestionnaireFile.read(file), notes: reader.notes,
                items: reader.listed, identity: identity)
        } catch {
            throw QuestionnaireFile.Faults(
                list: error.list.map {
                    .init(place: reader.sections.origin(of: $0.place), message: $0.message)
                }, uncounted: reader.pieces.uncounted)
        }
    }

    /// - Returns: a file, to be checked by `QuestionnaireFile`, and notes on left-out parts.
    /// - Throws: `Faults` when it is another kind of resource, or too large (`FHIRBounds`).
    package static func read(_ json: JSON) throws(QuestionnaireFile.Faults) -> (
        file: JSON, notes: [ExchangeNote]
    ) {
        let reader = try reader(json)
        return (reader.file(), reader.notes)
    }

    private static func reader(
        _ json: JSON, points: [String: Double] = [:]
    ) throws(QuestionnaireFile.Faults) -> FHIRReader {
        let upload = resources(of: json)
        let forms = upload.filter { $0["resourceType"]?.string == "Questionnaire" }
        guard let form = forms.first, forms.count == 1 else {
            let message = Message(forms.isEmpty ? "exchange.other_resource" : "exchange.several_forms")
            throw QuestionnaireFile.Faults(list: [.init(place: "resourceType", message: message)])
        }
        var bounds = FHIRBounds(form, beside: upload)
        guard bounds.faults.isEmpty else { throw QuestionnaireFile.Faults(list: bounds.faults) }
        let sets = FHIRValueSets(form, beside: upload)
        bounds.countChoices(sets)
        guard bounds.faults.isEmpty else { throw QuestionnaireFile.Faults(list: bounds.faults) }
        let reader = FHIRReader(form, sets, points: points)
        let faults = reader.pieces.faults
        guard faults.isEmpty else {
            throw QuestionnaireFile.Faults(list: faults, uncounted: reader.pieces.uncounted)
        }
        return reader
    }

    /// The resource itself, or those in a bundle.
    private static func resources(of json: JSON) -> [JSON] {
        guard json["resourceType"]?.string == "Bundle" else { return [json] }
        return (json["entry"]?.array ?? []).compactMap { $0["resource"] }
    }

    private var listed: [FormItem] { FormItem.all(root, pieces: pieces, items.taken) }

    /// The notes, each with the item that it is about.
    private var notes: [ExchangeNote] {
        let ids = Dictionary(listed.map { ($0.place, $0.linkID) }, uniquingKeysWith: { first, _ in first })
        return pieces.notes.map { note in
            var note = note
            note.item = FormItem.place(around: note.place)
            note.linkID = note.item.flatMap { ids[$0] }
            return note
        }
    }

    // MARK: The resource

    private func file() -> JSON {
        var members: [JSON.Member] = [
            .init("format", .string(QuestionnaireFile.format)), .init("key", .string(key)),
        ]
        // Versions of others are dates and words, too; here they are counted.
        if isOwn, let version = root["version"]?.string.flatMap(Int.init), version > 0 {
            members.append(.init("version", .number(Double(version))))
        }
        let title = pieces.translations(root, "title") ?? pieces.text(root["name"]?.string ?? key)
        members.append(.init("title", title))
        if let about = pieces.translations(root, "description") {
            members.append(.init("description", about))
        }
        for name in ["intro", "outro"] {
            if let words = items.frame[name] { members.append(.init(name, words)) }
        }
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
        members.append(.init("sections", .array(sections.json)))
        let own = FHIRPieces.extensions(root, FHIRWriter.own + "scale").compactMap { found in
            found["valueString"]?.string.flatMap { try? JSON.parse(Array($0.utf8)) }
        }
        let scales = own + scales
        if !scales.isEmpty { members.append(.init("scales", .array(scales))) }
        return JSON.object(members).withCleanWords
    }

    /// The key under which this program exported it; nil for a form of others.
    private var own: JSON? {
        (root["identifier"]?.array ?? []).first { $0["system"]?.string == FHIRWriter.own + "key" }
    }
    private var isOwn: Bool { own != nil }

    private var key: String {
        own?["value"]?.string.map(FHIRPieces.key)
            ?? FormIdentity.key(root, title: root["title"]?.string)
    }
}
