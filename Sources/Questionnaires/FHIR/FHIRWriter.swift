import JSON
import Wire
import Wording

/// A part that a conversion could not carry over, with its place.
package struct ExchangeNote: Sendable, Equatable {
    package let place: String
    package let message: Message
    /// The place of the form's item that it is about, and the form's own id of that; nil for the form itself, and for
    /// a form of ours.
    package var item: String? = nil
    package var linkID: String? = nil
}

/// Writes a questionnaire as a FHIR R4 `Questionnaire`. Parts that R4 cannot express (scales, nested conditions, the
/// figures of a self-assessment manikin) are written as extensions of our own, so that nothing is lost between two
/// installations, and are listed in the notes, because other programs will not understand them.
package struct FHIRWriter {
    package static let own = "urn:intersession:fhir:"
    package static let standard = "http://hl7.org/fhir/StructureDefinition/"

    private let definition: QuestionnaireDefinition
    private let version: Int
    private let isRetired: Bool
    private let url: String
    private let base: String
    let links: FHIRLinks
    private let notes = Notes()

    /// Collects while the tree is written.
    private final class Notes { var list: [ExchangeNote] = [] }

    private init(_ definition: QuestionnaireDefinition, version: Int, url: String, isRetired: Bool) {
        self.definition = definition
        self.version = version
        self.isRetired = isRetired
        self.url = url
        base = Self.base(of: definition)
        links = FHIRLinks(definition)
    }

    /// - Parameter url: what answers call the questionnaire, in each of its versions.
    package static func write(
        _ definition: QuestionnaireDefinition, version: Int, url: String, isRetired: Bool = false
    ) -> (json: JSON, notes: [ExchangeNote]) {
        let writer = FHIRWriter(definition, version: version, url: url, isRetired: isRetired)
        let json = writer.resource()
        return (json, writer.notes.list)
    }

    func note(_ place: String, _ key: String) {
        notes.list.append(ExchangeNote(place: place, message: Message(key)))
    }

    // MARK: The resource

    private func resource() -> JSON {
        var members: [JSON.Member] = [
            .init("resourceType", .string("Questionnaire")), .init("language", .string(base)),
        ]
        var extensions = definition.scales.enumerated().map { index, scale -> JSON in
            note("scales[\(index)]", "exchange.scale")
            return Self.extended(Self.own + "scale", "valueString", .string(FHIRScale.text(scale)))
        }
        if definition.mode == .living {
            note("mode", "exchange.mode")
            extensions.append(Self.extended(Self.own + "mode", "valueCode", .string("living")))
        }
        if definition.isPrintable {
            extensions.append(Self.extended(Self.own + "printable", "valueBoolean", .bool(true)))
        }
        if let origin = definition.origin {
            extensions.append(Self.extended(Self.own + "origin", "valueString", .string(origin)))
        }
        if !extensions.isEmpty { members.append(.init("extension", .array(extensions))) }
        let identifier = JSON.object([
            .init("system", .string(Self.own + "key")), .init("value", .string(definition.key)),
        ])
        members += [
            .init("url", .string(url)),
            .init("identifier", .array([identifier])), .init("version", .string(String(version))),
            .init("name", .string(Self.name(definition.key))),
        ]
        members += text("title", definition.title)
        members.append(.init("status", .string(isRetired ? "retired" : "active")))
        members.append(.init("subjectType", .array([.string("Patient")])))
        if let about = definition.description { members += text("description", about) }
        if let citation = definition.citation { members.append(.init("copyright", .string(citation))) }
        let frame = [(links.intro, definition.intro), (links.outro, definition.outro)].map { id, words in
            words.map { display(id, $0) }
        }
        let items =
            [frame[0]].compactMap(\.self) + definition.sections.enumerated().map(section)
            + [frame[1]].compactMap(\.self)
        members.append(.init("item", .array(items)))
        return .object(members)
    }

    /// R4 wants a name that programs can use: letters, digits and underscores, a capital first.
    private static func name(_ key: String) -> String {
        let plain = key.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return "Q_" + String(plain)
    }

    // MARK: Texts

    static func extended(_ url: String, _ kind: String, _ value: JSON) -> JSON {
        .object([.init("url", .string(url)), .init(kind, value)])
    }

    /// The language that texts stand in, with translations beside them.
    static func base(of definition: QuestionnaireDefinition) -> String { definition.language(asked: "de") }

    /// A text in the questionnaire's language, else in one that it has; nil without words.
    static func words(
        of text: QuestionnaireDefinition.Text, _ base: String
    ) -> (language: String, text: String)? {
        let all = text.translations.filter { !$0.text.isEmpty }
        return all.first { $0.language == base } ?? all.first
    }

    /// A text in the questionnaire's language, with its translations. Empty texts are not written: R4 has none.
    func text(_ name: String, _ text: QuestionnaireDefinition.Text) -> [JSON.Member] {
        guard let first = Self.words(of: text, base) else { return [] }
        let others = text.translations.filter { !$0.text.isEmpty && $0.language != first.language }.map {
            Self.translation($0.language, $0.text)
        }
        var members = [JSON.Member(name, .string(first.text))]
        let own =
            first.language == base
            ? [] : [Self.extended(Self.own + "language", "valueCode", .string(first.language))]
        if !(own + others).isEmpty {
            members.append(.init("_" + name, .object([.init("extension", .array(own + others))])))
        }
        return members
    }

    private static func translation(_ language: String, _ text: String) -> JSON {
        .object([
            .init("url", .string(standard + "translation")),
            .init(
                "extension",
                .array([
                    extended("lang", "valueCode", .string(language)),
                    extended("content", "valueString", .string(text)),
                ])),
        ])
    }

    private func display(_ id: String, _ words: QuestionnaireDefinition.Text) -> JSON {
        .object([.init("linkId", .string(id))] + text("text", words) + [.init("type", .string("display"))])
    }

    // MARK: Sections

    private func section(_ index: Int, _ section: QuestionnaireDefinition.Section) -> JSON {
        let place = "sections[\(index)]"
        var members: [JSON.Member] = [.init("linkId", .string(links.section(section.key)))]
        var condition: [JSON.Member] = []
        if let visibleIf = section.visibleIf {
            if let flat = FHIRCondition.write(visibleIf, definition) {
                condition = flat
            } else {
                note(place + ".visible_if", "exchange.condition")
                let bytes = (try? JSONWriter.bytes(of: visibleIf)) ?? []
                let words = JSON.string(String(decoding: bytes, as: UTF8.self))
                members.insert(
                    .init(
                        "extension", .array([Self.extended(Self.own + "visible-if", "valueString", words)])),
                    at: 0)
            }
        }
        members += text("text", section.text)
        members.append(.init("type", .string(section.questions.isEmpty ? "display" : "group")))
        members += condition
        if !section.questions.isEmpty {
            let items = section.questions.enumerated().map { question($1, "\(place).questions[\($0)]") }
            members.append(.init("item", .array(items)))
        }
        return .object(members)
    }
}

