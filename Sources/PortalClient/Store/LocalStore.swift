import Database
import Foundation
import Wire

/// Why something cannot be done on the phone.
public enum LocalProblem: Error, Equatable {
    /// There is no such thing here.
    case unknown
    /// Outside of the time in which it can be answered.
    case closed
    /// It was filled in already.
    case alreadyFilledIn
    /// Required questions without an answer, by key.
    case incomplete([String])
    /// Ends before it starts.
    case endsBeforeStart
    /// The store belongs to another person.
    case otherPerson
}

/// What a phone knows, in a database of its own: everything works from it without a network. Each change is durable
/// before the call returns, together with the line of the outbox that sends it. A store belongs to one person.
public final class LocalStore: Sendable {
    private let database: SQLiteDatabase

    /// Opens or makes the file.
    /// - Parameter person: whose it is, by anything that stays (the address they sign in with). What one person left
    ///   unsent must not go out under another's name.
    /// - Throws: `LocalProblem.otherPerson`, `DatabaseError`, `MigrationError`.
    public init(path: String, person: String) throws {
        try Migrator(LocalSchema.all).migrate(path: path)
        database = try SQLiteDatabase(path: path, readers: 1)
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
        /// The last day that the portal's plan of dailies reached, and the questionnaire they ask.
        case plannedThrough, dailyQuestionnaire
        case vaultRevision
        /// What the portal told last of all its lists, and the tag of that answer.
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

    /// A part of a list as it was read last.
    struct ListPart: Sendable {
        let path: String
        let etag: String
        let next: String?

        /// Without what follows: for lists whose first part tells all.
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

    /// Everything is asked for anew, as after a change of the language: tags go by language.
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
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// Kept as milliseconds.
extension Instant {
    init?(stored milliseconds: Int64?) {
        guard let milliseconds else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
