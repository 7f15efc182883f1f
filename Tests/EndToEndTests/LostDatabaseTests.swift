import Foundation
import Programs
import Testing

@testable import Database

/// RP-229: a database that was lost is never begun anew in silence.
@Suite(.serialized) struct LostDatabaseTests {
    let portal = RunningPortal()
    private let password = "correct horse battery staple\n"

    private var database: String { portal.data + "/intersession.sqlite" }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(portal.data)/\(name)")
    }

    private func create(_ email: String) throws -> RunningPortal.Outcome {
        try portal.run(
            ["account", "create", "--email", email, "--name", "Uma Berger", "--role", "admin"],
            input: password)
    }

    /// A clinic with an account and a backup, and no program on it.
    private func clinic() throws -> String {
        #expect(try create("uma@example.org").status == 0)
        let folder = portal.data + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let backup = folder + "/" + RunningPortal.backupName()
        #expect(try portal.run(["backup", backup]).status == 0)
        return backup
    }

    private func lose() throws {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + end) }
    }

    private func everyWay() -> [[String]] {
        [
            ["serve", "--port", "0"], ["seed"], ["sounds", "import", portal.data], ["keys", "rotate"],
            ["account", "create", "--email", "neu@clinic.test", "--name", "Neu", "--role", "admin"],
            [
                "questionnaire", "import",
                RunningPortal.root + "/templates/instruments/wellbeing-5.json",
            ],
        ]
    }

    private func expectRefused(_ what: String, backup: String) throws {
        for command in everyWay() {
            let outcome = try portal.run(command, input: password)
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(command): \(outcome)")
            #expect(outcome.error.contains(what), "\(command): \(outcome.error)")
            #expect(outcome.error.contains("restore \(backup) --data \(portal.data)"), "\(outcome.error)")
            #expect(outcome.error.contains("serve --new-clinic"), "\(outcome.error)")
        }
    }

    @Test func `RP-229 a database that is gone, empty, bare or damaged is refused by every command`()
        async throws
    {
        let backup = try clinic()
        try lose()
        try expectRefused("\(database) is missing", backup: backup)
        #expect(!exists("intersession.sqlite"))
        try Data().write(to: URL(fileURLWithPath: database))
        try expectRefused("\(database) is empty (0 bytes)", backup: backup)
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)).isEmpty)
        try lose()
        let session = try DatabasePlace.file(database).open(.writer())
        try session.script("CREATE TABLE notes (text TEXT)")
        session.close()
        try expectRefused("\(database) holds none of the tables of this program", backup: backup)
        try lose()
        try Data(repeating: 0x5a, count: 5000).write(to: URL(fileURLWithPath: database))
        try expectRefused("\(database) is damaged", backup: backup)
        try lose()
        // What the sentence says helps.
        let restored = try portal.run(["restore", backup])
        #expect(restored.status == 0, "\(restored)")
        try portal.serve()
        #expect(try await portal.send("GET", "/api/v1/health").status == 200)
        let login = #"{"email": "uma@example.org", "password": "correct horse battery staple"}"#
        #expect(try await portal.call("POST", "/auth/login", login).status == 200)
    }

    @Test func `RP-229 a database without some of its tables is refused, and left as it is`() throws {
        let backup = try clinic()
        let session = try DatabasePlace.file(database).open(.writer())
        try session.script(
            "PRAGMA foreign_keys = OFF; DROP TABLE appointments; PRAGMA journal_mode = DELETE")
        session.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        let outcome = try portal.run(["serve", "--port", "0"])
        #expect(
            outcome.status == 1 && outcome.error.contains("lacks 1 of its tables (appointments)"),
            "\(outcome)")
        #expect(outcome.error.contains("restore \(backup) --data"), "\(outcome)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
    }

    @Test func `RP-229 a part of a copy of an older schema is refused before it is migrated`() throws {
        _ = try clinic()
        let session = try DatabasePlace.file(database).open(.writer())
        // As before the last migration, whose column goes with it.
        try session.script(
            """
            PRAGMA foreign_keys = OFF; DROP TABLE appointments; DELETE FROM migrations WHERE name LIKE 'M102%';
            ALTER TABLE assignment_links DROP COLUMN handed_back_at; PRAGMA journal_mode = DELETE
            """)
        session.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: database))
        for words in [["serve", "--port", "0"], ["keys", "rotate"]] {
            let outcome = try portal.run(words)
            #expect(
                outcome.status == 1 && outcome.error.contains("(appointments): it is a part of a copy"),
                "\(outcome)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: database)) == before)
        }
    }

    @Test func `RP-229 verify says in a sentence of its own that a database is lost`() throws {
        _ = try clinic()
        try lose()
        #expect(try portal.run(["verify"]).error.contains("there is no file \(database)"))
        try Data().write(to: URL(fileURLWithPath: database))
        #expect(try portal.run(["verify"]).error.contains("is empty (0 bytes)"))
        try Data(repeating: 0x5a, count: 5000).write(to: URL(fileURLWithPath: database))
        let damaged = try portal.run(["verify"])
        #expect(damaged.status == 1 && damaged.error.contains("is damaged, or no database"), "\(damaged)")
        #expect(!damaged.error.contains("SQLite "), "\(damaged)")
    }

    @Test func `RP-229 two first starts at once make one clinic`() throws {
        let all = try (0..<4).map { number -> (process: Program, error: Pipe) in
            let process = Program()
            process.executableURL = RunningPortal.program
            process.arguments = [
                "account", "create", "--email", "uma\(number)@example.org", "--name", "Uma", "--role",
                "admin",
                "--data", portal.data, "--resources", RunningPortal.root,
            ]
            let error = Pipe()
            process.standardInput = try RunningPortal.typed(password)
            process.standardError = error
            try process.run()
            return (process, error)
        }
        for one in all {
            let words = String(decoding: one.error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            one.process.waitUntilExit()
            let isRefused = words.contains("another intersession is running on")
            #expect(one.process.terminationStatus == (isRefused ? 1 : 0), "\(words)")
        }
        #expect(all.contains { $0.process.terminationStatus == 0 })
        #expect(!exists("keys/unused") && exists("keys/master.key"))
        #expect(try portal.run(["verify"]).output == "sound\n")
        #expect(try create("eva@example.org").status == 0)
    }

    /// What killing after each step finds is in `bin/faults`.
    @Test func `RP-229 a mark without a database begins, and goes with the first commit`() throws {
        _ = try clinic()
        #expect(!exists("keys/unused"))
        try lose()
        try FileManager.default.removeItem(atPath: portal.data + "/backups")
        try FileManager.default.removeItem(atPath: portal.data + "/keys/audit")
        try Data().write(to: URL(fileURLWithPath: portal.data + "/keys/unused"))
        #expect(try create("uma@example.org").status == 0)
        #expect(!exists("keys/unused"))
    }

    @Test func `RP-229 a mark is not believed where backups of the same key are`() throws {
        let backup = try clinic()
        try lose()
        try Data().write(to: URL(fileURLWithPath: portal.data + "/keys/unused"))
        try expectRefused("\(database) is missing", backup: backup)
    }

    @Test func `RP-229 backups of another clinic's keys keep nobody from a first start`() throws {
        _ = try clinic()
        let other = RunningPortal()
        try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: portal.data + "/backups", toPath: other.data + "/backups")
        #expect(try other.run(["seed"]).status == 0)
    }

    @Test func `RP-229 a new clinic is begun on purpose, once, and nothing is deleted`() throws {
        let backup = try clinic()
        let refused = try portal.run(["serve", "--port", "0", "--new-clinic"])
        #expect(refused.status == 1 && refused.error.contains("there are accounts"), "\(refused)")
        #expect(exists("keys/master.key"))
        let key = try Data(contentsOf: URL(fileURLWithPath: portal.data + "/keys/master.key"))
        try lose()
        try Data("rest".utf8).write(to: URL(fileURLWithPath: database))
        try portal.serve(["--new-clinic"])
        #expect(portal.stop() == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: portal.data)
        let keys = try #require(names.first { $0.hasPrefix("keys.aside-") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(portal.data)/\(keys)/master.key")) == key)
        let rest = try #require(names.first { $0.hasPrefix("aside-") && $0.hasSuffix(".sqlite") })
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(portal.data)/\(rest)")) == Data("rest".utf8))
        #expect(FileManager.default.fileExists(atPath: backup))
        #expect(try Data(contentsOf: URL(fileURLWithPath: portal.data + "/keys/master.key")) != key)
        // Before the first account it goes on, afterwards it is refused.
        try portal.serve(["--new-clinic"])
        #expect(portal.stop() == 0)
        #expect(try create("neu@clinic.test").status == 0)
        #expect(try portal.run(["serve", "--port", "0", "--new-clinic"]).status == 1)
        try portal.serve()
    }
}
