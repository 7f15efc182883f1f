/// An open connection of one engine, and its prepared statements. Used by one thread at a time: the writer's belongs to
/// the writer thread, a reader's is taken out of the pool while it is used.
protocol Session: AnyObject, Sendable {
    /// Hands each row to the closure, which may run other statements, the same text too, and says whether to go on.
    func each(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws

    /// Does the same in a transaction for a result of any length, which is never in memory as a whole.
    func stream(_ sql: SQL, _ body: (borrowing Row) throws -> Bool) throws

    /// Runs one or several statements without values.
    func script(_ text: String) throws

    /// How many rows the last statement changed.
    var changes: Int { get }

    /// Called before a read and after every so many of its rows; throws to end it.
    var goesOn: (() throws -> Void)? { get set }

    /// Begins a transaction that sees one snapshot, and changes nothing.
    func beginRead() throws

    /// Begins a transaction that sees everything written before it, and shuts out every other one that writes.
    func beginWrite() throws

    /// Whether a transaction is open. Some errors (disk full, I/O, a lost connection) end it on their own.
    var isInTransaction: Bool { get }

    /// What one of several programs does for all: whether it is this one, which it becomes where none is. True where there can be only one.
    func leads() throws -> Bool

    /// Tells the programs on the same database something, once the transaction is committed; nothing where there can be only one.
    func tell(_ news: String) throws

    /// Does between two transactions what makes what was erased unreadable in the engine's own files.
    func tidy()

    func close()

    // MARK: Migrations

    /// Makes the table that names the applied ones, and shuts out other programs that migrate until the session closes.
    func prepareMigrations() throws

    /// Brings an empty database to the schema of all migrations.
    /// - Parameter schema: the statements that make it on SQLite.
    func begin(with migrations: [Migration], _ schema: () throws -> [String]) throws

    /// Runs the body while no other program serves from this database.
    /// - Throws: `MigrationError.othersServe` where one does.
    func alone(_ body: () throws -> Void) throws

    /// Applies one, whole or not at all.
    func apply(_ migration: Migration) throws

    // MARK: Copies

    /// Puts something else in the place of all that the program has here.
    /// - Parameter rows: puts in the rows, in an order in which each finds what it refers to.
    func replaceAll(
        with migrations: [Migration], _ schema: [String], _ rows: (borrowing Connection) throws -> Void
    ) throws
}

extension Session {
    /// Runs a statement without result rows; unlike `script` it is prepared once.
    func run(_ sql: SQL) throws { try each(sql) { _ in true } }
}

enum SessionRole: Sendable, Equatable {
    case writer(ProgramLock = .none)
    case reader
}

/// What other programs may do on a database of PostgreSQL while one has it open; for a file the lock of its folder says it.
public enum ProgramLock: Sendable {
    /// No other one serves or changes the whole.
    case exclusive
    /// Others may serve, too.
    case shared
    case none
}
