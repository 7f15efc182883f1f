import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web
@testable import Wording

/// What every answer carries, whatever was asked.
@Suite struct AnswerTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func expectLogged(_ answer: Response, _ status: Int, _ place: SourceLocation = #_sourceLocation) {
        let id = answer.headers["X-Request-Id"] ?? ""
        #expect(answer.status == status, sourceLocation: place)
        #expect(answer.headers.fields.count { $0.name == "X-Request-Id" } == 1, sourceLocation: place)
        #expect(id.wholeMatch(of: /[0-9a-f]{8}/) != nil, sourceLocation: place)
        let line = portal.logged.last ?? ""
        #expect(line.contains("\"request\":\"\(id)\""), sourceLocation: place)
        #expect(line.contains("\"status\":\(status)"), sourceLocation: place)
    }

    @Test func `every answer carries the id that its line in the log has`() throws {
        expectLogged(portal.get("/patients", as: .ada), 200)
        expectLogged(portal.get("/nonsense", as: .ada), 404)
        expectLogged(portal.get("/patients", as: .nobody), 303)
        let profile = portal.call(.get, "/my/profile", as: .pia)
        expectLogged(profile, 200)
        let tag = try #require(profile.headers["ETag"])
        expectLogged(portal.call(.get, "/my/profile", as: .pia, ["If-None-Match": tag]), 304)
        expectLogged(portal.call(.get, "/my/profile"), 401)
        expectLogged(portal.call(.delete, "/auth/login"), 405)
        expectLogged(portal.call(.post, "/auth/logout", as: .pia), 204)
        let icon = portal.send(.get, "/assets/icons/mark.svg")
        expectLogged(icon, 200)
        let iconTag = try #require(icon.headers["ETag"])
        expectLogged(portal.send(.get, "/assets/icons/mark.svg", ["If-None-Match": iconTag]), 304)
        expectLogged(portal.send(.get, portal.services.assets.stylesheet), 200)
        for status in [400, 405, 413] {
            for target in ["/api/v1/%zz", "/%zz"] {
                let head = RequestHead(method: .get, rawTarget: target, target: nil, headers: [:])
                expectLogged(portal.pipeline.refuse(head, status: status), status)
            }
        }
        try portal.services.records.writeUnaudited(.madeUp) { [cast = portal.cast] connection in
            let pia = cast.therapies[.pia] ?? ""
            let open = cast.openTherapy
            let note: [UInt8]? = try connection.value("SELECT note FROM therapies WHERE id = \(open)")
            try connection.run("UPDATE therapies SET note = \(note) WHERE id = \(pia)")
        }
        let defect = portal.call(.get, "/patients/\(portal.cast.therapies[.pia] ?? "")", as: .ada)
        expectLogged(defect, 500)
        #expect(defect.text.contains(defect.headers["X-Request-Id"] ?? "-"))
    }

    @Test func `personal answers are kept by nobody, and tags go on working`() throws {
        for path in ["/my/profile", "/my/assignments", "/my/contributions", "/my/export", "/studies"] {
            let first = portal.call(.get, path, as: .pia)
            #expect(first.status == 200 && first.headers["Cache-Control"] == "no-store", "\(path)")
            guard path != "/my/export" else { continue }
            let tag = try #require(first.headers["ETag"])
            let again = portal.call(.get, path, as: .pia, ["If-None-Match": tag])
            #expect(again.status == 304 && again.headers["Cache-Control"] == "no-store", "\(path)")
            #expect(again.headers["ETag"] == tag)
        }
        let login = portal.call(
            .post, "/auth/login", #"{"email": "pia@example.org", "password": "\#(Cast.password)"}"#)
        #expect(login.status == 200 && login.headers["Cache-Control"] == "no-store")
        #expect(portal.call(.get, "/my/profile").headers["Cache-Control"] == "no-store")
        for path in ["/info", "/openapi.json", "/health"] {
            #expect(portal.call(.get, path).headers["Cache-Control"] == "private, no-cache", "\(path)")
        }
    }

    @Test func `a null character in a text has a sentence of its own, at its field`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        let sentence = portal.services.texts(.german)["errors.null_character"]
        func expectNamed(_ answer: Response, _ field: String) {
            #expect(answer.status == 422 && answer.wrongFields == [field], "\(answer.text)")
            #expect(answer.json["errors"]?[field]?.array?.first?.string == sentence)
        }
        expectNamed(portal.call(.patch, "/patients/\(pia)", #"{"note": "a\u0000b"}"#, as: .ada), "note")
        expectNamed(
            portal.call(
                .post, "/auth/login", #"{"email": "pia@example.org", "password": "correct\u0000"}"#),
            "password")
        expectNamed(
            portal.call(
                .put, "/my/drafts/\(portal.cast.assignment)", #"{"answers": {"q3": "\u0000"}}"#, as: .pia),
            "answers.q3")
        expectNamed(
            portal.call(
                .post, "/questionnaires", #"{"sections": [{"key": "a"}, {"key": "\u0000"}]}"#, as: .ada),
            "sections.1.key")
        // In a key it is no JSON to the parser.
        #expect(portal.call(.post, "/auth/login", #"{"a\u0000": 1}"#).status == 400)
        let page = portal.post("/patients/\(pia)/note", [("note", "vorher\0nachher")], as: .ada)
        #expect(page.status == 422 && page.text.contains(sentence), "\(page.text)")
        #expect(portal.call(.get, "/patients/\(pia)", as: .ada).text.contains("Notiz zu"))
        #expect(!page.text.utf8.contains(0))
    }
}
