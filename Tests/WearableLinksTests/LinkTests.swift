import Foundation
import HTTP
import JSON
import Locks
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// FB-1: links to providers are made by the requesting device alone; the granted scopes, and the end of a link.
@Suite struct LinkTests {
    let portal: TestPortal
    let health: FakeHealth

    init() throws {
        (portal, health) = try linkedPortal()
    }

    private let path = "/my/wearables/google_health"

    private func asked(as person: Person = .pia) -> String {
        let answer = portal.call(.post, path + "/link", as: person)
        #expect(answer.status == 200, "\(answer.text)")
        return answer.attributes["authorize_url"]?.string ?? ""
    }

    /// Where a browser comes back to, as a path of ours.
    private func local(_ address: String) -> String {
        address.replacing(portal.services.origin, with: "")
    }

    private func wearable(_ person: Person = .pia) -> JSON {
        portal.call(.get, "/my/wearables", as: person).list.first?["attributes"] ?? .null
    }

    @Test func `FB-1 an app asks, its person consents, and the app confirms with the same token`() throws {
        #expect(wearable()["state"]?.string == "available")
        let back = local(health.consent(asked(), as: 1))
        // The browser that the app has opened has no session.
        let returned = portal.get(back, as: .nobody)
        #expect(returned.status == 303 && returned.headers["Location"] == "/wearables/returned")
        #expect(portal.get("/wearables/returned", as: .nobody).text.contains("Zurück zur App"))
        #expect(wearable()["state"]?.string == "available")
        // Neither another account nor another device of the same person makes it valid.
        #expect(portal.call(.post, path + "/confirmation", as: .quinn).status == 409)
        #expect(portal.post(path + "/confirmation", as: .pia).status == 303)
        #expect(wearable()["state"]?.string == "available")
        let confirmed = portal.call(.post, path + "/confirmation", as: .pia)
        #expect(confirmed.status == 200, "\(confirmed.text)")
        #expect(confirmed.attributes["state"]?.string == "live" && confirmed.id == "google_health")
        #expect(confirmed.attributes["scopes"]?.array?.count == 4)
        #expect(confirmed.attributes["missing"] == .array([]))
        // Once.
        #expect(portal.call(.post, path + "/confirmation", as: .pia).status == 409)
        #expect(try portal.changes().last == "wearable.linked")
        #expect(wearable(.quinn)["state"]?.string == "available")
    }

    @Test func `FB-1 a browser is asked once it has come back, and shows what may be read in words`() throws {
        let leave = portal.post(path + "/link", as: .pia)
        #expect(leave.status == 200)
        let found = leave.text.firstMatch(of: /href="(https:\/\/accounts\.google\.com[^"]*)"/)
        let address = String(try #require(found).1).replacing("&amp;", with: "&")
        let back = local(health.consent(address, as: 1))
        let returned = portal.get(back, as: .pia)
        #expect(returned.headers["Location"] == path + "/confirmation")
        #expect(try portal.count("wearable_links") == 0)
        let page = portal.get(path + "/confirmation", as: .pia)
        #expect(page.status == 200 && page.text.contains("Google Health verbinden?"))
        #expect(portal.post(path + "/confirmation", as: .pia).status == 303)
        let own = portal.get("/my/wearables", as: .pia).text
        #expect(own.contains("Schritte, Strecke und Aktivität lesen") && own.contains("Schlaf lesen"))
        #expect(own.contains("sieben Tagen") && own.contains("Verbunden"))
    }

    @Test func `FB-1 nobody plants a link: a foreign, used or old state is 400, and nothing is linked`()
        throws
    {
        // Pia's browser asks; Quinn's, and one without a session, come back.
        for other in [Person.quinn, .nobody, .ada] {
            let leave = portal.post(path + "/link", as: .pia).text
            let found = leave.firstMatch(of: /href="(https:\/\/accounts\.google\.com[^"]*)"/)
            let address = String(try #require(found).1).replacing("&amp;", with: "&")
            let back = local(health.consent(address, as: 9))
            #expect(portal.get(back, as: other).status == 400, "\(other)")
            // The state is spent, for the right browser as well.
            #expect(portal.get(back, as: .pia).status == 400)
        }
        // An app's state does not come back in another account's browser.
        let planted = local(health.consent(asked(), as: 9))
        #expect(portal.get(planted, as: .quinn).status == 400)
        // Twice.
        let back = local(health.consent(asked(), as: 1))
        #expect(portal.get(back, as: .nobody).status == 303)
        #expect(portal.get(back, as: .nobody).status == 400)
        // Too late.
        let late = local(health.consent(asked(), as: 1))
        portal.wait(seconds: LinkActions.waitSeconds + 1)
        #expect(portal.get(late, as: .nobody).status == 400)
        #expect(portal.call(.post, path + "/confirmation", as: .pia).status == 409)
        for made in ["?state=x&code=y", "?code=y", "", "?state=\(String(repeating: "a", count: 43))&code=y"] {
            #expect(portal.get("/wearables/callback" + made, as: .nobody).status == 400)
        }
        #expect(try portal.count("wearable_links") == 0)
        #expect(health.state.withLock { $0.tokenCalls } == 0)
    }

