import Foundation
import Testing

/// The whole path over a real socket with the real program.
@Suite(.serialized) struct MainJobTests {
    let portal: RunningPortal
    let password = "vier Wörter ohne Sinn"

    init() throws { portal = try .onAskedEngine() }

    /// `isf-k` from beside the checkout where it is; else the shipped short form, which scores alike.
    static let instrument: (file: String, key: String, answers: [String], expected: [String: Double]) = {
        let real =
            URL(fileURLWithPath: RunningPortal.root).deletingLastPathComponent().path
            + "/shared/instruments/isf-k.json"
        if FileManager.default.fileExists(atPath: real) {
            return (
                real, "isf-k", (1...8).map { "q\($0)" }, ["intensity": 2.5, "positive": 4, "negative": 1]
            )
        }
        let keys = [
            "came_back", "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter",
            "heavier",
        ]
        let shipped = RunningPortal.root + "/templates/instruments/between-sessions.json"
        return (shipped, "between-sessions", keys, ["intensity": 2.5, "positive": 4, "negative": 1])
    }()

    func start() throws {
        let made = try portal.run(
            [
                "account", "create", "--email", "ada@example.org", "--name", "Ada Lindner", "--role",
                "therapist",
            ], input: password + "\n")
        #expect(made.status == 0, "\(made.error)")
        let imported = try portal.run(["questionnaire", "import", Self.instrument.file])
        #expect(imported.status == 0, "\(imported.error)")
        try portal.serve()
    }

    func login(_ email: String) async throws -> String {
        let answer = try await portal.call(
            "POST", "/auth/login", #"{"email": "\#(email)", "password": "\#(password)"}"#)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.attributes["token"] as? String ?? ""
    }

    func registerPia() async throws -> String {
        let body =
            #"{"email": "pia@example.org", "password": "\#(password)", "password_confirmation": "\#(password)", "privacy_accepted": true}"#
        #expect(try await portal.call("POST", "/auth/register", body).status == 201)
        let outbox = portal.data + "/outbox"
        let mail = try #require(try FileManager.default.contentsOfDirectory(atPath: outbox).first)
        #expect(!mail.contains("pia"))
        let text = try String(contentsOfFile: outbox + "/" + mail, encoding: .utf8)
        let link = try #require(
            text.firstMatch(of: /verify-email\?token=([A-Za-z0-9_-]+)/).map { String($0.1) })
        #expect(try await portal.call("POST", "/auth/email/verify", #"{"token": "\#(link)"}"#).status == 200)
        return try await login("pia@example.org")
    }

    @Test func `pair a patient, collect a questionnaire, see it on the timeline, and still after kill -9`()
        async throws
    {
        try start()
        let ada = try await login("ada@example.org")
        let patient = try await portal.call("POST", "/patients", #"{"note": "Dienstag"}"#, token: ada)
        #expect(patient.status == 201)
        let code = (patient.attributes["pairing_code"] as? [String: Any])?["code"] as? String ?? ""
        let pia = try await registerPia()
        let pairing = #"{"code": "\#(code)", "birth_date": "1990-05-17", "gender": "female"}"#
        #expect(try await portal.call("POST", "/my/pairing", pairing, token: pia).status == 201)
        let assign =
            #"{"questionnaire_key": "\#(Self.instrument.key)", "due_at": "2020-01-01T00:00:00Z"}"#
        #expect(
            try await portal.call("POST", "/patients/\(patient.id)/assignments", assign, token: ada).status
                == 422)
        let now = #"{"questionnaire_key": "\#(Self.instrument.key)"}"#
        #expect(
            try await portal.call("POST", "/patients/\(patient.id)/assignments", now, token: ada).status
                == 201)
        let assignments = try await portal.call("GET", "/my/assignments", token: pia)
        let assignment = assignments.list.first?["id"] as? String ?? ""
        let time = ISO8601DateFormatter().string(from: Foundation.Date().addingTimeInterval(2))
        let sheet = try await submit(assignment, at: time, token: pia)
        #expect(sheet.status == 201, "\(sheet.text)")
        #expect(sheet.attributes["scores"] as? [String: Double] == Self.instrument.expected)
        try await see(sheet.id, of: patient.id, token: ada)
        let backup = portal.data + "/copy.sqlite"
        #expect(try portal.run(["backup", backup]).status == 0)
        #expect(try portal.run(["verify", backup]).output == "sound\n")
        portal.kill()
        try portal.serve()
        try await see(sheet.id, of: patient.id, token: ada)
        #expect(try await submit(assignment, at: time, token: pia).status == 200)
        #expect(portal.stop() == 0)
        #expect(try portal.run(["verify"]).output == "sound\n")
    }

    private func submit(_ assignment: String, at time: String, token: String) async throws
        -> RunningPortal.Answer
    {
        let values = [3, 2, 4, 1, 3, 2, 4, 1]
        let answers = zip(Self.instrument.answers, values).map { "\"\($0)\": \($1)" }.joined(separator: ", ")
        let body =
            #"{"assignment_id": "\#(assignment)", "started_at": "\#(time)", "completed_at": "\#(time)", "timezone": "Europe/Vienna", "answers": {\#(answers)}}"#
        return try await portal.call(
            "PUT", "/my/contributions/6f9619ff-8b86-4d01-b42d-00cf4fc964ff", body, token: token)
    }

    private func see(_ sheet: String, of patient: String, token: String) async throws {
        let timeline = try await portal.call(
            "GET", "/patients/\(patient)/timeline?kind=contribution", token: token)
        let entry = timeline.list.first?["attributes"] as? [String: Any]
        #expect(entry?["subject_id"] as? String == sheet)
        #expect(entry?["scores"] as? [String: Double] == Self.instrument.expected)
    }
}

