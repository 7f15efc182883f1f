import Database
import Wire

/// The id of one kind of thing. Two ids of different kinds cannot change places: a store that wants `ID<Study>` does not
/// take `ID<Account>`.
///
/// The kind is called as the API calls it (`ID<Account>`, `ID<Study>`, `ID<Assignment>`); what the API does not know is called
/// by its record (`ID<Credential>`, `ID<Mail>`). On the wire and in the database an id is its text and nothing else.
package struct ID<Entity>: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let text: String

    /// - Parameter text: what is known to name a thing of this kind.
    package init(_ text: String) { self.text = text }

    /// What somebody from outside names.
    /// - Returns: nil for what is no UUID, in either case of its letters; else in lower case.
    package init?(uuid text: String?) {
        guard let text = text.flatMap(uuid) else { return nil }
        self.init(text)
    }

    package var description: String { text }

    package static func < (left: ID, right: ID) -> Bool { left.text < right.text }
}

/// Written out it cannot be mistaken for a variable of another kind: examples of pages, and tests.
extension ID: ExpressibleByStringLiteral {
    package init(stringLiteral text: String) { self.init(text) }
}

extension ID: SQLConvertible {
    package var sqlValue: SQLValue { text.sqlValue }

    package init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(text)
    }
}

/// In pages, and in JSON that is stored sealed.
extension ID: Codable {
    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Who has a key of their own, and whom a line of the audit log is about: accounts and therapies.
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
