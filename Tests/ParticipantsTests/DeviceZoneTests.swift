import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// RP-15: the clock that a person lives by is their device's, and is neither the clinic's nor asked for.
@Suite struct DeviceZoneTests {
    let portal: TestPortal
    private static let away = "America/Sao_Paulo"

    init() throws { portal = try TestPortal() }

    private func zone(of sheet: String, _ person: Person = .pia) -> String? {
        portal.call(.get, "/my/contributions/\(sheet)", as: person).attributes["timezone"]?.string
    }

    private func register(_ email: String, _ more: [(String, String)]) -> Response {
        let password = "vier Wörter ohne Sinn"
        portal.wait(seconds: 1)
        return Browser(portal).post(
            "/register",
            [
                ("email", email), ("password", password), ("password_confirmation", password),
                ("privacy_accepted", "true"),
            ] + more)
    }

    /// Of the account that was made last.
    private func newest() throws -> String? {
        try portal.services.records.read { connection in
            try connection.value("SELECT timezone FROM accounts ORDER BY created_at DESC LIMIT 1")
        }
    }

    @Test func `RP-15 the form of registering carries a zone, and without scripts it is a choice`() throws {
        let page = portal.send(.get, "/register").text
        #expect(page.contains(#"data-says="timezone touch""#))
        #expect(page.contains(#"<option value="Europe/Vienna" selected>"#))
        #expect(page.contains(#"<option value="America/Sao_Paulo">America/Sao Paulo"#))
        #expect(register("sao@example.org", [("timezone", Self.away)]).status == 303)
        #expect(try newest() == Self.away)
        // A form of an earlier release says nothing.
        #expect(register("still@example.org", []).status == 303)
        #expect(try newest() == "Europe/Vienna")
    }

    @Test func `RP-15 a form that is drawn again keeps the chosen zone`() {
        let again = register("kein", [("timezone", Self.away)])
        #expect(again.status == 422)
        #expect(again.text.contains(#"<option value="America/Sao_Paulo" selected>"#))
    }

    @Test(arguments: [
        ("America/Sao_Paulo", "America/Sao_Paulo"), ("Mond", "Europe/Vienna"), ("", "Europe/Vienna"),
    ])
    func `RP-15 a sheet of the browser carries the zone it was filled in in, and no name costs an answer`(
        _ said: String, _ stored: String
    ) throws {
        let person = AnsweringPerson(portal, at: "/my/assignments/\(portal.cast.assignment)")
        for _ in 0..<20 where person.page.text.contains(#"name="part""#) {
            let shown = AnsweringTests.all.filter { person.page.text.contains("name=\"answers.\($0.0)\"") }
            person.press("next", shown)
        }
        #expect(person.page.text.contains(#"data-says="timezone""#))
        let sent = person.browser.post(
            person.action, person.fields + [("timezone", said), ("action", "send")])
        let sheet = try #require(sent.headers["Location"]?.firstMatch(of: /sheet=([0-9a-f-]+)/)?.1)
        #expect(zone(of: String(sheet)) == stored)
    }

    @Test func `RP-15 a profile carries the zone of the device that changed it last`() throws {
        try portal.publish("tinnitus-profile")
        let made = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments",
            #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada)
        let path = "/my/profiles/\(made.id)"
        #expect(portal.get(path, as: .pia).text.contains(#"data-says="timezone""#))
        let form = [
            ("shown", "side"), ("answers.side", "2"), ("was", "{}"), ("action", "save"),
            ("timezone", Self.away),
        ]
        #expect(portal.post(path, form, as: .pia).status == 303)
        let sheet = portal.call(.get, "/my/contributions", as: .pia).list.first?["id"]?.string ?? ""
        #expect(zone(of: sheet) == Self.away)
    }

    @Test func `RP-15 a daily filled in elsewhere counts for the window that the account's zone planned`()
        throws
    {
        try portal.publish("intersession-daily")
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run(
                "UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        }
        let answer = portal.get("/my/offline/plan", as: .pia, ["Accept": "application/json"])
        let all = try JSON.parse(answer.bytes)["entries"]?.array ?? []
        let daily = try #require(all.first { $0["target"]?["daily_from"] != nil })
        guard case .object(let target)? = daily["target"] else { return #expect(Bool(false)) }
        #expect(daily["target"]?["daily_zone"]?.string == "Europe/Vienna")
        let opens = try #require(Instant(daily["target"]?["daily_from"]?.string ?? ""))
        let version = try #require(daily["version"]?.string)
        let page = portal.get("/my/offline/forms/\(version)", as: .pia).text
        let names = Set(page.matches(of: /name="answers\.([a-z_]+)"/).map { String($0.1) })
        portal.wait(seconds: opens.seconds - portal.now.seconds + 600)
        try portal.wait(awake: 0)
        let sheet = "5d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b15"
        let at = portal.now.text
        let fields = [
            ("id", sheet), ("version", version), ("started_at", at), ("completed_at", at),
            // Ten at night there, where no period of the day begins.
            ("timezone", "Pacific/Auckland"), ("action", "send"),
        ]
        let sent = portal.post(
            "/my/offline/sheets",
            fields + target.map { ($0.key, $0.value.string ?? "") } + names.map { ("answers.\($0)", "1") },
            as: .pia, ["Accept": "application/json"])
        #expect(sent.status == 200, "\(sent.text)")
        #expect(zone(of: sheet) == "Pacific/Auckland")
    }

    @Test func `RP-15 Today offers the change, which is one tap and changes nothing else`() {
        let page = portal.get("/my", as: .pia).text
        #expect(page.contains(#"action="/my/settings/zone""#) && page.contains(#"data-behaviour="zone""#))
        let before = portal.call(.get, "/my/profile", as: .pia).attributes
        let form = [("timezone", Self.away), ("name", "Nicht gefragt"), ("language", "en")]
        let moved = portal.post("/my/settings/zone", form, as: .pia)
        #expect(moved.status == 303 && moved.headers["Location"] == "/my")
        let after = portal.call(.get, "/my/profile", as: .pia).attributes
        #expect(after["timezone"]?.string == Self.away)
        #expect(after["name"] == before["name"] && after["language"] == before["language"])
        let refused = portal.post("/my/settings/zone", [("timezone", "Mond")], as: .pia)
        #expect(refused.status == 422 && refused.text.contains("Diese Zeitzone ist nicht bekannt"))
        #expect(portal.post("/my/settings/zone", form, as: .ada).status == 403)
    }
}
