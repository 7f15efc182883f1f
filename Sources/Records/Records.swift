import Database
import Foundation
import Secrets
import Wire

/// The database as everything above it sees it: reading is free, writing leaves a line in the audit log in the
/// same transaction, but for what `Unaudited` names.
package struct Records: Sendable {
    private let database: SQLiteDatabase
    private let chain: AuditChain
    private let interleave: @Sendable () -> Void

    /// - Parameter interleave: runs before every write, where another request may come between; for tests.
    package init(
        _ database: SQLiteDatabase, _ chain: AuditChain, interleave: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.chain = chain
        self.interleave = interleave
    }

    /// - Parameter goesOn: throws to end a read that nobody waits for.
    package func read<T>(
        while goesOn: (() throws -> Void)? = nil, _ body: (borrowing Connection) throws -> T
    ) throws -> T { try database.read(while: goesOn, body) }

    /// - Parameters:
    ///   - actor: the account that acts; nil for the program itself and for people without an account.
    ///   - subject: the account or therapy it is about.
    ///   - object: the thing that was changed.
    @discardableResult
    package func write<T: Sendable>(
        _ action: AuditAction, by actor: ID<Account>?, about subject: (any SubjectID)?,
        object: (any CustomStringConvertible)? = nil,
        change: AuditChange? = nil, at now: Instant,
        _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        interleave()
        let object = object.map { String(describing: $0) }
        return try database.write { [chain] connection in
            let result = try body(connection)
            try chain.append(
                action, by: actor, about: subject, object: object, change: change, at: now, connection)
            return result
        }
    }

    /// Folds the write-ahead log into the database and empties it, so that nothing erased stays readable in it.
    package func truncateLog() { database.truncateLog() }

    /// A further line, in the transaction of a write: where one step says two things.
    package func note(
        _ action: AuditAction, about subject: any SubjectID, object: String?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try chain.append(
            action, by: nil, about: subject, object: object, change: nil, at: now, connection)
    }

    /// Writes without a line in the audit log, for what nobody reads as a fact about a person.
    @discardableResult
    package func writeUnaudited<T: Sendable>(
        _ reason: Unaudited, _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        interleave()
        return try database.write(body)
    }
}

/// Why a write needs no line in the audit log. `Goldens/unaudited.txt` lists who gives which reason.
package enum Unaudited: String, Sendable, CaseIterable {
    /// What somebody signed in with was used, a questionnaire was fetched.
    case lastUse = "last use"
    /// A code or a link was spent; what it opened has a line of its own.
    case spent = "spent"
    /// What has run out goes.
    case expired = "expired"
    /// Plans follow from what is written elsewhere, and are made anew.
    case plan = "plan"
    /// The queue of mails and whom it tells of what.
    case mail = "mail"
    /// The queue of what is pushed, and what became of it.
    case push = "push"
    /// Links to providers: who is being asked, tokens, and days that came in by a link that has a line of its own.
    case wearables = "wearables"
    /// Facts about the installation itself, and what a start settles.
    case installation = "installation"
    /// What somebody without an account came for.
    case visitor = "visitor"
    /// People that were made up.
    case madeUp = "made up"
}
