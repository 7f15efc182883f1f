import Foundation
import Programs
import Testing

/// RP-206, RP-217: a setting means what its words say, or is refused by name.
@Suite struct SettingTests {
    let portal = RunningPortal()

    /// A start that ends at a setting.
    private func start(
        _ environment: [String: String], _ options: [String] = [], withData: Bool = true
    ) throws -> RunningPortal.Outcome {
        let words = ["/usr/bin/env"] + environment.map { "\($0)=\($1)" }
        return try portal.run(["serve"] + options, withData: withData, behind: words)
    }

    @Test(arguments: ["false", "0", "no", "off", "No", "OFF", "\"false\"", ""])
    func `RP-206 a word for no leaves mail in files refused`(_ word: String) throws {
        let outcome = try start(
            ["INTERSESSION_OUTBOX": word, "INTERSESSION_PUBLIC_URL": "https://portal.example.org"],
            ["--port", "0"])
        #expect(outcome.status == 2 && outcome.error.contains("needs --smtp-url, or --outbox"), "\(outcome)")
    }

    @Test func `RP-206 a word for yes means yes, and any other is refused by name`() throws {
        // Listening is what fails, after mail in files was taken as meant.
        let elsewhere = ["--port", "0", "--address", "192.0.2.1"]
        for word in ["true", "1", "yes", "on", "Yes", "'on'"] {
            let outcome = try start(["INTERSESSION_OUTBOX": word], elsewhere)
            #expect(outcome.error.contains("this machine has no address"), "\(word): \(outcome)")
        }
        for word in ["maybe", "2", "outbox", "ja"] {
            let outcome = try start(["INTERSESSION_OUTBOX": word], elsewhere)
            #expect(
                outcome.status == 2 && outcome.error.contains("INTERSESSION_OUTBOX wants yes or no"),
                "\(outcome)")
        }
        // Other switches and flags alike; a flag wins.
        let flag = try start(
            ["INTERSESSION_OUTBOX": "yes"], ["--port", "0", "--address", "0.0.0.0", "--outbox=no"])
        #expect(flag.status == 2 && flag.error.contains("needs --smtp-url"), "\(flag)")
        let wrong = try start([:], ["--outbox=perhaps"])
        #expect(wrong.status == 2 && wrong.error.contains("--outbox wants yes or no"), "\(wrong)")
        let replace = try portal.run(
            ["restore", "/nowhere"], behind: ["/usr/bin/env", "INTERSESSION_REPLACE=perhaps"])
        #expect(replace.status == 2 && replace.error.contains("INTERSESSION_REPLACE wants yes or no"))
    }

    @Test func `RP-217 a pair of quotation marks around a value is taken off`() throws {
        for mark in ["\"", "'"] {
            let quoted = mark + portal.data + mark
            let outcome = try start(
                ["INTERSESSION_DATA": quoted, "INTERSESSION_BACKUPS": mark + portal.data + "-b" + mark],
                ["--port", "0", "--address", "192.0.2.1", "--outbox"], withData: false)
            #expect(outcome.error.contains("this machine has no address"), "\(outcome)")
            #expect(FileManager.default.fileExists(atPath: portal.data + "/keys/master.key"))
            #expect(FileManager.default.fileExists(atPath: portal.data + "-b"))
            try? FileManager.default.removeItem(atPath: portal.data + "-b")
            #expect(!FileManager.default.fileExists(atPath: mark))
        }
        // A mark inside stays, and is no address.
        let odd = try start(["INTERSESSION_MAIL_FROM": "\"a\"@b.example"], ["--port", "0"])
        #expect(odd.status == 2 && odd.error.contains("INTERSESSION_MAIL_FROM wants an address"), "\(odd)")
    }

    @Test(arguments: ["INTERSESSION_DATA", "INTERSESSION_BACKUPS"])
    func `RP-217 a relative folder in the environment is refused with the absolute path it meant`(
        _ name: String
    ) throws {
        let here = FileManager.default.currentDirectoryPath
        for value in ["house", "./house", "\"./house\"", "~/house/../house"] {
            let outcome = try start([name: value], ["--port", "0"], withData: name != "INTERSESSION_DATA")
            let meant = value.hasPrefix("~") ? "\(here)/~/house" : "\(here)/house"
            #expect(outcome.status == 2, "\(outcome)")
            #expect(
                outcome.error.contains("\(name) wants an absolute path: from here it means \(meant)\n"),
                "\(outcome)")
        }
        #expect(!FileManager.default.fileExists(atPath: here + "/house"))
    }

    @Test func `RP-217 a line end of Windows behind a value is named, whatever the setting`() throws {
        let settings = [
            "BACKUPS": "/tmp/none", "TIMEZONE": "Europe/Vienna", "OUTBOX": "yes", "MAIL_FROM": "a@b.test",
        ]
        for (name, value) in settings {
            for written in [value, "\"\(value)\""] {
                let outcome = try start(["INTERSESSION_\(name)": written + "\r"], ["--port", "0"])
                #expect(outcome.status == 2, "\(outcome)")
                #expect(
                    outcome.error.contains("INTERSESSION_\(name) ends in a carriage return"), "\(outcome)")
                #expect(!outcome.error.contains(value))
            }
        }
    }

    @Test func `RP-217 bin run makes its own folders absolute`() throws {
        let files = FileManager.default
        let root = files.temporaryDirectory.appendingPathComponent("run-\(UUID().uuidString)").path
        defer { try? files.removeItem(atPath: root) }
        try files.createDirectory(atPath: root + "/bin", withIntermediateDirectories: true)
        try files.copyItem(atPath: RunningPortal.root + "/bin/run", toPath: root + "/bin/run")
        let scripts = [
            "setup": "exit 0", "swift": "echo \(root)/bin",
            "intersession": #"echo "$1 data=$INTERSESSION_DATA backups=$INTERSESSION_BACKUPS $*" >&2"#,
        ]
        for (name, text) in scripts {
            let path = "\(root)/bin/\(name)"
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(fileURLWithPath: path))
            try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let process = Program()
        process.executableURL = URL(fileURLWithPath: root + "/bin/run")
        process.environment = [
            "PATH": root + "/bin:/usr/bin:/bin", "INTERSESSION_DATA": "'my house'",
            "INTERSESSION_BACKUPS": "/b",
        ]
        let error = Pipe()
        process.standardError = error
        try process.run()
        let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let real = URL(fileURLWithPath: root).resolvingSymlinksInPath().path
        #expect(text.contains("serve data=\(real)/my house backups=/b"), "\(text)")
        #expect(text.contains("seed --data \(real)/my house"), "\(text)")
    }
}
