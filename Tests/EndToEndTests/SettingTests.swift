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
        let checkout = try RunCheckout()
        defer { checkout.remove() }
        let text = try checkout.run(["INTERSESSION_DATA": "'my house'", "INTERSESSION_BACKUPS": "/b"]).error
        let real = checkout.path
        #expect(text.contains("serve data=\(real)/my house backups=/b"), "\(text)")
        #expect(text.contains("seed --data \(real)/my house"), "\(text)")
    }

    @Test func `impression bin run ends with the address, the logins and three things to try`() throws {
        let checkout = try RunCheckout()
        defer { checkout.remove() }
        let first = try checkout.run(["INTERSESSION_DATA": "clinic"])
        #expect(first.output == "listening on http://localhost:1234\n")
        #expect(first.error.contains("only once"), "\(first)")
        let end = try #require(first.error.split(separator: "\n\n", maxSplits: 1).last)
        for said in ["http://localhost:1234", "ada@example.org / secret", "1.", "2.", "3."] {
            #expect(end.contains(said), "\(said): \(first)")
        }
        // The second start finds the program and the clinic, and still knows the logins.
        let second = try checkout.run(["INTERSESSION_DATA": "clinic"])
        #expect(!second.error.contains("only once") && !second.error.contains("seed --data"), "\(second)")
        #expect(second.error.contains("ada@example.org / secret"), "\(second)")
        // A clinic that was not seeded here has no logins to print.
        try FileManager.default.removeItem(atPath: checkout.path + "/clinic/demonstration.txt")
        let own = try checkout.run(["INTERSESSION_DATA": "clinic"])
        #expect(own.output == first.output && !own.error.contains("example.org"), "\(own)")
    }
}
