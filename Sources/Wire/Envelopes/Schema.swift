/// The shape of a JSON value in the OpenAPI document (JSON Schema 2020-12).
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
    /// Every property is always present.
    case object([Property])
    /// The same with further members of one shape.
    case open([Property], Schema)
    /// An object with keys known only at run time.
    case map(Schema)
    case nullable(Schema)
    /// One of several shapes.
    case either([Schema])
    /// An object whose shape is defined elsewhere, as that of a FHIR resource.
    case record
    /// One of `shared`, by its name: for shapes that refer to themselves.
    case named(String)

    public struct Property: Sendable {
        public let name: String
        public let schema: Schema
        public let isRequired: Bool

        fileprivate var sent: Property {
            let mayBeNull = if case .nullable = schema { true } else { false }
            return Property(name: name, schema: schema.sent, isRequired: isRequired && !mayBeNull)
        }
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

    /// The same as clients may send it: what may be null may be left out.
    public var sent: Schema {
        switch self {
        case .object(let properties): .object(properties.map(\.sent))
        case .nullable(let inner): .nullable(inner.sent)
        case .list(let inner): .list(inner.sent)
        default: self
        }
    }

    /// The same object without members that only the portal says, by their names on the wire.
    public func without(_ names: String...) -> Schema {
        guard case .object(let properties) = self else { return self }
        return .object(properties.filter { !names.contains($0.name) })
    }

    /// The same object with a member more, or in the place of the one with its name.
    public func with(_ property: Property) -> Schema {
        guard case .object(var properties) = self else { return self }
        let place = properties.firstIndex { $0.name == property.name } ?? properties.endIndex
        properties.replaceSubrange(place..<min(place + 1, properties.endIndex), with: [property])
        return .object(properties)
    }
}
