import Foundation
import Records
import Testing

@testable import Database
@testable import Portal

/// ST-6: studies with participants go on asking for listening and matches, and a consent to research counts as the agreement of before.
@Suite struct ListeningAskedTests {
    @Test
    func `ST-6 folders of before keep what was agreed to by research, dated, and agree to nothing else`()
        throws
    {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let place = try #require(Migrations.all.firstIndex { $0.name == "M138_ItemChoices" })
        try Migrator(Array(Migrations.all[..<place])).migrate(.file(path))
        do {
            let database = try OpenDatabase(.file(path), readers: 1)
            defer { database.close() }
            try database.write { try Self.fill($0) }
        }
        try Migrator(Migrations.all).migrate(.file(path))
        let database = try OpenDatabase(.file(path), readers: 1)
        defer { database.close() }
        let (studies, people, choices): ([String], [String], [String]) = try database.read { connection in
            (
                try connection.all(
                    "SELECT id || ': ' || measurements || ' ' || revision FROM studies ORDER BY id"
                ) { try $0[0] },
                try connection.all(
                    """
                    SELECT id || ': ' || measurements || ' ' || measurements_sentence || ' ' ||
                        coalesce(measurements_at, '-') FROM enrolments ORDER BY id
                    """
                ) { try $0[0] },
                try connection.all(
                    """
                    SELECT enrolment_id || ' ' || kind || ' ' || chosen_at || ' ' || is_given || ' ' ||
                        coalesce(sentence, '-') FROM enrolment_choices ORDER BY enrolment_id, kind
                    """
                ) { try $0[0] }
            )
        }
        #expect(studies == ["asks: steps listening tinnitus 2", "empty:  1", "plain: listening tinnitus 2"])
        #expect(
            people == [
                "gone:  1 -", "gone-ticked: steps 2 1500", "kept: listening tinnitus 3 3000", "no:  1 -",
                "pending:  1 -",
                "ticked: steps heart_rate listening tinnitus 2 4000",
                "undated: steps listening tinnitus 1 -", "yes: listening tinnitus 3 3000",
            ])
        #expect(
            choices == [
                "gone-ticked steps 1500 1 2", "kept listening 3000 1 3", "kept tinnitus 3000 1 3",
                "ticked heart_rate 4000 1 2", "ticked listening 3000 1 3", "ticked location 5000 0 -",
                "ticked steps 4000 1 2", "ticked tinnitus 3000 1 3", "undated listening 3000 1 3",
                "undated tinnitus 3000 1 3", "yes listening 3000 1 3", "yes tinnitus 3000 1 3",
            ])
    }

    private static func fill(_ connection: borrowing Connection) throws {
        for (id, measurements) in [("asks", "steps"), ("plain", ""), ("empty", "")] {
            try connection.run(
                """
                INSERT INTO studies (id, name, title_de, access, is_private, is_hidden, code, is_running,
                    created_at, changed_at, measurements, revision)
                VALUES (\(id), \(id), 'Alltag', 'open', 0, 0, \(id), 0, 1, 1, \(measurements), 1)
                """)
            try connection.run(
                "INSERT INTO study_consents (study_id, version, text_de, written_at) VALUES (\(id), 1, 'Ich', 1)"
            )
        }
        for (account, choices) in [
            ("yes", [1]), ("no", [1, 0]), ("ticked", [0, 1]), ("undated", [1]), ("pending", [1]),
            ("gone", [0, 1]), ("gone-ticked", [0, 1]), ("kept", [1]),
        ] {
            try connection.run(
                """
                INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, timezone, created_at)
                VALUES (\(account), 'patient', x'00', x'00', \(Array(account.utf8)), '', 'UTC', 1)
                """)
            for (place, choice) in choices.enumerated() {
                let at = place == choices.count - 1 ? 3000 : 2000
                try connection.run(
                    """
                    INSERT INTO consent_choices (account_id, changed_at, research_consent)
                    VALUES (\(account), \(at), \(choice))
                    """)
            }
        }
        for (id, study, measurements, sentence) in [
            ("yes", "plain", "", 1), ("no", "plain", "", 1), ("ticked", "asks", "steps heart_rate", 2),
            ("undated", "asks", "steps", 1), ("pending", "empty", "", 1),
        ] {
            let isPending = id == "pending"
            try connection.run(
                """
                INSERT INTO enrolments (id, study_id, account_id, codename, state, asked_at, enrolled_at, consent_version,
                    consented_at, timezone, agreed_after, measurements, measurements_sentence, measurements_at,
                    location, location_at)
                VALUES (\(id), \(study), \(id), \(id), \(isPending ? "pending" : "enrolled"), 1000,
                    \(isPending ? nil : 1000), 1, 1000, 'UTC', 0, \(measurements), \(sentence),
                    \(id == "ticked" ? 4000 : nil), \(id == "ticked" ? "refused" : nil),
                    \(id == "ticked" ? 5000 : nil))
                """)
        }
        // Left without a consent to research, which came later; and with one.
        for (id, measurements) in [("gone", ""), ("gone-ticked", "steps"), ("kept", "")] {
            try connection.run(
                """
                INSERT INTO enrolments (id, study_id, account_id, codename, state, asked_at, enrolled_at, left_at, left_after,
                    consent_version, consented_at, timezone, agreed_after, measurements, measurements_sentence, measurements_at)
                SELECT \(id), 'plain', \(id), \(id), 'left', 1000, 1000, 2500, min(id), 1, 1000, 'UTC', min(id),
                    \(measurements), \(measurements == "" ? 1 : 2), \(measurements == "" ? nil : 1500)
                FROM consent_choices WHERE account_id = \(id)
                """)
        }
    }
}
