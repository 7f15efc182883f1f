import Database
import Foundation
import Testing

@testable import Portal

/// Databases that an earlier program made.
@Suite struct EarlierSchemaTests {
    /// Nights as M048 made them for an afternoon.
    static func makeAnother(_ connection: borrowing Connection) throws {
        try connection.run("DROP TABLE health_records")
        try connection.run(
            """
            CREATE TABLE health_records (account_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, starts_at INTEGER,
                ends_at INTEGER, minutes REAL, body BLOB, received_at INTEGER NOT NULL, deleted_at INTEGER,
                PRIMARY KEY (account_id, kind, id)) STRICT, WITHOUT ROWID
            """)
        try connection.run(
            "CREATE INDEX health_records_starts ON health_records (account_id, kind, starts_at)")
        try connection.run(
            "UPDATE migrations SET checksum = 'a4386b1f558ba432' WHERE name = 'M048_Wearables'")
    }

    @Test(arguments: [false, true])
    func `a night that came before its minutes were kept is still there, whichever text made its table`(
        isAnother: Bool
    ) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let place = try #require(Migrations.all.firstIndex { $0.name == "M048_Wearables" })
        try Migrator(Array(Migrations.all[...place])).migrate(.file(path))
        do {
            let database = try OpenDatabase(.file(path), readers: 1)
            defer { database.close() }
            try database.write { connection in
                if isAnother { try Self.makeAnother(connection) }
                try connection.run(
                    """
                    INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, timezone, created_at)
                    VALUES ('p', 'patient', x'00', x'00', x'00', '', 'UTC', 1)
                    """)
                try connection.run(
                    """
                    INSERT INTO health_records (account_id, kind, id, starts_at, body, received_at, deleted_at)
                    VALUES ('p', 'sleep', 'kept', 5, x'01', 6, NULL), ('p', 'sleep', 'gone', NULL, NULL, 6, 7)
                    """)
            }
        }
        try Migrator(Migrations.all).migrate(.file(path))
        #expect(try Migrator(Migrations.all).differences(.file(path)) == [])
        let database = try OpenDatabase(.file(path), readers: 1)
        defer { database.close() }
        let nights: [String] = try database.read {
            try $0.all(
                "SELECT id || coalesce(starts_at, '') || coalesce(deleted_at, '') FROM health_records ORDER BY id"
            ) {
                try $0[0]
            }
        }
        #expect(nights == ["gone7", "kept5"])
    }
}
