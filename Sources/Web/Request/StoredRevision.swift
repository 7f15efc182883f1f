import Database
import Records
import Secrets
import Wire

/// The revision of the thing that a path names, as it stands in a transaction; nil when there is none. Told what stands in
/// the places of the path, and which account asks.
package typealias RevisionOf =
    @Sendable (
        _ places: [String: String], _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int?

extension Connection {
    /// The revision of what has no counter of its own: a number made from the columns of the first row. A writer of a row
    /// anew, sealed anew, makes another.
    package borrowing func revision(_ sql: SQL) throws -> Int? {
        try first(sql) { row in Revision.number(of: row.values) }
    }
}

package enum Revision {
    /// A number of 52 bits from stored values, the same for the same values on every machine.
    package static func number(of values: [SQLValue]) -> Int {
        let digest = Digest.plain(values.flatMap(bytes))
        return digest.prefix(7).reduce(0) { $0 << 8 | Int($1) } >> 4
    }

    /// A value with its kind and its length before it, so that no two lists give the same bytes.
    private static func bytes(of value: SQLValue) -> [UInt8] {
        let (kind, bytes): (UInt8, [UInt8]) =
            switch value {
            case .null: (0, [])
            case .integer(let number): (1, Array(String(number).utf8))
            case .real(let number): (2, Array(String(number.bitPattern).utf8))
            case .text(let text): (3, Array(text.utf8))
            case .blob(let bytes): (4, bytes)
            }
        return [kind] + withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { Array($0) } + bytes
    }
}