/// A scale as text in our own extension: its entry in the file.
enum FHIRScale {
    static func text(_ scale: Scale) -> String {
        var members: [JSON.Member] = [
            .init("key", .string(scale.key)),
            .init("title", .object(scale.title.translations.map { .init($0.language, .string($0.text)) })),
            .init("method", .string(scale.method.rawValue)),
            .init("items", .array(scale.items.map { .string($0) })),
        ]
        let reversed = scale.items.filter(scale.reversed.contains)
        if !reversed.isEmpty { members.append(.init("reversed", .array(reversed.map { .string($0) }))) }
        if scale.factor != 1 { members.append(.init("factor", .number(scale.factor))) }
        if scale.isPercent { members.append(.init("percent", .bool(true))) }
        let numbers: [(String, Double?)] = [
            ("minimum_answered", scale.minimumAnswered), ("cutoff", scale.cutoff),
            ("reliability", scale.reliability), ("standard_deviation", scale.standardDeviation),
        ]
        for (name, value) in numbers { if let value { members.append(.init(name, .number(value))) } }
        if let range = scale.range {
            members.append(.init("range", .array([.number(range.lowerBound), .number(range.upperBound)])))
        }
        if let worse = scale.higherIsWorse { members.append(.init("higher_is_worse", .bool(worse))) }
        return String(decoding: (try? JSONWriter.bytes(of: JSON.object(members))) ?? [], as: UTF8.self)
    }
}
