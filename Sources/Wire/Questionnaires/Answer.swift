import JSON

/// What was answered to one question: a number for single choice, slider, SAM, yes/no and number; several for
/// multiple choice; text for text and date.
public enum Answer: Sendable, Equatable, Codable, Shaped {
    case number(Double)
    case numbers([Double])
    case text(String)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let values = try? container.decode([Double].self) {
            self = .numbers(values)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let value): try container.encode(value)
        case .numbers(let values): try container.encode(values)
        case .text(let text): try container.encode(text)
        }
    }

    public static let schema = Schema.either([.number, .list(.number), .string])
    public static let example = Answer.number(3)
}

/// Answers by question; unanswered questions are absent.
public typealias Answers = [String: Answer]

/// Names with values in their order: an object whose keys are not known beforehand.
public struct Ordered<Element: Codable & Sendable>: Codable, Sendable, Shaped {
    public var pairs: [(key: String, value: Element?)]

    public init(_ pairs: [(key: String, value: Element?)]) { self.pairs = pairs }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: JSONKey.self)
        pairs = try container.allKeys.map {
            ($0.stringValue, try container.decodeIfPresent(Element.self, forKey: $0))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: JSONKey.self)
        for pair in pairs { try container.encodeIfPresent(pair.value, forKey: JSONKey(pair.key)) }
    }

    public static var schema: Schema { .map(.of(Element.self).orNull) }
    public static var example: Ordered { Ordered([]) }

    public subscript(key: String) -> Element? { pairs.first { $0.key == key }?.value }
}
