import Database
import Wire

/// The database as everything above it sees it: reading is free, and writing leaves a line in the audit log in the
/// same transaction, except for the reasons in `Unaudited`.
package struct Records: Sendable {
    private let database: OpenDatabase
    private let chain: AuditChain
    private let interleave: @Sendable () -> Void

    /// - Parameter interleave: runs before every write, where another request may come between; for tests.
    package init(
        _ database: OpenDatabase, _ chain: AuditChain, interleave: @escaping @Sendable () -> Void = {}
    ) {
        self.database = database
        self.chain = chain
        self.interleave = interleave
    }

    /// - Parameter goesOn: throws to end a read whose client has gone.
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

    /// A further line in the audit log, of a transaction of `write` that does several things at once.
    package func note(
        _ action: AuditAction, by actor: ID<Account>?, object: some CustomStringConvertible, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try chain.append(
            action, by: actor, about: nil, object: String(describing: object), change: nil, at: now,
            connection
        )
    }

    /// Whether several portals can serve from this database.
    package var isShared: Bool { database.isShared }

    /// Whether this portal is the one that does what one of several does for all; see `OpenDatabase.leads`.
    package func leads() throws -> Bool { try database.leads() }

    /// Tells the other portals on the same database something.
    package func tell(_ news: String) throws { try database.tell(news) }

    /// Folds the write-ahead log into the database and empties it, so that nothing erased stays readable in it.
    package func tidy() { database.tidy() }

    /// Adds another line, in the transaction of a write, for a step that is two actions.
    package func note(
        _ action: AuditAction, about subject: any SubjectID, object: String?, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try chain.append(
            action, by: nil, about: subject, object: object, change: nil, at: now, connection)
    }

    /// Writes without a line in the audit log, for changes that are no facts about a person.
    @discardableResult
    package func writeUnaudited<T: Sendable>(
        _ reason: Unaudited, _ body: @escaping @Sendable (borrowing Connection) throws -> T
    ) throws -> T {
        // What is remembered for minutes is looked at and changed in one step.
        if reason != .shortMemory { interleave() }
        return try database.write(body)
    }
}

/// Why a write needs no line in the audit log. `Goldens/unaudited.txt` lists the callers of each reason.
package enum Unaudited: String, Sendable, CaseIterable {
    /// A session or token was used, a questionnaire was fetched.
    case lastUse = "last use"
    /// A code or a link was used; the action it opened has a line of its own.
    case spent = "spent"
    /// Expired data is removed.
    case expired = "expired"
    /// Plans follow from other rows, and are recomputed.
    case plan = "plan"
    /// The queue of mails and the notices they contain.
    case mail = "mail"
    /// The queue of push messages and their results.
    case push = "push"
    /// Links to providers: pending questions, tokens, and days that came in by a link that has a line of its own.
    case wearables = "wearables"
    /// Where the answer to a form led; the form itself is kept in the transaction of what it did.
    case sentForms = "sent forms"
    /// What portals remember together for minutes.
    case shortMemory = "short memory"
    /// Facts about the installation itself, and settling at start-up.
    case installation = "installation"
    /// Actions of visitors without an account.
    case visitor = "visitor"
    /// Invented people of the demonstration.
    case madeUp = "made up"
}
