import Foundation
import Testing

/// A private study over a real socket: four questionnaires, three people, one leaves, one withdraws their consent, and
/// results, compliance and files are right to the number.
@Suite(.serialized) struct StudyTests {
    let portal: RunningPortal
    let clock = FileManager.default.temporaryDirectory.appendingPathComponent("clock-\(UUID().uuidString)")
    let begin = Date()

    init() throws { portal = try .onAskedEngine() }

    static let shared = RunningPortal.root + "/../shared/instruments"
    static let isShared = FileManager.default.fileExists(atPath: shared + "/tys-baseline.json")
    static let keys =
        isShared
        ? ["tys-baseline", "tys-daily", "tys-weekly", "tys-monthly"]
        : ["wellbeing-5", "tinnitus-moment", "between-sessions", "intersession-daily"]

    func set(day: Int) throws -> String {
        let now = begin.addingTimeInterval(Double(day) * 86_400)
        try "\(Int64(now.timeIntervalSince1970 * 1000))".write(to: clock, atomically: false, encoding: .utf8)
        return ISO8601DateFormatter().string(from: now)
    }

    func login(_ email: String) async throws -> String {
        let body = #"{"email": "\#(email)", "password": "zwischen den Sitzungen"}"#
        let answer = try await portal.call("POST", "/auth/login", body)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.attributes["token"] as? String ?? ""
    }

    func attributes(_ item: [String: Any]) -> [String: Any] { item["attributes"] as? [String: Any] ?? [:] }

    /// Something possible to every question.
    func answers(_ questionnaire: [String: Any]) -> [String: Any] {
        var answers: [String: Any] = [:]
        for section in questionnaire["sections"] as? [[String: Any]] ?? [] {
            for question in section["questions"] as? [[String: Any]] ?? [] {
                guard let key = question["key"] as? String else { continue }
                let own = question["options"] as? [[String: Any]] ?? []
                let options = own.isEmpty ? section["options"] as? [[String: Any]] ?? [] : own
                switch question["type"] as? String {
                case "single": answers[key] = options.first?["value"]
                case "multiple": answers[key] = options.prefix(1).compactMap { $0["value"] }
                case "slider", "sam": answers[key] = question["minimum"] as? Double ?? 1
                case "yes_no": answers[key] = 1
                case "number": answers[key] = question["minimum"] as? Double ?? 1
                case "date": answers[key] = "2026-01-01"
                default: answers[key] = "Text"
                }
            }
        }
        return answers
    }

