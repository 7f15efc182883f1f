import Foundation
import Testing

/// Between the sessions, over a real socket on the seeded clinic: a rule from its dry run to the phone and back.
@Suite(.serialized) struct PracticeTests {
    let portal: RunningPortal
    let password = "zwischen den Sitzungen"

    init() throws { portal = try .onAskedEngine() }

    func login(_ email: String) async throws -> String {
        let body = #"{"email": "\#(email)", "password": "\#(password)"}"#
        let answer = try await portal.call("POST", "/auth/login", body)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.attributes["token"] as? String ?? ""
    }

    func attributes(_ item: [String: Any]?) -> [String: Any] { item?["attributes"] as? [String: Any] ?? [:] }

    /// Ada asks for the short question by hand, Pia answers it at once: the same at any time of day.
    func answer(_ mood: Int, patient: String, _ ada: String, _ pia: String) async throws {
        let assign = #"{"questionnaire_key": "intersession-daily"}"#
        let made = try await portal.call("POST", "/patients/\(patient)/assignments", assign, token: ada)
        #expect(made.status == 201, "\(made.text)")
        let now = made.attributes["available_from"] as? String ?? ""
        let body = """
            {"assignment_id": "\(made.id)", "started_at": "\(now)", "completed_at": "\(now)",
             "timezone": "Europe/Vienna", "answers": {"thought": 1, "feeling": \(mood)}}
            """
        let id = UUID().uuidString
        #expect(try await portal.call("PUT", "/my/contributions/\(id)", body, token: pia).status == 201)
    }

    @Test func `IO-12 a rule from its dry run over the seeded clinic to the phone and the timeline`()
        async throws
    {
        #expect(try portal.run(["seed", "--timezone", "Europe/Vienna"]).status == 0)
        try portal.serve(["--requests-per-minute", "0"])
        let ada = try await login("ada@example.org")
        let pia = try await login("pia@example.org")
        let rules = try await portal.call("GET", "/rules", token: ada).list
        let rule = try #require(rules.first { attributes($0)["name"] as? String == "Zweimal gedrückt" })
        let path = "/rules/\(rule["id"] as? String ?? "")"
        #expect(attributes(rule)["enabled"] as? Bool == false)
        let run = try await portal.call("GET", path + "/dry-run", token: ada)
        #expect(run.status == 200 && !run.list.isEmpty)
        #expect(run.list.allSatisfy { (attributes($0)["reason"] as? String)?.contains("letzten 3") == true })
        #expect(try await portal.call("GET", path + "/firings", token: ada).list.isEmpty)

        #expect(try await portal.change("PATCH", path, #"{"enabled": true}"#, token: ada).status == 200)
        let before = try await portal.call("GET", "/my/interventions", token: pia)
        let all = try await portal.call("GET", "/patients?limit=200", token: ada).list
        let patient = try #require(
            all.first { attributes($0)["codename"] as? String == "C020480" }?["id"] as? String)
        for mood in [1, 2] { try await answer(mood, patient: patient, ada, pia) }

        let tag = before.headers["Etag"] as? String ?? before.headers["ETag"] as? String ?? ""
        let headers = ["Authorization": "Bearer \(pia)", "If-None-Match": tag, "Accept-Language": "de"]
        let synchronised = try await portal.send("GET", "/api/v1/my/interventions", headers)
        #expect(synchronised.status == 200 && synchronised.list.count == before.list.count + 1)
        let given = try #require(synchronised.list.first)
        #expect(attributes(given)["kind"] as? String == "task")
        let at = attributes(given)["assigned_at"] as? String ?? ""
        let phone = "/my/interventions/\(given["id"] as? String ?? "")"
        for field in ["opened_at", "completed_at"] {
            let report = try await portal.call("PATCH", phone, #"{"\#(field)": "\#(at)"}"#, token: pia)
            #expect(report.status == 200, "\(report.text)")
        }
        let timeline = try await portal.call("GET", "/patients/\(patient)/timeline?limit=20", token: ada).list
        let entry = timeline.first { attributes($0)["kind"] as? String == "intervention" }
        let summary = attributes(entry)["summary"] as? String ?? ""
        #expect(
            summary.contains("abgeschlossen") && summary.contains("Reaktion „Zweimal gedrückt“"), "\(summary)"
        )
        #expect(timeline.contains { attributes($0)["kind"] as? String == "note" })
        #expect(try await portal.call("GET", path + "/firings", token: ada).list.count == 1)
    }

    @Test func `IO-13 E1 what is written in an intervention is found in no file, no log, no mail`()
        async throws
    {
        #expect(try portal.run(["seed"]).status == 0)
        let log = portal.data + "/../" + UUID().uuidString + ".log"
        #expect(FileManager.default.createFile(atPath: log, contents: nil))
        defer { try? FileManager.default.removeItem(atPath: log) }
        try portal.serve(["--requests-per-minute", "0"], log: log)
        let pia = try await login("pia@example.org")
        let list = try await portal.call("GET", "/my/interventions", token: pia).list
        let id = try #require(list.first?["id"] as? String)
        let canary = "xq7Zz-Kanarienvogel"
        for name in ["answer", "text", "done", "comment", canary] {
            for body in [
                #"{"\#(name)": "\#(canary)"}"#, #"{"\#(name)": {"a": ["\#(canary)"]}}"#, "{\(canary)",
            ] {
                for path in ["/\(id)", "/\(id)?answer=\(canary)", "/\(id)/\(canary)", ""] {
                    let headers = [
                        "Authorization": "Bearer \(pia)", "Content-Type": "application/json",
                        "X-Answer": canary,
                        "User-Agent": canary, "Referer": canary, "Cookie": "answer=\(canary)",
                    ]
                    let answer = try await portal.send(
                        "PATCH", "/api/v1/my/interventions\(path)", headers, body: body)
                    #expect((400..<500).contains(answer.status))
                    #expect(!answer.text.contains(canary))
                }
            }
        }
        #expect(portal.stop() == 0)
        var looked = 0
        for file in try FileManager.default.subpathsOfDirectory(atPath: portal.data) {
            guard let data = FileManager.default.contents(atPath: portal.data + "/" + file) else { continue }
            #expect(data.range(of: Data(canary.utf8)) == nil, "\(file)")
            looked += 1
        }
        #expect(looked >= 2)
        let logged = try String(contentsOfFile: log, encoding: .utf8)
        #expect(logged.contains("/api/v1/my/interventions/:intervention") && !logged.contains(canary))
    }
}
