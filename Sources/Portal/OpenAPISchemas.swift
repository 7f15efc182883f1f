import JSON
import Web
import Wire

/// Shapes of requests and answers.
extension OpenAPI {
    /// A file as answer: JSON of another format, text, or bytes.
    static func file(of type: String) -> JSON {
        let isJSON = type.contains("json")
        let isText = type.hasPrefix("text/")
        let kind = isJSON ? schema(.record) : isText ? schema(.string) : schema(.formatted("binary"))
        return object([("schema", kind)])
    }

    static func content(_ schema: JSON) -> JSON {
        object([
            ("description", .string("Found")),
            ("content", object([("application/json", object([("schema", schema)]))])),
        ])
    }

    static func item(_ type: String, _ attributes: Schema) -> JSON {
        schema(
            .object([
                Schema.property("type", .choice([type])), Schema.property("id", .string),
                Schema.property("attributes", attributes),
            ]))
    }

    static func one(_ type: String, _ attributes: Schema) -> JSON {
        object([
            ("type", .string("object")), ("required", .array([.string("data")])),
            (
                "properties",
                object([("data", item(type, attributes)), ("meta", object([("type", .string("object"))]))])
            ),
        ])
    }

    static func many(_ type: String, _ attributes: Schema) -> JSON {
        let meta = schema(
            .object([Schema.property("total", .integer), Schema.property("next", .string.orNull)]))
        let list = object([("type", .string("array")), ("items", item(type, attributes))])
        return object([
            ("type", .string("object")), ("required", .array([.string("data"), .string("meta")])),
            ("properties", object([("data", list), ("meta", meta)])),
        ])
    }

    /// A schema in the words of JSON Schema 2020-12.
    static func schema(_ schema: Schema) -> JSON {
        switch schema {
        case .string: type("string")
        case .formatted(let format): object([("type", .string("string")), ("format", .string(format))])
        case .matching(let pattern):
            object([("type", .string("string")), ("pattern", .string(pattern))])
        case .choice(let values):
            object([("type", .string("string")), ("enum", .array(values.map { .string($0) }))])
        case .integer: type("integer")
        case .number: type("number")
        case .boolean: type("boolean")
        case .list(let element): object([("type", .string("array")), ("items", self.schema(element))])
        case .map(let element):
            object([("type", .string("object")), ("additionalProperties", self.schema(element))])
        case .nullable(let inner): object([("anyOf", .array([self.schema(inner), type("null")]))])
        case .either(let shapes): object([("anyOf", .array(shapes.map(self.schema)))])
        case .record: type("object")
        case .named(let name): object([("$ref", .string("#/components/schemas/\(name)"))])
        case .object(let properties): record(properties, besides: .bool(false))
        case .open(let properties, let others): record(properties, besides: self.schema(others))
        }
    }

    private static func record(_ properties: [Schema.Property], besides: JSON) -> JSON {
        object([
            ("type", .string("object")),
            ("properties", object(properties.map { ($0.name, schema($0.schema)) })),
            ("required", .array(properties.filter(\.isRequired).map { .string($0.name) })),
            ("additionalProperties", besides),
        ])
    }

    static func type(_ name: String) -> JSON { object([("type", .string(name))]) }

    static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSON.Member($0.0, $0.1) })
    }
}
