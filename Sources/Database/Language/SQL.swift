/// A statement written out as a literal; interpolated values are bound, never pasted.
///
///     "SELECT id FROM therapies WHERE therapist_id = \(therapist) AND id = \(id)"
///
/// There is no initialiser from a `String`, so text from outside cannot become SQL.
public struct SQL: ExpressibleByStringInterpolation, Sendable {
    /// The text for SQLite.
    let text: String
    let values: [SQLValue]

    public init(stringLiteral value: StaticString) {
        text = value.description
        values = []
    }

    /// For statements about any table there is; only what the schema itself says comes into the text.
    init(text: String, values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        values = stringInterpolation.values
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var values: [SQLValue] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount)
            values.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: StaticString) {
            text += literal.description
        }

        /// Binds one value.
        public mutating func appendInterpolation(_ value: some SQLConvertible) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Binds one value, or NULL.
        public mutating func appendInterpolation<T: SQLConvertible>(_ value: T?) {
            text += "?"
            values.append(value.sqlValue)
        }

        /// Binds a list for `IN`: writes `(?, ?, …)`; an empty list matches nothing.
        public mutating func appendInterpolation(list: [some SQLConvertible]) {
            text += "(" + Array(repeating: "?", count: list.count).joined(separator: ", ") + ")"
            values += list.map(\.sqlValue)
        }

        /// Writes a hint for SQLite alone; for other engines its place stays empty.
        ///
        ///     "SELECT at FROM notes\(hint: .index("notes_at")) WHERE …"
        public mutating func appendInterpolation(hint: Hint) {
            text += hint.text
        }

        /// Embeds a part of a statement with its bound values.
        public mutating func appendInterpolation(sql part: SQL) {
            text += part.text
            values += part.values
        }
    }

    /// A hint for SQLite, whose planner keeps no statistics here; other engines plan without.
    public struct Hint: Sendable {
        let text: String

        /// Behind the name of a table: reads it by this index, or fails when there is none.
        public static func index(_ name: StaticString) -> Hint { Hint(text: " INDEXED BY \(name)") }

        /// Between a table and `JOIN`: the tables are read in the order written.
        public static var inThisOrder: Hint { Hint(text: " CROSS") }

        /// Between `AS` and `MATERIALIZED`: the list is looked up where it is used; other engines make it first.
        public static var takenIn: Hint { Hint(text: " NOT") }
    }
}
