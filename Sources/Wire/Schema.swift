/// The shape of a JSON value, as the OpenAPI document tells it (JSON Schema 2020-12).
public indirect enum Schema: Sendable {
    case string
    /// With a format: `date-time`, `date`, `uuid`, `email`.
    case formatted(String)
    /// Text that a regular expression (ECMA 262) matches.
    case matching(String)
    case choice([String])
    case integer
    case number
    case boolean
    case list(Schema)
    /// Every property is always there.
    case object([Property])
    /// The same with more members of one shape besides.
    case open([Property], Schema)
    /// An object whose keys are not known beforehand.
    case map(Schema)
    case nullable(Schema)
    /// One of several shapes.
    case either([Schema])
    /// An object whose shape is told elsewhere, as that of a FHIR resource.
    case record
    /// One of `shared`, by its name: for what refers to itself.
    case named(String)

    public struct Property: Sendable {
        public let name: String
        public let schema: Schema
        public let isRequired: Bool
    }

    public static func property(_ name: String, _ schema: Schema) -> Property {
        Property(name: name, schema: schema, isRequired: true)
    }

    public static func optional(_ name: String, _ schema: Schema) -> Property {
        Property(name: name, schema: schema, isRequired: false)
    }

    /// The shapes that others refer to.
    public static let shared: [(name: String, schema: Schema)] = [(Condition.name, Condition.shape)]

    public static let time = Schema.formatted("date-time")
    public static let date = Schema.formatted("date")
    public static let id = Schema.formatted("uuid")
    /// The code of a language: the primary tag of BCP 47.
    public static let language = Schema.matching("^[a-z]{2,3}$")
    public var orNull: Schema { .nullable(self) }
}
