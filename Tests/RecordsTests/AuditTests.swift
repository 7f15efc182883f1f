import Foundation
import Secrets
import Testing
import Wire

@testable import Database
@testable import Records

/// The chain of the audit log, over lines in memory.
@Suite struct AuditTests {
    private let chain = AuditChain(key: .random())
    private let now = Instant(milliseconds: 1_800_000_000_000)
    private let ada: ID<Account> = "ada"

    /// Three lines, and then a manipulation of them.
    private func broken(_ sql: SQL?, by chain: AuditChain? = nil, since first: Int = 1) throws -> Int? {
        try Connection.inMemory { connection in
            try connection.run(
                """
                CREATE TABLE audit_log (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, actor_id TEXT, action TEXT NOT NULL,
                    subject_id TEXT, object_id TEXT, change BLOB, hash BLOB)
                """)
            for object in ["one", nil, "three"] {
                try self.chain.append(
                    AuditAction(name: "note.changed"), by: ada, about: ada, object: object, change: nil,
                    at: now,
                    connection)
            }
            if let sql { try connection.run(sql) }
            return try (chain ?? self.chain).firstBroken(since: first, connection)
        }
    }

    @Test func `lines that are as they were written are whole`() throws { #expect(try broken(nil) == nil) }

    @Test(
        arguments: [
            ("UPDATE audit_log SET at = at + 1 WHERE id = 2", 2),
            ("UPDATE audit_log SET actor_id = NULL WHERE id = 2", 2),
            ("UPDATE audit_log SET action = 'note.seen' WHERE id = 1", 1),
            ("UPDATE audit_log SET subject_id = 'ben' WHERE id = 3", 3),
            ("UPDATE audit_log SET object_id = '' WHERE id = 2", 2),
            ("UPDATE audit_log SET change = x'00' WHERE id = 3", 3),
            ("UPDATE audit_log SET hash = NULL WHERE id = 1", 1), ("DELETE FROM audit_log WHERE id = 2", 3),
            ("UPDATE audit_log SET subject_id = 'adan', object_id = 'e' WHERE id = 1", 1),
        ] as [(SQL, Int)])
    func `a changed or missing line shows at its place`(_ sql: SQL, _ line: Int) throws {
        #expect(try broken(sql) == line)
    }

    @Test func `a chain begun later is whole from there, and nobody mends it without the key`() throws {
        #expect(try broken("DELETE FROM audit_log WHERE id = 3") == nil)
        #expect(try broken(nil, by: AuditChain(key: .random())) == 1)
        // The second line hangs on the first, which is not looked at.
        #expect(try broken(nil, since: 2) == 2)
    }

    @Test func `old and new values open for the person and the moment alone, without what was nil`() throws {
        let person = PersonKey(owner: ada)
        let change = try AuditChange(
            before: ["note": "a", "alias": nil], after: ["note": "b"], reason: "typo", about: person, at: now)
        let values = try AuditChange.open(change.sealed, about: person, at: now)
        #expect(values.before == ["note": "a"] && values.after == ["note": "b"] && values.reason == "typo")
        #expect(throws: SealBroken.self) {
            try AuditChange.open(change.sealed, about: person, at: now.adding(seconds: 1))
        }
        #expect(throws: SealBroken.self) {
            try AuditChange.open(change.sealed, about: PersonKey(owner: ada), at: now)
        }
    }

    @Test func `the anchor is read as it was written, and what is no anchor is none`() throws {
        var settings = Settings()
        settings.data = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(
            atPath: settings.data + "/keys", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: settings.data) }
        #expect(AuditAnchor.read(settings) == nil)
        let texts = [
            ("3 9 AQI=\n", AuditAnchor(first: 3, last: 9, hash: [1, 2])),
            ("1 0 \n", AuditAnchor(first: 1, last: 0, hash: [])),
        ]
        for (text, anchor) in texts {
            try Data(text.utf8).write(to: URL(fileURLWithPath: settings.anchorPath))
            #expect(AuditAnchor.read(settings) == anchor)
        }
        for text in ["", "1", "a 2 AQI=", "1 b"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: settings.anchorPath))
            #expect(AuditAnchor.read(settings) == nil, "\(text)")
        }
    }
}