    /// Answers what is hidden by other answers not at all, as the portal says.
    func send(_ key: String, _ study: String, at now: String, _ token: String) async throws {
        let items = try await portal.call("GET", "/my/questionnaires", token: token).list.map(attributes)
        let item = try #require(
            items.first { $0["study_id"] as? String == study && $0["key"] as? String == key })
        let version = item["questionnaire_id"] as? String ?? ""
        let asked = try await portal.call("GET", "/questionnaires/\(version)", token: token)
        var answers = answers(asked.attributes)
        for attempt in 0..<2 {
            let sheet: [String: Any] = [
                "study_id": study, "questionnaire_id": version, "started_at": now, "completed_at": now,
                "timezone": "Europe/Vienna", "answers": answers,
            ]
            let body = String(decoding: try JSONSerialization.data(withJSONObject: sheet), as: UTF8.self)
            let id = UUID().uuidString.lowercased()
            let sent = try await portal.call("PUT", "/my/contributions/\(id)", body, token: token)
            if sent.status == 201 { return }
            #expect(attempt == 0, "\(key): \(sent.text)")
            for field in (sent.json["errors"] as? [String: Any] ?? [:]).keys {
                answers[String(field.dropFirst("answers.".count))] = nil
            }
        }
    }

    @Test func `a private study, three people, one leaves, one withdraws, and every number is right`()
        async throws
    {
        defer { try? FileManager.default.removeItem(at: clock) }
        _ = try set(day: 0)
        #expect(
            try portal.run(["seed", "--timezone", "Europe/Vienna", "--participants", "3", "--days", "1"])
                .status == 0)
        if Self.isShared {
            let files = Self.keys.map { "\(Self.shared)/\($0).json" }
            #expect(try portal.run(["questionnaire", "import"] + files).status == 0)
        }
        try portal.serve(["--requests-per-minute", "0", "--clock", clock.path])
        let lena = try await login("lena@example.org")
        let made = try await portal.call(
            "POST", "/studies",
            """
            {"name": "privat", "title": {"de": "Eine private Studie"}, "is_private": true, "access": "password",
             "password": "nur für uns", "consent_text": {"de": "Ich nehme teil."}, "running": true}
            """, token: lena)
        #expect(made.status == 201, "\(made.text)")
        let study = made.id
        let plan = { (unit: String) in
            #", "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "\#(unit)", "start_day": 0}]"#
        }
        let more = [
            #", "is_onetime": true, "baseline": "required""#, plan("day"), plan("week"), plan("month"),
        ]
        for (key, more) in zip(Self.keys, more) {
            let body = #"{"questionnaire_key": "\#(key)"\#(more)}"#
            let added = try await portal.call("POST", "/studies/\(study)/questionnaires", body, token: lena)
            #expect(added.status == 201, "\(added.text)")
        }
        var now = try set(day: 0)
        var people: [String] = []
        for number in 0..<3 { people.append(try await login("person-\(number)@example.org")) }
        let wrong = #"{"consent_accepted": true, "password": "geraten"}"#
        #expect(
            try await portal.call("POST", "/studies/\(study)/enrolment", wrong, token: people[0]).status
                == 403)
        for person in people {
            let body = #"{"consent_accepted": true, "password": "nur für uns"}"#
            let path = "/studies/\(study)/enrolment"
            #expect(try await portal.call("POST", path, body, token: person).status == 201)
            #expect(try await portal.call("POST", path, body, token: person).status == 409)
            try await send(Self.keys[0], study, at: now, person)
        }
        for day in 0..<5 {
            now = try set(day: day)
            // Tokens live on by being used.
            for person in people.prefix(day < 3 ? 3 : 2) {
                try await send(Self.keys[1], study, at: now, person)
            }
            if day == 0 { try await send(Self.keys[2], study, at: now, people[2]) }
            if day == 2 {
                let left = try await portal.call("DELETE", "/studies/\(study)/enrolment", token: people[2])
                #expect(left.status == 204)
            }
        }
        _ = try set(day: 6)
        let lead = try await login("lena@example.org")
        try await check(study, lead, people: 3, daily: [5, 5, 3], withheld: 0)
        let no = #"{"research_consent": false}"#
        #expect(try await portal.call("PUT", "/my/privacy", no, token: people[1]).status == 200)
        try await check(study, lead, people: 2, daily: [5, 3], withheld: 1)
        #expect(portal.stop() == 0)
    }

    /// Participants, compliance and both files.
    func check(_ study: String, _ lead: String, people: Int, daily: [Int], withheld: Int) async throws {
        let rows = try await portal.call("GET", "/studies/\(study)/participants", token: lead).list.map(
            attributes)
        #expect(rows.count == people)
        let export = try await portal.call("GET", "/studies/\(study)/export?format=json", token: lead)
        let manifest = export.json["manifest"] as? [String: Any] ?? [:]
        #expect(manifest["participants"] as? Int == people && manifest["withheld"] as? Int == withheld)
        let occasions = export.json["occasions"] as? [[String: Any]] ?? []
        let answered = occasions.filter { $0["completed_at"] as? String != nil }
        let byDaily = Dictionary(grouping: answered.filter { $0["questionnaire"] as? String == Self.keys[1] })
        {
            $0["participant"] as? String ?? ""
        }
        #expect(byDaily.values.map(\.count).sorted(by: >) == daily)
        #expect(answered.count { $0["questionnaire"] as? String == Self.keys[0] } == people)
        #expect(manifest["sheets"] as? Int == answered.count)
        #expect(manifest["missed_prompts"] as? Int == occasions.count - answered.count)
        for row in rows {
            let own = occasions.filter {
                $0["participant"] as? String == row["codename"] as? String
                    && $0["prompted_at"] as? String != nil
            }
            #expect(row["prompted"] as? Int == own.count)
            #expect(row["answered"] as? Int == own.count { $0["completed_at"] as? String != nil })
        }
        let csv = try await portal.call("GET", "/studies/\(study)/export?format=csv", token: lead).text
        let questions = answered.reduce(0) { $0 + (($1["answers"] as? [String: Any])?.count ?? 0) }
        #expect(csv.components(separatedBy: ",answer,").count - 1 == questions)
        let zip = try await portal.call("GET", "/studies/\(study)/export?format=zip", token: lead)
        #expect(zip.status == 200 && zip.body.prefix(2) == Data("PK".utf8))
    }
}
