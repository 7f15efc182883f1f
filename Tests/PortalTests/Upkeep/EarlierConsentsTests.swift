import Foundation
import Records
import Testing

@testable import Database
@testable import Portal

/// FD-22: enrolments from before get their rows, and sheets their version, as far as it can be told.
@Suite struct EarlierConsentsTests {
    @Test
    func `FD-22 what was agreed to before it was kept is found again, and what cannot be told stays open`()
        throws
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let place = try #require(Migrations.all.firstIndex { $0.name == "M070_AgreedConsents" })
        try Migrator(Array(Migrations.all[..<place])).migrate(.file(path))
        do {
            let database = try OpenDatabase(.file(path), readers: 1)
            defer { database.close() }
            try database.write { try Self.fill($0) }
        }
        try Migrator(Migrations.all).migrate(.file(path))
        let database = try OpenDatabase(.file(path), readers: 1)
        defer { database.close() }
        let (rows, sheets): ([String], [String]) = try database.read { connection in
            (
                try connection.all(
                    """
                    SELECT enrolment_id || ' ' || version || ' ' || agreed_at || ' ' || coalesce(way, '-')
                    FROM enrolment_consents ORDER BY enrolment_id, version
                    """
                ) { try $0[0] },
                try connection.all(
                    "SELECT id || ' ' || coalesce(consent_version, '-') FROM contributions ORDER BY id"
                ) { try $0[0] }
            )
        }
        #expect(
            rows == [
                "far 1 2000 -", "far 3 9000 -", "next 2 5000 -", "next 3 9000 -", "once 1 2000 -",
                "paper 1 1000 paper",
            ])
        #expect(
            sheets == [
                "far-after 3", "far-before 1", "far-between -", "next-after 3", "next-before 2", "once 1",
                "paper 1",
            ])
    }

    /// Versions of 1, 4 and 8 seconds.
    private static func fill(_ connection: borrowing Connection) throws {
        for account in ["far", "next", "once", "paper"] {
            try connection.run(
                """
                INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, timezone, created_at)
                VALUES (\(account), 'patient', x'00', x'00', \(Array(account.utf8)), '', 'UTC', 1)
                """)
        }
        try connection.run(
            """
            INSERT INTO studies (id, name, title_de, access, is_private, is_hidden, code, is_running,
                created_at, changed_at) VALUES ('s', 'alltag', 'Alltag', 'open', 0, 0, 'c', 0, 1, 1)
            """)
        for (version, at) in [(1, 1000), (2, 4000), (3, 8000)] {
            try connection.run(
                """
                INSERT INTO study_consents (study_id, version, text_de, written_at)
                VALUES ('s', \(version), 'Ich', \(at))
                """)
        }
        for (id, asked, version, agreed) in [
            ("far", 2000, 3, 9000), ("next", 5000, 3, 9000), ("once", 2000, 1, 2000),
            ("paper", 1000, 1, 1000),
        ] {
            try connection.run(
                """
                INSERT INTO enrolments (id, study_id, account_id, codename, state, asked_at, enrolled_at,
                    consent_version, consented_at, timezone, agreed_after, signed_on)
                VALUES (\(id), 's', \(id), \(id), 'enrolled', \(asked), \(asked), \(version), \(agreed), 'UTC', 0,
                    \(id == "paper" ? "2026-11-20" : nil))
                """)
        }
        try connection.run(
            """
            INSERT INTO questionnaires (id, key, version, definition, published_at)
            VALUES ('q', 'wellbeing-5', 1, '{}', 1)
            """)
        for (id, enrolment, completed) in [
            ("far-before", "far", 3000), ("far-between", "far", 6000), ("far-after", "far", 9500),
            ("next-before", "next", 8500), ("next-after", "next", 9000), ("once", "once", 9500),
            ("paper", "paper", 500),
        ] {
            try connection.run(
                """
                INSERT INTO contributions (account_id, id, study_id, enrolment_id, questionnaire_id, started_at, completed_at,
                    received_at, timezone, answers, answered, asked)
                VALUES (\(enrolment), \(id), 's', \(enrolment), 'q', 1, \(completed), \(completed), 'UTC', x'00', 1, 1)
                """)
        }
    }
}