/// The program as operators and scripts see it.
@Suite(.serialized) struct ProgramTests {
    let portal: RunningPortal

    init() throws { portal = try .onAskedEngine() }

    @Test func `the command line refuses what it does not know, with status 2`() throws {
        for words in [
            ["nonsense"], ["serve", "--colour", "red"], ["backup"],
            ["account", "create", "--email", "a@example.org"],
        ] {
            let outcome = try portal.run(words)
            #expect(
                outcome.status == 2 && outcome.output.isEmpty && outcome.error.contains("intersession"),
                "\(words)")
        }
    }

    @Test func `an account with a weak password or a wrong role is not made`() throws {
        let create = ["account", "create", "--email", "ada@example.org", "--name", "Ada"]
        #expect(
            try portal.run(create + ["--role", "therapist"], input: "short\n").error.contains("password: "))
        #expect(
            try portal.run(create + ["--role", "doctor"], input: "vier Wörter ohne Sinn\n").error.contains(
                "role: "))
        #expect(
            try portal.run(create + ["--role", "therapist"], input: "vier Wörter ohne Sinn\n").status == 0)
        #expect(
            try portal.run(create + ["--role", "therapist"], input: "vier Wörter ohne Sinn\n").error.contains(
                "email: "))
    }

    @Test func `a questionnaire file with an error names the place and imports nothing`() throws {
        let folder = portal.data + "-files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let good = RunningPortal.root + "/templates/instruments/wellbeing-5.json"
        let bad = try String(contentsOfFile: good, encoding: .utf8).replacingOccurrences(
            of: "\"slept\", \"type\": \"single\"", with: "\"slept\", \"type\": \"dream\"")
        try bad.write(toFile: folder + "/bad.json", atomically: true, encoding: .utf8)
        let outcome = try portal.run(["questionnaire", "import", good, folder + "/bad.json"])
        #expect(outcome.status == 1 && outcome.error.contains("bad.json: sections[0].questions[3].type: "))
        #expect(try portal.run(["questionnaire", "import", good]).output == "wellbeing-5, version 1\n")
    }

    @Test func `while a server runs nobody else may write, and copies still can be made`() throws {
        #expect(try portal.run(["seed"]).output.contains("ada@example.org"))
        try portal.serve()
        #expect(try portal.run(["seed"]).error.contains("another intersession is running"))
        // PR-23: where there is another way, it is said.
        let file = RunningPortal.root + "/templates/instruments/wellbeing-5.json"
        let refused = try portal.run(["questionnaire", "import", file])
        #expect(refused.status == 1 && refused.error.contains("in the portal, at /questionnaires/import"))
        #expect(try portal.run(["backup", portal.data + "/copy.sqlite"]).status == 0)
        #expect(portal.stop() == 0)
        #expect(try portal.run(["seed"]).status == 0)
    }

    @Test func `the gallery draws every page in both languages, light and dark`() throws {
        let folder = portal.data + "-gallery"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = try portal.run(["gallery", folder], withData: false)
        #expect(process.status == 0, "\(process.error)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count { $0.hasSuffix(".de.dark.html") } >= 50 && names.contains("index.html"))
        let pages = try names.filter { $0.hasPrefix("timeline-show") }.map {
            try String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
        }
        #expect(pages.count { $0.contains("chart--mood") } >= 4)
        #expect(pages.count { $0.contains("data-theme=\"dark\"") } * 2 == pages.count)
        #expect(try String(contentsOfFile: folder + "/app.css", encoding: .utf8).contains("@layer reset"))
        #expect(try portal.run(["gallery"], withData: false).status == 2)
    }

    @Test func `what staff opened without a second factor ends when the program asks for one`() async throws {
        let create = [
            "account", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "therapist",
        ]
        let password = "vier Wörter ohne Sinn"
        #expect(try portal.run(create, input: password + "\n").status == 0)
        try portal.serve()
        let login = try await portal.call(
            "POST", "/auth/login", #"{"email": "ada@example.org", "password": "\#(password)"}"#)
        let token = try #require(login.attributes["token"] as? String)
        // Another start under the same rule ends nothing.
        for (rule, status) in [("optional", 200), ("optional", 200), ("required", 401), ("optional", 401)] {
            #expect(portal.stop() == 0)
            try portal.serve(["--second-factor", rule])
            #expect(try await portal.call("GET", "/patients", token: token).status == status, "\(rule)")
        }
    }

    @Test func `a folder with real accounts is not seeded`() throws {
        let create = [
            "account", "create", "--email", "ada@example.org", "--name", "Ada", "--role", "therapist",
        ]
        #expect(try portal.run(create, input: "vier Wörter ohne Sinn\n").status == 0)
        #expect(try portal.run(["seed"]).error.contains("real accounts"))
    }

    @Test func `an address that others reach needs a word on where mail goes`() throws {
        #expect(try portal.run(["serve", "--port", "0", "--address", "0.0.0.0"]).error.contains("--outbox"))
        #expect(
            try portal.run(["serve", "--port", "0", "--public-url", "https://portal.example.org"]).error
                .contains("--outbox"))
    }

    @Test func `G3 a log that cannot be written any more does not end the server`() async throws {
        try portal.serve(log: "/dev/full")
        for _ in 0..<3 { #expect(try await portal.call("GET", "/health").status == 200) }
        #expect(portal.stop() == 0)
    }

    @Test func `A1 over TLS only 1.2 and 1.3 are spoken`() throws {
        let key = portal.data + "-key.pem"
        let certificate = portal.data + "-cert.pem"
        defer { for file in [key, certificate] { try? FileManager.default.removeItem(atPath: file) } }
        try RunningPortal.shell(
            "openssl req -x509 -newkey rsa:2048 -nodes -keyout \(key) -out \(certificate) -days 2 -subj /CN=127.0.0.1 2>/dev/null"
        )
        try portal.serve(["--tls-certificate", certificate, "--tls-key", key])
        let port = portal.address.split(separator: ":").last ?? ""
        #expect(portal.address.hasPrefix("https://"))
        for (version, isSpoken) in [("tls1", false), ("tls1_1", false), ("tls1_2", true), ("tls1_3", true)] {
            let answer = try RunningPortal.shell(
                "echo | openssl s_client -connect 127.0.0.1:\(port) -\(version) -cipher ALL:@SECLEVEL=0 2>&1 | grep -c 'Cipher is [^(]' || true"
            )
            #expect((answer == "1\n") == isSpoken, "\(version)")
        }
        let page = try RunningPortal.shell("curl -sk -D - https://127.0.0.1:\(port)/login")
        #expect(
            page.contains("Set-Cookie: __Host-sid=") && page.contains("; Secure")
                && page.contains("Strict-Transport-Security"))
    }
}
