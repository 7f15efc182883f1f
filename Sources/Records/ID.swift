import Database
import Wire

/// The id of one kind of thing. Two ids of different kinds cannot change places: a store that wants `ID<Study>` does not
/// take `ID<Account>`.
///
/// A kind is named by its type in `Wire` (`ID<Account>`, `ID<Study>`, `ID<Assignment>`); what has none there, or a generic one,
/// by its record (`ID<Credential>`, `ID<ContributionRecord>`). On the wire and in the database an id is its text alone.
@frozen
package struct ID<Entity>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// - Parameter text: what is known to name a thing of this kind.
    @inlinable
    package init(_ text: String) { self.text = text }

    /// The id that somebody from outside names, in lower case; nil when the text is no UUID.
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

/// For examples of pages and for tests: a literal is the id of nothing else.
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

/// As its text, for pages.
extension ID: Codable {
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// What has a key of its own, and what a line of the audit log can be about: an account or a therapy.
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
