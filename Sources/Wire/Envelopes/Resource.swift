/// A thing that crosses the network: its attributes.
public protocol Resource: Encodable, Sendable {
    /// The envelope's `type`.
    static var type: String { get }
}

/// A thing with its shape and an example beside its fields; what the OpenAPI document is made from. The shape is learnt from
/// how it is decoded.
public protocol Documented: Resource, Shaped, Narrowed {}

extension Documented {
    public static var narrowed: [String: Schema] { [:] }
}

extension Documented where Self: Decodable {
    public static var schema: Schema { SchemaRecorder.schema(of: Self.self) }
}

/// A thing in its envelope.
public struct Item<Attributes: Resource>: Encodable, Sendable {
    public let id: String
    public let attributes: Attributes

    public init(id: String, _ attributes: Attributes) {
        self.id = id
        self.attributes = attributes
    }

    private enum CodingKeys: String, CodingKey { case type, id, attributes }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Attributes.type, forKey: .type)
        try container.encode(id, forKey: .id)
        try container.encode(attributes, forKey: .attributes)
    }
}

extension Item: Decodable where Attributes: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        id = try container.decode(String.self, forKey: .id)
        attributes = try container.decode(Attributes.self, forKey: .attributes)
    }
}

/// One thing: `{"data": {…}}`, with `meta` where there are notes on it.
public struct One<Attributes: Resource>: Encodable, Sendable {
    public let data: Item<Attributes>
    public let meta: [String: String]?

    public init(id: String, _ attributes: Attributes, meta: [String: String]? = nil) {
        data = Item(id: id, attributes)
        self.meta = meta
    }

    /// A thing that exists once carries its type as id.
    public init(_ attributes: Attributes, meta: [String: String]? = nil) {
        self.init(id: Attributes.type, attributes, meta: meta)
    }

    private enum CodingKeys: String, CodingKey { case data, meta }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(data, forKey: .data)
        if let meta { try container.encode(meta, forKey: .meta) }
    }
}

extension One: Decodable where Attributes: Decodable {}

/// A list: `{"data": […], "meta": {"total": …, "next": …}}`.
public struct Many<Attributes: Resource>: Encodable, Sendable {
    public struct Meta: Codable, Sendable {
        /// The total number.
        public let total: Int
        /// The address of the next ones; nil on the last page.
        public let next: String?
    }

    public let data: [Item<Attributes>]
    public let meta: Meta

    public init(_ data: [Item<Attributes>], total: Int, next: String?) {
        self.data = data
        meta = Meta(total: total, next: next)
    }
}

extension Many: Decodable where Attributes: Decodable {}

/// The body of every error.
public struct Failure: Codable, Sendable {
    public let message: String
    public let errors: [String: [String]]

    public init(message: String, errors: [String: [String]]) {
        self.message = message
        self.errors = errors
    }
}
