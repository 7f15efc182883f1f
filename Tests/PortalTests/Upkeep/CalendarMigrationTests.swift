import Database
import Foundation
import Testing

@testable import EngineTesting
@testable import Portal

/// RP-31: what calendars were told by the program before is not taken back by the one after it.
@Suite struct CalendarMigrationTests {
    @Test(arguments: TestEngine.available)
    func `RP-31 sessions that were one keep the sum that was told, alone ones their own`(
        _ engine: TestEngine
    ) throws {
        try engine.withPlace { place in
            let index = try #require(Migrations.all.firstIndex { $0.name == "M110_CalendarRevisions" })
            try Migrator(Array(Migrations.all[..<index])).migrate(place)
            do {
                let database = try OpenDatabase(place, readers: 1)
                defer { database.close() }
                try database.write(Self.fill)
            }
            try Migrator(Migrations.all).migrate(place)
            let database = try OpenDatabase(place, readers: 1)
            defer { database.close() }
            let (sessions, appointments) = try database.read { connection in
                (
                    try connection.all(
                        "SELECT id, sequence, coalesce(revised_at, 0) FROM therapy_sessions ORDER BY id"
                    ) { row in "\(try row[0] as String) \(try row[1] as Int) \(try row[2] as Int)" },
                    try connection.all("SELECT id, sequence FROM appointments ORDER BY id") { row in
                        "\(try row[0] as String) \(try row[1] as Int)"
                    }
                )
            }
            // Of noted (2) and entered (3) at one time 2 + 3 + 1 was told, and the later of both changes.
            #expect(sessions == ["alone 4 0", "entered 7 90", "noted 7 90"])
            #expect(appointments == ["a 7", "b 0"])
        }
    }

    private static func fill(_ connection: borrowing Connection) throws {
        let bytes: [UInt8] = [0]
        for kind in ["staff", "patient"] {
            try connection.run(
                """
                INSERT INTO accounts (id, kind, wrapped_key, email, email_lookup, password_hash, timezone, created_at)
                VALUES (\(kind), \(kind), \(bytes), \(bytes), \(Array(kind.utf8)), '', 'UTC', 1)
                """)
        }
        try connection.run(
            """
            INSERT INTO therapies (id, therapist_id, account_id, codename, wrapped_key, created_at, paired_at)
            VALUES ('t', 'staff', 'patient', 'C1', \(bytes), 1, 1)
            """)
        let day = 86_400_000
        for (id, start, sequence, changed) in [
            ("noted", 10 * day, 2, 90), ("entered", 10 * day + 600_000, 3, 80), ("alone", 40 * day, 4, 70),
        ] {
            let appointment = id == "entered" ? "a" : String?.none
            try connection.run(
                """
                INSERT INTO therapy_sessions
                    (id, therapy_id, starts_at, ends_at, appointment_id, noted_at, sequence, changed_at)
                VALUES (\(id), 't', \(start), \(start + 3_000_000), \(appointment), 5, \(sequence), \(changed))
                """)
        }
        for (id, start) in [("a", 10 * day + 600_000), ("b", 80 * day)] {
            try connection.run(
                """
                INSERT INTO appointments (account_id, id, therapy_id, title, starts_at, ends_at, changed_at)
                VALUES ('patient', \(id), 't', \(bytes), \(start), \(start + 3_000_000), 5)
                """)
        }
    }
}
