import Foundation
import Testing

/// What an operator meets on the command line.
@Suite(.serialized) struct OperatorTests {
    let portal = RunningPortal()

    @Test(arguments: ["--version", "version"]) func `the program tells its version`(word: String) throws {
        let outcome = try portal.run([word], withData: false, bare: true)
        #expect(outcome.status == 0)
        #expect(outcome.output.wholeMatch(of: /intersession \d+\.\d+\.\d+\ntzdata .+\n/) != nil, "\(outcome)")
        #expect(try portal.run(["help"], withData: false, bare: true).output.contains("  version "))
    }

    private func close(_ path: String) throws {
        let mode = getuid() == 0 ? 0o700 : 0o000
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func open(_ path: String, _ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test func `permission denied on the data folder is said as such, with the path and what to do`() throws {
        let stranger = try Stranger()
        #expect(try portal.run(["seed"]).status == 0)
        try close(portal.data)
        defer { try? open(portal.data, 0o700) }
        for command in [
            ["serve", "--port", "0"], ["seed"], ["verify"], ["backup", "/tmp/never.sqlite"],
            ["questionnaire", "import", stranger.resources + "/templates/instruments/wellbeing-5.json"],
        ] {
            let outcome = try portal.run(command, as: stranger)
            #expect(outcome.status == 1 && !outcome.error.contains("another intersession"), "\(command)")
            #expect(
                outcome.error.contains("\(portal.data)")
                    && outcome.error.contains("permission denied"), "\(command): \(outcome.error)")
            #expect(outcome.error.contains("chown -R"), "\(command)")
        }
    }

    @Test func `a single file that is somebody else's is named`() throws {
        let stranger = try Stranger()
        #expect(try portal.run(["seed"]).status == 0)
        try open(portal.data, 0o777)
        try open(portal.data + "/keys", 0o777)
        try open(portal.data + "/outbox", 0o777)
        for name in ["intersession.sqlite", "keys/master.key", "lock"] {
            for other in ["intersession.sqlite", "intersession.sqlite-wal", "keys/master.key", "lock"] {
                try? open(portal.data + "/" + other, 0o666)
            }
            let path = portal.data + "/" + name
            try close(path)
            let outcome = try portal.run(["seed"], as: stranger)
            #expect(outcome.status == 1, "\(name)")
            #expect(outcome.error.contains("\(path): permission denied"), "\(name): \(outcome.error)")
        }
    }

    @Test func `a folder that cannot be made is said as such`() throws {
        try FileManager.default.createDirectory(atPath: portal.data, withIntermediateDirectories: true)
        try close(portal.data)
        defer { try? open(portal.data, 0o700) }
        let inside = portal.data + "/inside"
        let outcome = try portal.run(["seed", "--data", inside], withData: false, as: try Stranger())
        #expect(outcome.status == 1 && outcome.error.contains("\(inside): permission denied"), "\(outcome)")
    }

    @Test func `SN-5 the check of a language ends with 0, 1 or 2`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("it-\(UUID().uuidString)")
            .path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: RunningPortal.root + "/templates", toPath: folder + "/templates")
        try Data(#"{"frame": {"today": "Oggi", "tomorrow": "Domani"}}"#.utf8).write(
            to: URL(fileURLWithPath: folder + "/templates/texts/it.json"))
        let check = { (words: [String]) in
            try portal.run(
                ["texts", "check"] + words + ["--resources", folder], withData: false, bare: true)
        }
        let german = try check(["de"])
        #expect(german.status == 0 && german.output.hasPrefix("de is complete"), "\(german)")
        let italian = try check(["it"])
        #expect(italian.status == 1 && italian.error.contains("are missing in it"), "\(italian)")
        #expect(italian.output.contains("missing      frame.patients: \"Patients\"\n"))
        #expect(italian.output.contains("superfluous  frame.tomorrow\n"))
        #expect(italian.output.contains("missing      information/privacy.it.md\n"))
        #expect(!italian.output.contains("frame.today:"))
        #expect(try check(["sl"]).status == 1)
        for words in [[], ["de", "en"], ["Deutsch"], ["de", "--loud"]] {
            #expect(try check(words).status == 2, "\(words)")
        }
        #expect(
            try portal.run(["help", "texts", "check"], withData: false, bare: true).output.contains("missing")
        )
    }
}
