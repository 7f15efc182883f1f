import Database
import Wire

/// The id of one kind of thing. Kinds cannot be mixed up: a store of `ID<Study>` does not take an `ID<Account>`.
///
/// A kind is named by its type in `Wire` (`ID<Account>`, `ID<Study>`, `ID<Assignment>`); a kind without one there, or
/// with a generic one, by its record (`ID<Credential>`, `ID<ContributionRecord>`). On the wire and in the database an
/// id is its text alone.
@frozen
package struct ID<Entity>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// - Parameter text: known to be the id of a thing of this kind.
    @inlinable
    package init(_ text: String) { self.text = text }

    /// An id from outside, in lower case; nil when the text is no UUID.
    @inlinable
    package init?(uuid text: String?) {
        guard let text = text.flatMap(uuid) else { return nil }
        self.init(text)
    }

    @inlinable
    package var description: String { text }

    @inlinable
    package static func < (left: ID, right: ID) -> Bool { left.text < right.text }
}

/// For examples of pages and for tests.
extension ID: ExpressibleByStringLiteral {
    @inlinable
    package init(stringLiteral text: String) { self.init(text) }
}

extension ID: SQLConvertible {
    @inlinable
    package var sqlValue: SQLValue { text.sqlValue }

    @inlinable
    package init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(text)
    }
}

/// Coded as its text.
extension ID: Codable {
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// A thing with a key of its own, and a possible subject of a line of the audit log: an account or a therapy.
package protocol KeyHolder {}

extension Account: KeyHolder {}

/// The id of an account or of a therapy.
package protocol SubjectID: Sendable {
    var text: String { get }
}

extension ID: SubjectID where Entity: KeyHolder {}

extension Item {
    package init(id: ID<some Any>, _ attributes: Attributes) { self.init(id: id.text, attributes) }
}

extension One {
    package init(id: ID<some Any>, _ attributes: Attributes, meta: [String: String]? = nil) {
        self.init(id: id.text, attributes, meta: meta)
    }
}
