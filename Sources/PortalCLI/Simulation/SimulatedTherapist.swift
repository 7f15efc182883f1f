import Demonstration
import Foundation
import PortalClient
import Records

/// The therapist of all patients, over the staff's part of the API.
actor SimulatedTherapist {
    static let email = "ada@example.org"
    static let password = "zwischen den Sitzungen"

    private let address: String
    let network: any Transport
    private var token = ""
    private var signingIn: Task<String, any Error>?
    private let dice: SeededRandom

    init(_ address: String, _ network: any Transport, seed: UInt64) {
        self.address = address
        self.network = network
        dice = SeededRandom(seed)
    }

    /// A call that is tried again while the server comes back.
    private func call(
        _ method: String, _ path: String, _ body: [String: String]? = nil
    ) async throws -> [String: Any] {
        try await call(method, path, sending: try body.map { try JSONEncoder().encode($0) })
    }

    private func call(
        _ method: String, _ path: String, sending data: Data?
    ) async throws -> [String: Any] {
        guard let url = URL(string: address + "/api/v1" + path) else { throw CocoaError(.fileReadUnknown) }
        for attempt in 0..<40 {
            var headers = ["Accept-Language": "de", "Authorization": "Bearer " + token]
            if data != nil { headers["Content-Type"] = "application/json" }
            let ask = Ask(method: method, url: url, headers: headers, body: data)
            // 502 and 504 are a proxy's words for the same.
            guard let reply = try? await network.send(ask), ![502, 503, 504].contains(reply.status) else {
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            if reply.status == 401 && attempt < 3 && path != "/auth/login" {
                try await signIn(instead: headers["Authorization"] ?? "")
                continue
            }
            // An action whose answer was lost counts as done.
            guard (200...299).contains(reply.status) || [404, 409, 410].contains(reply.status) else {
                throw StartError(
                    "\(method) \(path): \(reply.status) \(String(decoding: reply.body, as: UTF8.self))")
            }
            return (try? JSONSerialization.jsonObject(with: reply.body)) as? [String: Any] ?? [:]
        }
        throw StartError("\(method) \(path): the server does not come back")
    }

    func signIn() async throws { try await signIn(instead: "Bearer ") }

    /// Once, for any number of calls with the expired token.
    private func signIn(instead old: String) async throws {
        guard old == "Bearer " + token else { return }
        if signingIn == nil {
            signingIn = Task {
                let body = ["email": Self.email, "password": Self.password]
                return Self.attributes(try await call("POST", "/auth/login", body))["token"] as? String ?? ""
            }
        }
        let fresh = try await signingIn?.value ?? ""
        if signingIn != nil {
            token = fresh
            signingIn = nil
        }
    }

    private static func attributes(_ answer: [String: Any]) -> [String: Any] {
        (answer["data"] as? [String: Any])?["attributes"] as? [String: Any] ?? [:]
    }

    /// A new patient with a code, and the short form before every session.
    func admit() async throws -> (therapy: String, code: String) {
        let answer = try await call("POST", "/patients", [:])
        let id = (answer["data"] as? [String: Any])?["id"] as? String ?? ""
        let code = (Self.attributes(answer)["pairing_code"] as? [String: Any])?["code"] as? String
        _ = try await call(
            "POST", "/patients/\(id)/delivery-rules",
            ["occasion": "before_session", "questionnaire_key": "between-sessions"])
        return (id, code ?? "")
    }

    /// A study of what happens between sessions: a button for a moment, and one for what lasts (ST-2).
    func beginStudy() async throws {
        let study = """
            {"name": "alltag", "title": {"de": "Im Alltag"}, "consent_text": {"de": "Ja."}, "running": true}
            """
        let answer = try await call("POST", "/studies", sending: Data(study.utf8))
        let id = (answer["data"] as? [String: Any])?["id"] as? String ?? ""
        for (key, event) in [("wellbeing-5", "moment"), ("between-sessions", "span")] {
            _ = try await call(
                "POST", "/studies/\(id)/questionnaires", ["questionnaire_key": key, "event": event])
        }
    }

    private static let texts = [
        "Achten Sie heute auf einen leichteren Moment.", "Was ging Ihnen nach der Sitzung durch den Kopf?",
        "Sie sind drangeblieben.",
    ]

    /// The therapist's actions for a patient on a day.
    func attend(_ therapy: String, day: Int) async throws {
        let path = "/patients/\(therapy)"
        if day % 28 == 2 {
            _ = try await call("POST", path + "/assignments", ["questionnaire_key": "wellbeing-5"])
        }
        if dice.share() < 0.2 {
            let kind = ["task", "question", "commendation"][dice.number(0...2)]
            let text = Self.texts[dice.number(0...2)]
            _ = try await call("POST", path + "/interventions", ["kind": kind, "text": text])
        }
        if dice.share() < 0.1 { try await reconsider(path) }
        if dice.share() < 0.02 { try await takeBack(path) }
    }

    /// Changes the text of an unopened one, or withdraws it.
    private func reconsider(_ path: String) async throws {
        for item in try await list(path + "/interventions") where item.attributes["state"] as? String == "new"
        {
            if dice.share() < 0.5 {
                _ = try await call("DELETE", path + "/interventions/" + item.id)
            } else {
                let text = "Anders gesagt: " + Self.texts[dice.number(0...2)]
                _ = try await call("PATCH", path + "/interventions/" + item.id, ["text": text])
            }
        }
    }

    private func takeBack(_ path: String) async throws {
        for item in try await list(path + "/assignments")
        where item.attributes["source"] as? String == "therapist" {
            _ = try await call("DELETE", path + "/assignments/" + item.id)
        }
    }

    private func list(_ path: String) async throws -> [(id: String, attributes: [String: Any])] {
        let answer = try await call("GET", path + "?limit=50")
        return (answer["data"] as? [[String: Any]] ?? []).map { item in
            (item["id"] as? String ?? "", item["attributes"] as? [String: Any] ?? [:])
        }
    }
}
