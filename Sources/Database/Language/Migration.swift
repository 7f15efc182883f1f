/// One step of the schema. Its text never changes once it has been released.
public struct Migration: Sendable {
    /// Whether the program before it can go on with the schema that it makes.
    public enum Kind: Sendable {
        /// Adds what the program before does not know and need not fill in: it goes on serving.
        case expand
        /// Changes or takes away what the program before relies on: that one is refused from then on.
        case contract
    }

    public let name: String
    let kind: Kind
    let sql: String
    /// FNV-1a over the text: detects an edited migration, but does not protect against forgery.
    let checksum: String
    /// Checksums of former texts of this name, by which some databases were made.
    let formerly: Set<String>

    /// - Parameter formerly: only for a text that was changed against the rule above: a later migration must then
    ///   bring the results of the old and the new text to the same schema.
    public init(_ name: String, _ kind: Kind, _ sql: String, formerly: Set<String> = []) {
        self.name = name
        self.kind = kind
        self.sql = sql
        self.formerly = formerly
        let hash = sql.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        checksum = String(hash, radix: 16)
    }
}

/// Why a database does not fit this program.
public enum MigrationError: Error, Equatable, CustomStringConvertible {
    /// The database knows a migration that this program does not, and that its program cannot go on with.
    case unknown(String)
    /// The text of an applied migration differs from the one in this program.
    case edited(String)
    /// A step that the program before could not go on with, while another one serves from the database.
    case othersServe
    /// The migration left rows with references to missing ones.
    case danglingReferences(String)

    public var description: String {
        switch self {
        case .unknown(let name): "the database was written by a newer program (migration \(name))"
        case .edited(let name): "migration \(name) was changed after it had been applied"
        case .othersServe: "other portals serve from this database: stop them all before this version begins"
        case .danglingReferences(let name): "migration \(name) leaves references to missing rows"
        }
    }
}

extension Migration {
    /// Notes that it was applied, and which program is the oldest that can go on.
    func note(_ connection: borrowing Connection) throws {
        try connection.run("INSERT INTO migrations (name, checksum) VALUES (\(name), \(checksum))")
        guard kind == .contract else { return }
        try connection.run("DELETE FROM oldest_program")
        try connection.run("INSERT INTO oldest_program (migration) VALUES (\(name))")
    }

    /// The tables by which programs know what was applied: the names of the steps, and in one row the last step that a program
    /// has to know to serve.
    static let bookkeeping = [
        "migrations": "(name TEXT PRIMARY KEY, checksum TEXT NOT NULL)",
        "oldest_program": "(migration TEXT PRIMARY KEY)",
    ]

    /// - Parameter end: behind each table, in the words of the engine.
    static func bookkeepingScript(_ end: String = "") -> String {
        bookkeeping.sorted { $0.key < $1.key }.map {
            "CREATE TABLE IF NOT EXISTS \($0.key) \($0.value)\(end)"
        }
        .joined(separator: "; ")
    }
}
