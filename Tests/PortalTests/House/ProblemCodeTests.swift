import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// Errors have a code beside the sentence.
@Suite struct ProblemCodeTests {
    /// Where a problem gets its sentence from a variable: the sentences that it can hold there.
    static let variables: [String: [String]] = [
        ".conflict(Message(contradiction.key))": ["answers.changed", "answers.already_answered"],
        ".conflict(Message(clock.key))": ["studies.before_enrolment"],
        "Problem.conflict(message, FieldErrors(\"confirmation\", message))": ["staff.therapies_first"],
        ".conflict(message, FieldErrors(\"email\", message))": ["staff.not_invited"],
        "Problem.conflict(obstacle)": [
            "quarantine.unreadable", "quarantine.no_version", "quarantine.not_begun",
            "quarantine.other_questions", "studies.left", "studies.on_paper", "studies.was_not_running",
            "answers.inactive", "studies.before_enrolment",
        ],
        "Problem.conflict(obstacle.message)": [
            "studies.allocation_closed", "studies.complete", "studies.in_other_group",
        ],
        "Problem.conflict(Message(key))": ["ending.ended_already", "ending.not_paired"],
        ".gone(Message(message))": ["registration.link_dead", "password.link_dead"],
    ]

    private func sources() throws -> [(name: String, code: String)] {
        let root = Cast.root + "/Sources/"
        let names = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
            $0.hasSuffix(".swift")
        }
        return try names.map { name in
            let text = try String(contentsOfFile: root + name, encoding: .utf8)
            let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }
            return (name, lines.joined(separator: "\n"))
        }
    }

    /// The sentences that problems carry, from the source itself.
    private func carried() throws -> Set<String> {
        var carried: Set<String> = []
        for (name, code) in try sources() {
            let literals = code.matches(
                of:
                    /\.(?:conflict|gone|forbidden|malformed|secondFactor)\(\s*Message\(\s*"([a-z]+\.[a-z_0-9]+)"/
            )
            carried.formUnion(literals.map { String($0.1) })
            if name == "Problem.swift" {
                carried.formUnion(code.matches(of: /"(problems\.[a-z_]+)"/).map { String($0.1) })
            }
            let thrown = code.matches(
                of: /(?:Problem)?\.(?:conflict|gone|forbidden|malformed|secondFactor)\([^\n]*/)
            for call in thrown where !call.output.contains(/\(\s*Message\(\s*"|\(\s*$|\((?:_, )?let[ ]/) {
                let known = Self.variables.first { call.output.contains($0.key) }
                #expect(known != nil, "\(name): \(call.output) carries a sentence that nobody can look up")
                carried.formUnion(known?.value ?? [])
            }
        }
        return carried.union(["problems.defect"])
    }

    @Test func `every sentence of a problem has one code, and every code a sentence`() throws {
        let texts = try Texts(.german, folder: Cast.root + "/templates/texts")
        let carried = try carried()
        #expect(carried.count > 70)
        #expect(carried.filter { ProblemCode.of($0) == nil } == [])
        #expect(Set(ProblemCode.sentences).subtracting(texts.keys) == [])
        #expect(ProblemCode.sentences.count == Set(ProblemCode.sentences).count)
        // Two lines with one code would share it by accident.
        #expect(ProblemCode.all.count == Set(ProblemCode.all).count)
        #expect(ProblemCode.all.allSatisfy { $0.wholeMatch(of: /[a-z_]+/) != nil })
        // What no problem carries is said of a field.
        let code = try sources().filter { $0.name != "ProblemCode.swift" }.map(\.code).joined()
        let loose = Set(ProblemCode.sentences).subtracting(carried).filter { !code.contains("\"\($0)\"") }
        #expect(loose == [])
    }

    @Test func `the OpenAPI document lists the codes, and every error refers to them`() throws {
        let document = try JSON.parse(OpenAPI.document)
        let failure = document["components"]?["schemas"]?["Failure"]
        #expect(failure?["properties"]?["code"]?["enum"]?.array?.compactMap(\.string) == ProblemCode.all)
        #expect(failure?["required"]?.array?.compactMap(\.string) == ["message", "errors", "code"])
        for route in Routes.all.list where route.surface == .api {
            let operation = document["paths"]?[OpenAPI.path(of: route)]?[route.method.rawValue.lowercased()]
            guard case .object(let answers)? = operation?["responses"] else {
                Issue.record("\(route.pattern)")
                continue
            }
            let errors = answers.filter { $0.key == "default" || $0.key.hasPrefix("4") }
            #expect(errors.count > 1, "\(route.pattern)")
            for error in errors {
                #expect(error.value["$ref"]?.string == "#/components/responses/Failure", "\(route.pattern)")
            }
        }
    }

    @Test(arguments: ["de", "en", "fr"])
    func `codes are the same in every language`(language: String) throws {
        let portal = try TestPortal()
        func code(
            _ method: HTTP.Method, _ path: String, _ json: String? = nil, as person: Person = .nobody
        ) -> String? {
            let answer = portal.call(method, path, json, as: person, ["Accept-Language": language])
            #expect(answer.status >= 400)
            return answer.json["code"]?.string
        }
        #expect(code(.get, "/nonsense") == "not_found")
        #expect(code(.delete, "/auth/login") == "method_not_allowed")
        #expect(code(.get, "/my/profile") == "sign_in_required")
        #expect(code(.get, "/my/profile", as: .tess) == "not_verified")
        #expect(code(.get, "/my/appointments", as: .nora) == "not_paired")
        #expect(code(.get, "/patients", as: .pia) == "forbidden")
        #expect(code(.post, "/auth/login", "{") == "no_json")
        #expect(code(.post, "/auth/login", "[]") == "no_object")
        #expect(code(.post, "/auth/login", #"{"email": "a", "email": "a"}"#) == "duplicate_key")
        #expect(code(.post, "/auth/login", "{}") == "invalid")
        let wrong = #"{"email": "pia@example.org", "password": "wrong horse battery"}"#
        #expect(code(.post, "/auth/login", wrong) == "wrong_credentials")
        #expect(code(.post, "/studies/\(portal.cast.study)/enrolment", "{}", as: .nora) == "consent_required")
    }

    @Test func `a field's sentence tells its code where nothing else is wrong`() throws {
        let portal = try TestPortal()
        let sheet = { (completed: String, extra: String) in
            """
            {"assignment_id": "\(portal.cast.assignment)", "started_at": "2026-11-20T08:00:00Z",
             "completed_at": "\(completed)", "timezone": "Europe/Vienna", "answers": {}\(extra)}
            """
        }
        let early = portal.call(
            .put, "/my/contributions/6a1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            sheet("2026-11-20T08:30:00Z", #", "nonsense": 1"#), as: .pia)
        #expect(early.status == 422 && early.json["code"]?.string == "invalid")
        let taken = portal.call(
            .post, "/auth/register",
            #"""
            {"email": "pia@example.org", "password": "correct horse battery staple", "privacy_accepted": true,
             "password_confirmation": "correct horse battery staple"}
            """#)
        #expect(taken.status == 422 && taken.json["code"]?.string == "email_taken", "\(taken.text)")
        #expect(
            ProblemCode.of(.invalid(FieldErrors("completed_at", "answers.too_late"))) == "too_late")
        var both = FieldErrors("completed_at", "answers.too_late")
        both.add("timezone", "errors.timezone")
        #expect(ProblemCode.of(.invalid(both)) == "invalid")
    }

    @Test func `a defect, a refusal of the server and the unconfirmed have their codes too`() throws {
        let portal = try TestPortal()
        let head = RequestHead(method: .get, rawTarget: "/api/v1/%zz", target: nil, headers: [:])
        #expect(portal.pipeline.refuse(head, status: 400).json["code"]?.string == "malformed")
        #expect(portal.pipeline.refuse(head, status: 413).json["code"]?.string == "too_large")
        #expect(portal.pipeline.refuse(head, status: 405).json["code"]?.string == "method_not_allowed")
        let unconfirmed = portal.call(
            .post, "/auth/login", #"{"email": "tess@example.org", "password": "\#(Cast.password)"}"#)
        #expect(unconfirmed.status == 403 && unconfirmed.json["code"]?.string == "not_verified")
        let words = portal.call(
            .get, "/nonsense", nil, as: .pia, ["Accept": "application/problem+json"])
        #expect(words.json["code"]?.string == "not_found" && words.json["status"]?.number == 404)
        let pia = portal.cast.therapies[.pia] ?? ""
        let open = portal.cast.openTherapy
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            let note: [UInt8]? = try connection.value("SELECT note FROM therapies WHERE id = \(open)")
            try connection.run("UPDATE therapies SET note = \(note) WHERE id = \(pia)")
        }
        let defect = portal.call(.get, "/patients/\(pia)", as: .ada)
        #expect(defect.status == 500 && defect.json["code"]?.string == "defect")
        let hurried = try TestPortal { $0.requestsPerMinute = 1 }
        _ = hurried.call(.get, "/my/profile", as: .pia)
        #expect(hurried.call(.get, "/my/profile", as: .pia).json["code"]?.string == "too_many_requests")
    }
}