    @Test func `FB-1 who declines, or allows too little, is told so`() throws {
        let declined = asked().firstMatch(of: /state=([^&]+)/).map { String($0.1) } ?? ""
        let back = portal.get("/wearables/callback?error=access_denied&state=\(declined)", as: .nobody)
        #expect(back.headers["Location"] == "/wearables/returned?declined=true")
        // The profile alone fills no page.
        _ = portal.get(
            local(health.consent(asked(), as: 1, scopes: [WearableProvider.googleProfile])), as: .nobody)
        let nothing = portal.call(.post, path + "/confirmation", as: .pia)
        #expect(nothing.status == 409 && nothing.json["code"]?.string == "nothing_granted", "\(nothing.text)")
        #expect(health.state.withLock { $0.revoked.count } == 1)
        let some = WearableProvider.googleHealth.scopes.prefix(1).map(\.name)
        _ = portal.get(local(health.consent(asked(), as: 1, scopes: some)), as: .nobody)
        let partly = portal.call(.post, path + "/confirmation", as: .pia)
        #expect(partly.attributes["scopes"]?.array == some.map { .string($0) })
        #expect(partly.attributes["missing"]?.array?.contains(.string("sleep")) == true)
        #expect(portal.get("/my/wearables", as: .pia).text.contains("Nicht erlaubt, bleibt leer: "))
    }

    @Test func `W8 a provider that fails while one confirms leaves nothing half linked, and a sentence`() {
        for status in [400, 401, 403, 429, 500, 302] {
            _ = portal.get(local(health.consent(asked(), as: 1)), as: .nobody)
            health.state.withLock { $0.tokenFault = status }
            let answer = portal.call(.post, path + "/confirmation", as: .pia)
            #expect(answer.status == 409 && answer.json["code"]?.string == "not_linked", "\(status)")
            health.state.withLock { $0.tokenFault = nil }
            #expect(wearable()["state"]?.string == "available")
        }
    }

    @Test func `FB-1 nights that were kept of an earlier link go with a later one when that is wanted`()
        throws
    {
        for data in ["keep", "remove"] {
            try link(portal, health, .pia, user: 1)
            #expect(try PullRound(portal.services).go() > 0)
            #expect(try portal.count("health_records") > 20)
            #expect(portal.call(.delete, path + "?data=\(data)", as: .pia).status == 204)
        }
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.isEmpty)
        #expect(try portal.count("measurement_days") == 0)
    }

    @Test func `FB-1 unlinking asks what becomes of the data, and takes the permission back`() throws {
        try link(portal, health, .pia, user: 1)
        let day = """
            {"source": "google_health", "zone": "Europe/Vienna", "series": [], "total": 5,
             "complete_until": "\(portal.now.text)"}
            """
        #expect(portal.call(.put, "/my/measurement-days/steps/2026-11-19", day, as: .pia).status == 201)
        #expect(portal.call(.delete, path, as: .pia).status == 422)
        #expect(portal.post(path + "/removal", as: .pia).status == 422)
        #expect(portal.call(.delete, path + "?data=keep", as: .quinn).status == 404)
        #expect(portal.call(.delete, path + "?data=keep", as: .pia).status == 204)
        #expect(try portal.count("measurement_days") == 1)
        #expect(health.state.withLock { $0.revoked.count } == 1)
        #expect(try portal.changes().last == "wearable.unlinked")
        #expect(portal.call(.delete, path + "?data=keep", as: .pia).status == 404)
        try link(portal, health, .pia, user: 1)
        #expect(portal.post(path + "/removal", [("data", "remove")], as: .pia).status == 303)
        #expect(try portal.count("measurement_days") == 0)
        #expect(try portal.count("wearable_links") == 0)
    }

    @Test func `FB-1 without wearables.json there is nothing to link`() throws {
        let bare = try TestPortal()
        #expect(bare.call(.get, "/my/wearables", as: .pia).list.count == 4)
        let state = bare.call(.get, "/my/wearables", as: .pia).list[0]["attributes"]?["state"]?.string
        #expect(state == "unavailable")
        let page = bare.get("/my/wearables", as: .pia).text
        #expect(page.contains("hat keine Verbindungen mit Uhren eingerichtet") && !page.contains("Oura"))
        let refused = bare.call(.post, path + "/link", as: .pia)
        #expect(refused.status == 409 && refused.json["code"]?.string == "provider_not_set_up")
        #expect(bare.call(.post, "/my/wearables/fitbit/link", as: .pia).status == 404)
        #expect(bare.call(.post, "/my/wearables/google_health/link", as: .ada).status == 403)
    }

    @Test func `FD-45 health pages name what the clinic has set up, and what somebody is linked with`() throws
    {
        let bare = try TestPortal()
        let none = bare.get("/my/health", as: .pia).text
        #expect(!none.contains("/my/wearables") && !none.contains("Oura") && !none.contains("google_health"))
        #expect(none.contains("value=\"health_connect\""))
        // A choice that was made is still shown, and can be taken back.
        #expect(bare.post("/my/health/goals", [("source", "oura")], as: .pia).status == 303)
        #expect(bare.get("/my/health", as: .pia).text.contains("value=\"oura\" selected"))
        let some = portal.get("/my/health", as: .pia).text
        #expect(some.contains("/my/wearables") && some.contains("value=\"google_health\""))
        let page = portal.get("/my/wearables", as: .pia).text
        #expect(page.contains("Google Health") && !page.contains("nicht eingerichtet"))
    }

    @Test func `FB-1 links have to be allowed anew after a restore, and go with the account`() throws {
        try link(portal, health, .pia, user: 1)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try Feature.wearableLinks.revokeAll(now, connection)
        }
        #expect(wearable()["state"]?.string == "needs_consent")
        #expect(portal.get("/my/wearables", as: .pia).text.contains("aus einer Sicherung"))
    }
}
