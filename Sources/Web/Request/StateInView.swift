import Database
import HTTP
import Locks
import Records
import Secrets
import Wire
import Wording

/// The revision of the thing that a path names, as it stands in a transaction; nil when there is none. Told what stands in
/// the places of the path, and which account asks.
package typealias RevisionOf =
    @Sendable (
        _ places: [String: String], _ account: ID<Account>, _ connection: borrowing Connection
    ) throws -> Int?

extension Connection {
    /// The revision of what has no counter of its own: a number made from the columns of the first row. Whoever writes a row
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

/// Holds a change to the state that it was made with in view: `If-Match` is compared in the transaction of the request's
/// first write, by `Context.write` itself, and the revision that this transaction leaves is the answer's tag.
final class StateInView: Sendable {
    private let request: Request
    private let fixed: [String: String]
    private let made = Lock<[String: String]>([:])
    private let account: ID<Account>
    private let revision: RevisionOf
    private let written = Lock<(isDone: Bool, revision: Int?)>((false, nil))

    init(
        _ request: Request, _ places: [String: String], of account: ID<Account>,
        _ revision: @escaping RevisionOf
    ) {
        self.request = request
        fixed = places
        self.account = account
        self.revision = revision
    }

    /// What stands in the places of the path, and what was made below it.
    var places: [String: String] { fixed.merging(made.withLock { $0 }) { _, new in new } }

    /// Says which thing below the path it is, where that is only made.
    func name(_ place: String, _ id: String) { made.withLock { $0[place] = id } }

    /// The revision now.
    func current(_ connection: borrowing Connection) throws -> Int? {
        try revision(places, account, connection)
    }

    /// - Throws: `Problem.preconditionFailed` for a change that was made with another state in view.
    func check(_ connection: borrowing Connection) throws {
        guard request.headers["If-Match"] != nil, !written.withLock({ $0.isDone }) else { return }
        try Conditional.requireRevision(request, current: try current(connection), isRequired: false)
    }

    func note(_ connection: borrowing Connection) throws {
        let revision = try current(connection)
        written.withLock { $0 = (true, revision) }
    }

    /// Whether there was a write at all.
    var isWritten: Bool { written.withLock { $0.isDone } }

    private let withheld = Lock(false)
    var isWithheld: Bool { withheld.withLock { $0 } }
    func withhold() { withheld.withLock { $0 = true } }

    /// What the last write left; nil when nothing was written, or nothing is left.
    var left: Int? { written.withLock { $0.revision } }

    /// The answer with its tag, where it shows the thing.
    func tagged(_ reply: Reply, before: Int?, _ language: Language) -> Reply {
        guard case .response(let response) = reply, [200, 201].contains(response.status),
            response.headers["ETag"] == nil, let revision = left ?? before
        else { return reply }
        return Conditional.tagged(reply, revision: revision, language)
    }
}
