import Database
import JSON
import Wire

/// Why an action is impossible on the phone.
public enum LocalProblem: Error, Equatable {
    /// Not known here.
    case unknown
    /// Outside of its window.
    case closed
    /// Filled in already.
    case alreadyFilledIn
    /// Required questions without an answer, by key.
    case incomplete([String])
    /// Ends before it starts.
    case endsBeforeStart
    /// The store belongs to another person.
    case otherPerson
}

/// The phone's data in a database of its own: everything works from it offline. Each change is durable before the
/// call returns, together with the row of the outbox that sends it. A store belongs to one person.
public final class LocalStore: Sendable {
    private let database: OpenDatabase

    /// Opens or creates the file.
    /// - Parameter person: a stable mark of its owner (the address they sign in with): one person's unsent data must
    ///   not be sent in another's name.
    /// - Throws: `LocalProblem.otherPerson`, `DatabaseError`, `MigrationError`.
    public init(path: String, person: String) throws {
        try Migrator(LocalSchema.all).migrate(.file(path))
        database = try OpenDatabase(.file(path), readers: 1)
        let owner = try database.read { try Self.fact(.person, $0) }
        if owner == nil { try database.write { try Self.set(.person, person, $0) } }
        guard owner ?? person == person else {
            database.close()
            throw LocalProblem.otherPerson
        }
    }

    public func close() { database.close() }

    func read<T>(_ body: (borrowing Connection) throws -> T) throws -> T { try database.read(body) }

    @discardableResult
    func write<T: Sendable>(_ body: @escaping @Sendable (borrowing Connection) throws -> T) throws -> T {
        try database.write(body)
    }

    // MARK: Facts

    enum Fact: String {
        case person, language, failures, notBefore
        /// The last day of the portal's plan of dailies, and their questionnaire.
        case plannedThrough, dailyQuestionnaire
        case vaultRevision
        /// The portal's latest answer about all its lists, and its tag.
        case toldChanges, toldTag
    }

    static func fact(_ fact: Fact, _ connection: borrowing Connection) throws -> String? {
        try connection.value("SELECT value FROM facts WHERE name = \(fact.rawValue)")
    }

    static func set(_ fact: Fact, _ value: String?, _ connection: borrowing Connection) throws {
        guard let value else {
            try connection.run("DELETE FROM facts WHERE name = \(fact.rawValue)")
            return
        }
        try connection.run(
            """
            INSERT INTO facts (name, value) VALUES (\(fact.rawValue), \(value))
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """)
    }

    // MARK: Lists

    /// A part of a list as last read.
    struct ListPart: Sendable {
        let path: String
        let etag: String
        let next: String?

        /// Without the next part: for lists whose first part is enough.
        var alone: ListPart { ListPart(path: path, etag: etag, next: nil) }
    }

    func part(_ path: String) throws -> ListPart? {
        try read { connection in
            try connection.first("SELECT etag, next FROM parts WHERE path = \(path)") {
                ListPart(path: path, etag: try $0[0], next: try $0[1])
            }
        }
    }

    static func keep(_ parts: [ListPart], _ connection: borrowing Connection) throws {
        for part in parts {
            try connection.run(
                """
                INSERT INTO parts (path, etag, next) VALUES (\(part.path), \(part.etag), \(part.next))
                ON CONFLICT (path) DO UPDATE SET etag = excluded.etag, next = excluded.next
                """)
        }
    }

    /// Forgets all tags, as after a change of the language, on which tags depend.
    static func forgetParts(_ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM parts")
    }

    static func forgetParts(of list: String, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM parts WHERE instr(path, \(list)) > 0")
    }

    // MARK: Bodies

    static func text(_ value: some Encodable) throws -> String {
        String(decoding: try Client.bytes(of: value), as: UTF8.self)
    }

    static func value<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONReader.value(type, from: text.utf8)
    }
}

/// Stored as milliseconds.
extension Instant {
    init?(stored milliseconds: Int64?) {
        guard let milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
