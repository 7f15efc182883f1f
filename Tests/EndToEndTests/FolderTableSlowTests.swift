import Foundation
import Testing

@testable import Database

/// RP-229: the table of decision 0038, lived: each state of a folder with each command, what it answers and that a refusal changes nothing.
@Suite(.serialized) struct FolderTableSlowTests {
    /// What lies in the folder.
    enum State: String, CaseIterable {
        case nothing, sound
        case databaseWithoutKeys, databaseWithTracesOfKeys, tracesOfKeys
        case unused, unusedWithBackups
        case missing, empty, bare, damaged, partial, newer
    }

    /// What a command does with it.
    enum Answer {
        /// Ends with 0, and there is a clinic afterwards.
        case works
        /// Ends with 1 and these words, and leaves everything as it was.
        case refuses(String)
    }

    private let template: RunningPortal
    private let backup: String

    init() throws {
        template = RunningPortal()
        #expect(try Self.create(template).status == 0)
        let folder = template.data + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        backup = folder + "/" + RunningPortal.backupName()
        #expect(try template.run(["backup", backup]).status == 0)
    }

    private static let password = "correct horse battery staple\n"

    private static func create(_ portal: RunningPortal, _ name: String = "uma") throws
        -> RunningPortal.Outcome
    {
        let words = [
            "account", "create", "--email", "\(name)@example.org", "--name", "Uma", "--role", "admin",
        ]
        return try portal.run(words, input: password)
    }

    private func folder(_ state: State) throws -> RunningPortal {
        let portal = RunningPortal()
        let files = FileManager.default
        if state == .nothing { return portal }
        try files.copyItem(atPath: template.data, toPath: portal.data)
        let database = portal.data + "/intersession.sqlite"
        let keys = portal.data + "/keys"
        let lose = {
            for end in ["", "-wal", "-shm"] { try? files.removeItem(atPath: database + end) }
        }
        let write = { (sql: String) in
            let session = try DatabasePlace.file(database).open(.writer())
            defer { session.close() }
            try session.script(sql)
        }
        switch state {
        case .nothing, .sound: break
        case .databaseWithoutKeys: try files.removeItem(atPath: keys)
        case .databaseWithTracesOfKeys: try files.removeItem(atPath: keys + "/master.key")
        case .tracesOfKeys:
            lose()
            try files.removeItem(atPath: keys + "/master.key")
        case .unused, .unusedWithBackups:
            lose()
            try Data().write(to: URL(fileURLWithPath: keys + "/unused"))
            if state == .unused {
                try files.removeItem(atPath: portal.data + "/backups")
                try files.removeItem(atPath: keys + "/audit")
            }
        case .missing: lose()
        case .empty:
            lose()
            try Data().write(to: URL(fileURLWithPath: database))
        case .bare:
            lose()
            try write("CREATE TABLE notes (text TEXT)")
        case .damaged:
            lose()
            try Data(repeating: 0x5a, count: 5000).write(to: URL(fileURLWithPath: database))
        case .partial: try write("PRAGMA foreign_keys = OFF; DROP TABLE appointments")
        case .newer:
            try write(
                """
                INSERT INTO migrations (name, checksum) VALUES ('M999_Later', 'x');
                DELETE FROM oldest_program; INSERT INTO oldest_program (migration) VALUES ('M999_Later')
                """)
        }
        return portal
    }

    /// What commands that begin or go on with a clinic answer.
    private func answer(_ state: State) -> Answer {
        switch state {
        case .nothing, .sound, .unused: .works
        case .databaseWithoutKeys, .databaseWithTracesOfKeys: .refuses("keys/master.key is missing")
        case .tracesOfKeys: .refuses("keys/master.key is missing as well")
        case .unusedWithBackups, .missing: .refuses("intersession.sqlite is missing, and")
        case .empty: .refuses("intersession.sqlite is empty (0 bytes), and")
        case .bare: .refuses("intersession.sqlite holds none of the tables of this program, and")
        case .damaged: .refuses("intersession.sqlite is damaged, or no database, and")
        case .partial: .refuses("lacks 1 of its tables (appointments): it is a part of a copy")
        case .newer: .refuses("the database was written by a newer program (migration M999_Later)")
        }
    }

    /// What commands answer that only look at the database.
    private func look(_ state: State, isVerify: Bool = false) -> Answer {
        switch state {
        case .nothing, .unused, .unusedWithBackups, .missing, .tracesOfKeys:
            .refuses(isVerify ? "there is no file" : "there is no database")
        case .empty: .refuses(isVerify ? "is empty (0 bytes)" : "there is no database")
        case .bare: .refuses("holds none of the tables of this program")
        case .damaged: .refuses("is damaged, or no database")
        case .partial: isVerify ? .refuses("table appointments is missing") : .works
        case .newer: isVerify ? .refuses("newer program") : .works
        case .sound, .databaseWithoutKeys, .databaseWithTracesOfKeys: .works
        }
    }

