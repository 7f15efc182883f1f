import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// SN-4: a profile in the browser, without a script.
@Suite struct OwnProfileTests {
    let portal: TestPortal
    let path: String

    init() throws {
        portal = try TestPortal()
        try portal.publish("tinnitus-profile")
        let made = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia] ?? "")/assignments",
            #"{"questionnaire_key": "tinnitus-profile"}"#, as: .ada)
        path = "/my/profiles/\(made.id)"
    }

    private func was(_ page: String) -> String {
        let found = page.firstMatch(of: /name="was" value="([^"]*)"/).map { String($0.1) } ?? "{}"
        return found.replacing("&quot;", with: "\"").replacing("&#34;", with: "\"")
    }

    private func save(_ fields: [(String, String)], _ action: String = "save") -> Response {
        let page = portal.get(path, as: .pia).text
        let shown = page.matches(of: /name="shown" value="([^"]+)"/).map { ("shown", String($0.1)) }
        return portal.post(path, fields + shown + [("was", was(page)), ("action", action)], as: .pia)
    }

    @Test func `SN-4 an open one leads to its page, which keeps, shows when, and takes back`() throws {
        let assignment = path.split(separator: "/").last ?? ""
        #expect(portal.get("/my", as: .pia).text.contains("/my/assignments/\(assignment)"))
        let led = portal.get("/my/assignments/\(assignment)", as: .pia)
        #expect(led.status == 303 && led.headers["Location"] == path)
        let page = portal.get(path, as: .pia)
        #expect(page.status == 200 && page.text.contains("0 von 14"), "\(page.text)")
        #expect(save([("answers.side", "2"), ("answers.worse", "1"), ("answers.worse", "3")]).status == 303)
        let kept = portal.get(path, as: .pia).text
        #expect(kept.contains("2 von 14") && kept.contains("zuletzt geändert"))
        #expect(kept.contains("Antwort entfernen"))
        portal.wait(seconds: 60)
        #expect(
            save([("answers.side", "2"), ("answers.worse", "1"), ("answers.worse", "3")], "clear:side").status
                == 303)
        let back = portal.get(path, as: .pia).text
        #expect(back.contains("1 von 14") && back.contains("entfernt "))
        let sheet = portal.call(.get, "/my/contributions", as: .pia).list.first?["id"]?.string ?? ""
        let sent = portal.get("/my/contributions/\(sheet)", as: .pia).text
        #expect(sent.contains(path) && sent.contains("Profil ändern") && !sent.contains("nicht mehr ändern"))
        let list = portal.get("/my/questionnaires", as: .pia).text
        #expect(list.contains(path) && list.contains("Meine Profile"))
    }

    @Test func `SN-4 what another device answered meanwhile stays, and what is wrong is said beside it`() {
        let page = portal.get(path, as: .pia).text
        let id = path.split(separator: "/").last ?? ""
        #expect(
            portal.call(.patch, "/my/profiles/\(id)", #"{"answers": {"pitch": 2}}"#, as: .pia).status == 200)
        let shown = page.matches(of: /name="shown" value="([^"]+)"/).map { ("shown", String($0.1)) }
        let sent = portal.post(path, shown + [("answers.side", "1"), ("was", was(page))], as: .pia)
        #expect(sent.status == 303)
        let now = portal.call(.get, "/my/profiles/\(id)", as: .pia).attributes["answers"]
        #expect(now?["pitch"] == .number(2) && now?["side"] == .number(1))
        let wrong = save([("answers.loudness", "99"), ("answers.own_words", "leise")])
        #expect(wrong.status == 422 && wrong.text.contains("leise"))
        #expect(portal.get(path, as: .quinn).status == 404)
    }
}
