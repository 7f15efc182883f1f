import JSON
import Testing
import Wire

@Suite struct SchemaRecorderTests {
    enum Colour: String, Codable, CaseIterable {
        case red
        case darkGreen = "dark_green"
    }

    struct Inner: Codable, Narrowed {
        var plain: String
        var word: String?
        static let narrowed: [String: Schema] = ["word": .choice(["a", "b"]).orNull]
    }

    struct Whole: Codable {
        var truth: Bool
        var whole: Int
        var large: Int64
        var real: Double
        var text: String
        var perhaps: Int?
        var at: Instant
        var day: LocalDate?
        var id: String
        var studyID: String?
        var ruleIDs: [String]?
        var email: String
        var language: String
        var colour: Colour?
        var list: [[Double]]
        var holes: [Int?]
        var inner: Inner
        var inners: [Inner]?
        var map: Ordered<Answer>
        var words: LocalizedText
        var visibleIf: Condition?
        let constant: Int
        var withDefault = 3
        var computed: Int { 3 }
    }

    /// In few words.
    private func text(_ schema: Schema) -> String {
        switch schema {
        case .string: "text"
        case .formatted(let format): format
        case .matching: "pattern"
        case .choice(let words): words.joined(separator: "|")
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .list(let inner): "[\(text(inner))]"
        case .map(let inner): "{\(text(inner))}"
        case .nullable(let inner): text(inner) + "?"
        case .either(let shapes): shapes.map(text).joined(separator: "/")
        case .record: "record"
        case .named(let name): name
        case .object(let properties), .open(let properties, _):
            "("
                + properties.map { "\($0.name)\($0.isRequired ? "" : "*"): \(text($0.schema))" }.joined(
                    separator: ", ") + ")"
        }
    }

    @Test func `every kind of member is recorded, in their order, and all are always there`() {
        let wanted = [
            "truth: boolean", "whole: integer", "large: integer", "real: number", "text: text",
            "perhaps: integer?", "at: date-time", "day: date?", "id: uuid", "study_id: uuid?",
            "rule_ids: [uuid]?", "email: email", "language: pattern", "colour: red|dark_green?",
            "list: [[number]]", "holes: [integer?]", "inner: (plain: text, word: a|b?)",
            "inners: [(plain: text, word: a|b?)]?", "map: {number/[number]/text?}",
            "words: (de*: text?, en*: text?)", "visible_if: Condition?", "constant: integer",
            "with_default: integer",
        ]
        #expect(text(.of(Whole.self)) == "(" + wanted.joined(separator: ", ") + ")")
    }

    @Test func `words, lists and maps by themselves are recorded`() {
        #expect(text(.of(Colour.self)) == "red|dark_green")
        #expect(text(.of([Instant].self)) == "[date-time]")
        #expect(text(.of(Ordered<Double>.self)) == "{number?}")
        #expect(text(.of(Int?.self)) == "integer?")
    }

    @Test func `of what is sent what may be null may be left out, inside too`() {
        let schema = Schema.of(Inner.self)
        #expect(text(schema.sent) == "(plain: text, word*: a|b?)")
        #expect(text(Schema.of([Inner].self).sent) == "[(plain: text, word*: a|b?)]")
        #expect(text(schema.without("word")) == "(plain: text)")
        #expect(text(schema.with(Schema.optional("plain", .integer))) == "(plain*: integer, word: a|b?)")
        #expect(
            text(schema.with(Schema.property("more", .integer))) == "(plain: text, word: a|b?, more: integer)"
        )
    }

    /// What reads in a way of its own, and does not say how.
    struct Strange: Decodable {
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            guard try container.decode(String.self) == "strange" else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "not strange")
            }
        }
    }

    @Test func `what cannot be recorded is any object`() { #expect(text(.of(Strange.self)) == "record") }

    @Test func `what an example is written with is what was recorded`() throws {
        try check(Appointment.self)
        try check(Study.self)
        try check(Sound.self)
        try check(Contribution<Ordered<Answer>>.self)
        try check(MeasurementDay.self)
        try check(Changes.self)
    }

    private func check<T: Documented & Decodable>(_ type: T.Type) throws {
        guard case .object(let properties) = T.schema,
            case .object(let members) = try JSON.parse(try JSONWriter.bytes(of: T.example))
        else {
            Issue.record("\(T.self) is no object")
            return
        }
        #expect(members.map(\.key) == properties.map(\.name), "\(T.self)")
        let bytes = try JSONWriter.bytes(of: T.example)
        #expect(try JSONWriter.bytes(of: try JSONReader.value(T.self, from: bytes)) == bytes, "\(T.self)")
    }
}
