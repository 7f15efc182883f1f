import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Web

@Suite struct PatientTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test func `a new patient gets a codename, a code and a sheet`() throws {
        let answer = portal.post(
            "/patients/new", [("codename", "AB1234"), ("note", "Montag\r\nneu")], as: .ada)
        #expect(answer.status == 303)
        let location = try #require(answer.headers["Location"])
        #expect(location.hasSuffix("/pairing-sheet"))
        let sheet = portal.get(location, as: .ada)
        #expect(
            sheet.status == 200 && sheet.text.contains("AB1234")
                && sheet.text.contains("Das Verbindungsblatt ist bereit"))
        #expect(!portal.get(location, as: .ada).text.contains("Das Verbindungsblatt ist bereit"))
        #expect(try portal.changes().last == "patient.created")
    }

    @Test(arguments: ["c020480", "C1", "ABCD1234", "C020480112", "C-12345"])
    func `a codename of the wrong form is refused and stays in the form`(codename: String) throws {
        let page = portal.post(
            "/patients/new", [("codename", codename), ("note", "bleibt stehen")], as: .ada)
        #expect(
            page.status == 422 && page.text.contains("value=\"\(codename)\"")
                && page.text.contains("bleibt stehen"))
        #expect(
            page.text.contains("href=\"#codename\"")
                && page.text.contains("aria-describedby=\"codename-hint codename-error\""))
        #expect(
            portal.call(.post, "/patients", #"{"codename": "\#(codename)"}"#, as: .ada).wrongFields == [
                "codename"
            ])
    }

    @Test func `an empty codename is not the same as none`() {
        #expect(portal.call(.post, "/patients", #"{"codename": ""}"#, as: .ada).wrongFields == ["codename"])
        #expect(portal.call(.post, "/patients", #"{"codename": null}"#, as: .ada).status == 201)
    }

    @Test func `a taken codename is a conflict, over both doors`() throws {
        let before = try portal.count("therapies")
        #expect(portal.call(.post, "/patients", #"{"codename": "C000002"}"#, as: .ada).status == 409)
        let page = portal.post("/patients/new", [("codename", "C000002")], as: .ada)
        #expect(page.status == 409 && page.text.contains("value=\"C000002\""))
        #expect(try portal.count("therapies") == before && portal.count("pairing_codes") == before)
    }

    @Test func `a codename that is not given is drawn`() {
        let patient = portal.call(.post, "/patients", "{}", as: .ada).attributes
        #expect(
            patient["codename"]?.string?.wholeMatch(of: /C[0-9]{6}/) != nil
                && patient["state"] == .string("code_open"))
        #expect(patient["pairing_code"]?["code"]?.string?.wholeMatch(of: /[0-9]{8}/) != nil)
        #expect(patient["pairing_code"]?["expires_at"] == .string("2026-12-04T09:00:00Z"))
    }

    @Test func `therapists see their own patients only`() {
        let ada = portal.call(.get, "/patients", as: .ada).list.compactMap {
            $0["attributes"]?["codename"]?.string
        }
        #expect(Set(ada) == ["C000001", "C000003"])
        #expect(portal.call(.get, "/patients", as: .ben).list.count == 1)
        #expect(!portal.get("/patients", as: .ben).text.contains("C000001"))
    }

    @Test func `note and dates can be changed, and an end before the begin cannot`() throws {
        let path = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let changed = portal.call(.patch, path, #"{"note": null, "therapy_ends_on": "2027-03-01"}"#, as: .ada)
            .attributes
        #expect(changed["note"] == .null && changed["therapy_ends_on"] == .string("2027-03-01"))
        #expect(
            portal.call(.patch, path, #"{"therapy_ends_on": "2026-01-01"}"#, as: .ada).wrongFields == [
                "therapy_ends_on"
            ])
        #expect(portal.call(.patch, path, #"{"codename": "C999999"}"#, as: .ada).wrongFields == ["codename"])
        #expect(portal.post(path + "/note", [("note", "<b>neu</b>")], as: .ada).status == 303)
        #expect(portal.get(path, as: .ada).text.contains("&lt;b&gt;neu&lt;/b&gt;"))
    }

    @Test func `lists come in pages that can be followed`() throws {
        for _ in 0..<5 { #expect(portal.call(.post, "/patients", "{}", as: .ada).status == 201) }
        var path: String? = "/patients?limit=3"
        var seen: [String] = []
        while let next = path {
            let answer = portal.call(.get, next, as: .ada)
            seen += answer.list.compactMap { $0["id"]?.string }
            #expect(answer.json["meta"]?["total"] == .number(7))
            path = answer.json["meta"]?["next"]?.string.map { String($0.dropFirst("/api/v1".count)) }
        }
        #expect(seen.count == 7 && Set(seen).count == 7)
        for query in ["limit=0", "limit=201", "limit=x", "cursor=1", "cursor=x_y"] {
            #expect(portal.call(.get, "/patients?\(query)", as: .ada).status == 422)
        }
    }

    @Test func `search, filter and order live in the address`() {
        #expect(portal.get("/patients?q=notiz%20zu%20c000001", as: .ada).text.contains("C000001"))
        #expect(!portal.get("/patients?q=notiz%20zu%20c000001", as: .ada).text.contains("C000003"))
        #expect(!portal.get("/patients?state=code_open", as: .ada).text.contains(">C000001<"))
        let sorted = portal.get("/patients?sort=codename", as: .ada).text
        #expect(sorted.contains("aria-sort=\"ascending\""))
        #expect(
            portal.get("/patients?q=%22%3E%3Csvg%20onload%3D1%3E", as: .ada).text.contains(
                "&quot;&gt;&lt;svg onload=1&gt;"))
    }

    @Test func `B8 canaries are shown literally wherever they come up`() throws {
        let canary = "\"><svg onload=alert(1)>{{7*7}}"
        let form = [("codename", "XS1234"), ("note", canary)]
        let location = try #require(portal.post("/patients/new", form, as: .ada).headers["Location"])
        let id = location.split(separator: "/")[1]
        for path in ["/patients", "/patients/\(id)", "/patients/\(id)/timeline", location] {
            let text = portal.get(path, as: .ada).text
            #expect(!text.contains("<svg onload"), "\(path)")
        }
        #expect(portal.get("/patients/\(id)", as: .ada).text.contains("&lt;svg onload=alert(1)&gt;{{7*7}}"))
    }

    @Test func `B1 every page carries the headers that protect, also errors and redirects`() {
        let answers = [
            portal.get("/patients", as: .ada), portal.get("/nope", as: .ada), portal.send(.get, "/patients"),
            portal.post("/patients/new", [("codename", "x")], as: .ada),
        ]
        for answer in answers {
            #expect(answer.headers["Content-Security-Policy"] == SecurityHeaders.policy, "\(answer.status)")
            #expect(
                answer.headers["X-Content-Type-Options"] == "nosniff"
                    && answer.headers["Referrer-Policy"] == "same-origin")
            #expect(
                answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
                    && answer.headers["Cache-Control"] == "no-store")
        }
    }

    @Test func `B5 opening pages and lists changes nothing`() throws {
        let tables: [StaticString] = [
            "therapies", "pairing_codes", "assignments", "contributions", "therapy_sessions", "credentials",
            "accounts", "mails",
        ]
        let before = try tables.map { try portal.count($0) }
        for route in Routes.all.list where route.method == .get {
            let pia = portal.cast.therapies[.pia] ?? ""
            let path = route.pattern.description.replacing(":patient", with: pia.text).replacing(
                ":contribution", with: portal.cast.contribution
            )
            .replacing(":questionnaire", with: portal.cast.questionnaire).replacing(
                ":code", with: portal.cast.openCode
            ).replacing(":name", with: "mark.svg")
            for _ in 0..<2 {
                _ =
                    route.surface == .portal
                    ? portal.get(path, as: .ada) : portal.call(.get, String(path.dropFirst(7)), as: .pia)
            }
        }
        #expect(try tables.map { try portal.count($0) } == before)
        #expect(
            Set(try portal.audit()).isSubset(of: ["file.viewed", "access.denied", "data.copied", "file.made"])
        )
    }
}