    private func content(_ portal: RunningPortal) throws -> [String: Data] {
        var found: [String: Data] = [:]
        // The lock, and what SQLite lays beside a file that it reads, say nothing about a clinic.
        let passing = ["lock", "intersession.sqlite-shm", "intersession.sqlite-wal"]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: portal.data)) ?? []
        where !passing.contains(name) {
            found[name] = FileManager.default.contents(atPath: "\(portal.data)/\(name)") ?? Data()
        }
        return found
    }

    private func expect(
        _ answer: Answer, of words: [String], on portal: RunningPortal, _ state: State
    ) throws {
        let before = try content(portal)
        let outcome = try portal.run(words, input: Self.password)
        switch answer {
        case .works: #expect(outcome.status == 0, "\(state) \(words): \(outcome)")
        case .refuses(let sentence):
            #expect(outcome.status == 1 && outcome.output.isEmpty, "\(state) \(words): \(outcome)")
            #expect(outcome.error.contains(sentence), "\(state) \(words): \(outcome.error)")
            #expect(!outcome.error.contains("SQLite "), "\(state) \(words): \(outcome.error)")
            #expect(try content(portal) == before, "\(state) \(words)")
        }
    }

    @Test(arguments: State.allCases)
    func `RP-229 every command that writes begins, goes on or refuses as the table says`(_ state: State)
        throws
    {
        let instrument = RunningPortal.root + "/templates/instruments/wellbeing-5.json"
        var commands: [[String]] = [
            ["account", "create", "--email", "neu@clinic.test", "--name", "Neu", "--role", "admin"],
            ["questionnaire", "import", instrument], ["keys", "rotate"],
        ]
        // What it imports is another matter (SoundCommandTests).
        if case .refuses = answer(state) { commands.append(["sounds", "import", template.data]) }
        for words in commands { try expect(answer(state), of: words, on: try folder(state), state) }
        // A clinic with an account takes no demonstration.
        let seeding: Answer = state == .sound ? .refuses("holds real accounts") : answer(state)
        let portal = try folder(state)
        if case .refuses("holds real accounts") = seeding {
            #expect(try portal.run(["seed", "--days", "1"]).error.contains("holds real accounts"))
        } else {
            try expect(seeding, of: ["seed", "--days", "1"], on: portal, state)
        }
        let served = try folder(state)
        if case .works = answer(state) {
            try served.serve()
            #expect(served.stop() == 0)
        } else {
            try expect(answer(state), of: ["serve", "--port", "0", "--backup-days", "0"], on: served, state)
        }
    }

    @Test(arguments: State.allCases)
    func `RP-229 every command that looks says what it found in a sentence`(_ state: State) throws {
        let portal = try folder(state)
        let target = portal.data + "-copy.sqlite"
        defer { try? FileManager.default.removeItem(atPath: target) }
        try expect(look(state, isVerify: true), of: ["verify"], on: portal, state)
        if state == .sound || state == .databaseWithoutKeys || state == .databaseWithTracesOfKeys
            || state == .newer
        {
            try expect(.works, of: ["backup", target], on: portal, state)
        } else if state != .partial {
            try expect(look(state), of: ["backup", target], on: portal, state)
        }
        let export = ["export", "--study", "none", target]
        switch look(state) {
        case .works:
            let outcome = try portal.run(export)
            #expect(outcome.status == 1 && !outcome.error.contains("SQLite "), "\(state): \(outcome)")
        case .refuses: try expect(look(state), of: export, on: portal, state)
        }
    }

    @Test(arguments: State.allCases)
    func `RP-229 another engine is given only what the table lets go on`(_ state: State) throws {
        let nowhere = ["migrate-engine", "--to", "postgresql:///none?host=/nonexistent"]
        let refusal: Answer =
            switch state {
            case .nothing, .unused: .refuses("there is no database")
            // Nothing is wrong here: the other engine is asked next.
            case .sound: .refuses("PostgreSQL: cannot be reached")
            default: answer(state)
            }
        try expect(refusal, of: nowhere, on: try folder(state), state)
    }

    @Test(arguments: State.allCases)
    func `RP-229 a restore needs the keys, and a word where a file is in the way`(_ state: State) throws {
        let portal = try folder(state)
        let hasKey = FileManager.default.fileExists(atPath: portal.data + "/keys/master.key")
        let isThere: Bool
        switch state {
        case .sound, .bare, .damaged, .partial, .newer: isThere = true
        default: isThere = false
        }
        guard hasKey else {
            return try expect(
                .refuses("keys/master.key is missing: put the keys of this backup there first"),
                of: ["restore", backup, "--replace"], on: portal, state)
        }
        if isThere {
            try expect(.refuses("--replace says that it may go"), of: ["restore", backup], on: portal, state)
        }
        try expect(.works, of: ["restore", backup] + (isThere ? ["--replace"] : []), on: portal, state)
        #expect(try portal.run(["verify"]).output == "sound\n")
        try portal.serve()
        #expect(portal.stop() == 0)
    }
}
