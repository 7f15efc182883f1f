import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Web

/// The settings of patients and participants in the browser: the same actions as the calls.
@Suite struct OwnSettingsTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test func `IO-3 name, language and zone are changed in the form and read over the API`() {
        #expect(portal.get("/my/settings", as: .pia).text.contains("pia@example.org"))
        let form = [("language", "en"), ("timezone", "Europe/London"), ("name", "Pia P."), ("sex", "2")]
        #expect(portal.post("/my/settings/profile", form, as: .pia).headers["Location"] == "/my/settings")
        let profile = portal.call(.get, "/my/profile", as: .pia).attributes
        #expect(profile["timezone"]?.string == "Europe/London" && profile["name"]?.string == "Pia P.")
        #expect(profile["sex"] == .number(2) && profile["language"]?.string == "en")
        // Emptied again.
        let emptied = [("language", "de"), ("timezone", "Europe/Vienna"), ("name", ""), ("sex", "")]
        #expect(portal.post("/my/settings/profile", emptied, as: .pia).status == 303)
        let after = portal.call(.get, "/my/profile", as: .pia).attributes
        #expect(after["name"] == .null && after["sex"] == .null)
    }

    @Test func `PW-1 what is wrong comes back as it was typed`() {
        let form = [("language", "de"), ("timezone", "Mond"), ("name", "Pia"), ("sex", "7")]
        let page = portal.post("/my/settings/profile", form, as: .pia)
        #expect(page.status == 422 && page.text.contains("value=\"Pia\""))
        #expect(page.text.contains("href=\"#timezone\"") && page.text.contains("href=\"#sex\""))
        #expect(portal.call(.get, "/my/profile", as: .pia).attributes["name"] == .null)
    }

    @Test func `IO-15 what follows from muting is told before, and nothing is muted until then`() {
        let form = [("questionnaires", ""), ("interventions", "true"), ("appointments", "true")]
        let asked = portal.post("/my/settings/notifications", form, as: .pia)
        #expect(asked.status == 200 && asked.text.contains("ihre Fristen laufen weiter"))
        // FD-56: and what then follows.
        #expect(asked.text.contains("gilt als versäumt") && asked.text.contains("auf allen Ihren Geräten"))
        let path = "/my/notification-settings"
        #expect(portal.call(.get, path, as: .pia).attributes["questionnaires"] == .bool(true))
        let sure = portal.post("/my/settings/notifications", form + [("confirmed", "true")], as: .pia)
        #expect(sure.status == 303)
        #expect(portal.call(.get, path, as: .pia).attributes["questionnaires"] == .bool(false))
        // Switching on needs no second question.
        let on = [("questionnaires", "true"), ("interventions", "true"), ("appointments", "true")]
        #expect(portal.post("/my/settings/notifications", on, as: .pia).status == 303)
    }

    @Test func `TYS-7 sensors are off until they are switched on`() {
        #expect(!portal.get("/my/settings/sensors", as: .nora).text.contains(" checked"))
        #expect(portal.post("/my/settings/sensors", [("gps", "true")], as: .nora).status == 303)
        let settings = portal.call(.get, "/my/sensor-settings", as: .nora).attributes
        #expect(settings["gps"] == .bool(true) && settings["microphone"] == .bool(false))
    }

    @Test func `IO-2 another password asks for the current one and signs the others out`() {
        let fresh = "ganz neue Worte zum Merken"
        let form = { (current: String) in
            [("current_password", current), ("password", fresh), ("password_confirmation", fresh)]
        }
        let wrong = portal.post("/my/settings/password", form("falsch"), as: .pia)
        #expect(wrong.status == 422 && !wrong.text.contains(fresh))
        #expect(portal.post("/my/settings/password", form(Cast.password), as: .pia).status == 303)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
        #expect(portal.get("/my", as: .pia).status == 200)
    }

    @Test func `PW-5 devices are listed with this one marked, and each can be ended`() throws {
        let page = portal.get("/my/settings/devices", as: .pia).text
        #expect(page.components(separatedBy: ">dieses Gerät<").count == 2)
        let removal = try #require(page.firstMatch(of: /action="(\/my\/settings\/devices\/[^"]+\/removal)"/))
            .1
        #expect(portal.post(String(removal), as: .pia).status == 303)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
        // Another account's device is not found.
        #expect(portal.post(String(removal), as: .quinn).status == 404)
        let browser = Browser(portal)
        _ = browser.signIn("pia@example.org")
        #expect(portal.post("/my/settings/devices/removal", as: .pia).status == 303)
        #expect(browser.get("/my").status == 303 && portal.get("/my", as: .pia).status == 200)
    }

    @Test func `IO-17 consent is given, and revoked after a page that says what follows`() {
        #expect(portal.post("/my/settings/privacy", as: .pia).status == 303)
        #expect(portal.call(.get, "/my/privacy", as: .pia).attributes["research_consent"] == .bool(true))
        let told = portal.get("/my/settings/privacy/revocation", as: .pia).text
        #expect(told.contains("keinem neuen Export"))
        #expect(portal.call(.get, "/my/privacy", as: .pia).attributes["research_consent"] == .bool(true))
        #expect(portal.post("/my/settings/privacy/revocation", as: .pia).status == 303)
        #expect(portal.call(.get, "/my/privacy", as: .pia).attributes["research_consent"] == .bool(false))
        let page = portal.get("/my/settings/privacy", as: .pia).text
        #expect(page.contains("Zugestimmt") && page.contains("Nicht zugestimmt"))
    }

    @Test func `who looked at the own data stands on a page, in words`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.get("/my/settings/access-log", as: .pia).text.contains("Bisher hat niemand"))
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).status == 200)
        let page = portal.get("/my/settings/access-log", as: .pia).text
        #expect(page.contains("Ada Lindner") && page.contains("Zeitachse"))
        #expect(!portal.get("/my/settings/access-log", as: .quinn).text.contains("Ada Lindner"))
    }

    @Test func `IO-17 the copy of all data asks for the password and is a file`() throws {
        #expect(portal.post("/my/settings/copy", [("password", "falsch")], as: .pia).status == 422)
        let copy = portal.post("/my/settings/copy", [("password", Cast.password)], as: .pia)
        #expect(copy.status == 200 && copy.headers["Content-Type"]?.hasPrefix("application/json") == true)
        #expect(copy.headers["Content-Disposition"]?.hasPrefix("attachment") == true)
        #expect(copy.headers["Cache-Control"] == "no-store")
        #expect(copy.attributes["profile"]?["email"]?.string == "pia@example.org")
        #expect(try portal.audit().contains("data.copied"))
    }

    @Test func `IO-17 deleting says what is lost, asks for the password and leaves nothing`() {
        let path = "/my/settings/deletion"
        #expect(portal.get(path, as: .pia).text.contains("auch für Ihre Praxis"))
        let wrong = portal.post(path, [("password", "falsch")], as: .pia)
        #expect(wrong.status == 422 && wrong.text.contains("href=\"#password\""))
        let gone = portal.post(path, [("password", Cast.password)], as: .pia)
        #expect(gone.status == 303 && gone.headers["Location"] == "/account-deleted")
        #expect(gone.headers["Clear-Site-Data"]?.contains("storage") == true)
        #expect(gone.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(portal.get("/account-deleted", as: .pia).text.contains("Ihr Konto ist gelöscht"))
        #expect(portal.get("/my", as: .pia).status == 303)
    }

    @Test func `PR-21 what the person is told is marked as seen by a button`() throws {
        let body = #"{"email": "ben@example.org"}"#
        #expect(portal.call(.post, "/patients/C000001/hand-over", body, as: .uma).status == 204)
        let page = portal.get("/my/notices", as: .pia).text
        let seen = try #require(page.firstMatch(of: /action="(\/my\/notices\/[^"]+\/seen)"/)).1
        #expect(portal.post(String(seen), as: .quinn).status == 404)
        #expect(portal.post(String(seen), as: .pia).status == 303)
        #expect(!portal.get("/my/notices", as: .pia).text.contains("/seen"))
        #expect(portal.call(.get, "/my/notices", as: .pia).list.first?["attributes"]?["seen_at"] != .null)
    }
}
