import Database
import Records
import Wire

/// A file kept for its therapist after the patient has deleted their account.
struct KeptFile: Sendable, FromRow {
    let id: ID<KeptFile>
    let codename: String
    let madeAt: Instant
    let expiresAt: Instant
    private let sealed: [UInt8]

    init(row: borrowing Row) throws {
        id = try row["id"]
        codename = try row["codename"]
        madeAt = try row["made_at"]
        expiresAt = try row["expires_at"]
        sealed = try row["document"]
    }

    /// - Parameter key: the therapist's own.
    func document(_ key: PersonKey) throws -> [UInt8] {
        try key.openBytes(sealed, from: Self.place(id))
    }

    static func place(_ id: ID<KeptFile>) -> SealContext { SealContext("kept_files", id, "document") }
}

struct NewKeptFile: Sendable {
    let id: ID<KeptFile>
    let therapist: ID<Account>
    let codename: String
    let sealed: [UInt8]
}

/// Every statement about kept files.
enum KeptFileStore {
    /// A therapist's, the one that expires first first.
    static func all(
        of therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> [KeptFile] {
        try connection.all(
            """
            SELECT * FROM kept_files WHERE therapist_id = \(therapist) AND expires_at > \(now)
            ORDER BY expires_at, id
            """)
    }

    static func find(
        _ id: ID<KeptFile>, of therapist: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> KeptFile? {
        try connection.first(
            """
            SELECT * FROM kept_files WHERE id = \(id) AND therapist_id = \(therapist) AND expires_at > \(now)
            """)
    }

    static func insert(
        _ new: NewKeptFile, at now: Instant, until end: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO kept_files (id, therapist_id, codename, document, made_at, expires_at)
            VALUES (\(new.id), \(new.therapist), \(new.codename), \(new.sealed), \(now), \(end))
            """)
    }

    static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM kept_files WHERE expires_at <= \(now)")
    }
}
