import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// Accounts of staff by invitation, for administrators.
@Suite struct StaffTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    static let mira = #"{"email": "mira@example.org", "name": "Mira Holm", "roles": ["therapist", "lead"]}"#

    func link() throws -> String {
        let mail = try #require(try portal.mails().last)
        return String(try #require(mail.firstMatch(of: /reset\?token=([A-Za-z0-9_-]{43})/)).1)
    }

    func choose(_ link: String, _ password: String = "vier Wörter ohne jeden Sinn") -> Response {
        portal.call(
            .post, "/auth/password/reset",
            #"{"token": "\#(link)", "password": "\#(password)", "password_confirmation": "\#(password)"}"#)
    }

    @Test func `somebody invited chooses a password by the link, and is in`() throws {
        let invited = portal.call(.post, "/accounts", Self.mira, as: .uma)
        #expect(invited.status == 201 && invited.attributes["state"] == .string("invited"))
        #expect(invited.attributes["roles"] == .array([.string("therapist"), .string("lead")]))
        let password = "vier Wörter ohne jeden Sinn"
        let login = #"{"email": "mira@example.org", "password": "\#(password)"}"#
        #expect(portal.call(.post, "/auth/login", login).status == 401)
        let link = try link()
        #expect(choose(link).status == 204 && choose(link).status == 410)
        #expect(portal.call(.post, "/auth/login", login).status == 200)
        let shown = portal.call(.get, "/accounts/\(invited.id)", as: .uma).attributes
        #expect(shown["state"] == .string("active") && shown["last_signed_in_at"] != .null)
        #expect(portal.call(.post, "/accounts/\(invited.id)/invitation", as: .uma).status == 409)
        #expect(try portal.audit().filter { $0 == "staff.invited" }.count == 1)
    }

    @Test func `FD-56 an invitation names clinic and inviter, in the mail and on the page behind it`() throws
    {
        let id = portal.call(.post, "/accounts", Self.mira, as: .uma).id
        #expect(try #require(try portal.mails().last).contains("Uma Berger lädt Sie ein"))
        let settings = #"{"name": "Ambulanz am Fluss"}"#
        #expect(portal.call(.put, "/settings", settings, as: .uma, ["If-Match": "*"]).status == 200)
        portal.wait(seconds: 1)
        #expect(portal.call(.post, "/accounts/\(id)/invitation", as: .uma).status == 202)
        let mail = try #require(try portal.mails().last)
        #expect(mail.contains("Uma Berger lädt Sie ein") && mail.contains("Ambulanz am Fluss"))
        let page = portal.send(.get, "/password/reset?token=\(try link())").text
        #expect(page.contains("Uma Berger lädt Sie ein") && page.contains("Ambulanz am Fluss"))
        // The link expired, and another was requested: its page still knows the inviting account.
        try portal.wait(awake: 8)
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "mira@example.org"}"#).status == 202)
        let third = try link()
        #expect(portal.send(.get, "/password/reset?token=\(third)").text.contains("Uma Berger lädt Sie ein"))
        // A password that was forgotten is no invitation.
        #expect(choose(third).status == 204)
        portal.wait(seconds: 1)
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "mira@example.org"}"#).status == 202)
        #expect(!portal.send(.get, "/password/reset?token=\(try link())").text.contains("lädt Sie ein"))
    }

    @Test func `a second invitation kills the first link, and a link lasts a week`() throws {
        let id = portal.call(.post, "/accounts", Self.mira, as: .uma).id
        let first = try link()
        portal.wait(seconds: 1)
        #expect(portal.call(.post, "/accounts/\(id)/invitation", as: .uma).status == 202)
        let second = try link()
        #expect(first != second && choose(first).status == 410)
        try portal.wait(awake: 8)
        #expect(choose(second).status == 410)
        #expect(portal.send(.get, "/password/reset?token=\(second)").status == 410)
        // Another link can be requested for an expired one: it goes to the same mailbox.
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "mira@example.org"}"#).status == 202)
        let third = try link()
        #expect(portal.send(.get, "/password/reset?token=\(third)").text.contains("Passwort wählen"))
        #expect(choose(third).status == 204)
    }

    @Test func `bad invitations name the field`() {
        for (body, field) in [
            (#"{"email": "x", "name": "X", "roles": ["therapist"]}"#, "email"),
            (#"{"email": "x@example.org", "roles": ["therapist"]}"#, "name"),
            (#"{"email": "x@example.org", "name": "X", "roles": []}"#, "roles"),
            (#"{"email": "x@example.org", "name": "X", "roles": ["king"]}"#, "roles"),
            (#"{"email": "x@example.org", "name": "X", "roles": "therapist"}"#, "roles"),
            (#"{"email": "ada@example.org", "name": "X", "roles": ["therapist"]}"#, "email"),
            (#"{"email": "x@example.org", "name": "X", "roles": ["lead"], "password": "y"}"#, "password"),
        ] {
            let response = portal.call(.post, "/accounts", body, as: .uma)
            #expect(response.status == 422 && response.wrongFields == [field], "\(body)")
        }
    }

    @Test func `C8 D6 a closed account is out at once, and back when it is reopened`() throws {
        let ada = portal.cast.accounts[.ada] ?? ""
        #expect(portal.get("/patients", as: .ada).status == 200)
        #expect(portal.call(.patch, "/accounts/\(ada)", #"{"closed": true}"#, as: .uma).status == 200)
        #expect(portal.get("/patients", as: .ada).headers["Location"]?.hasPrefix("/login") == true)
        #expect(portal.call(.get, "/patients", as: .ada).status == 401)
        let browser = Browser(portal)
        #expect(browser.signIn().status == 422)
        #expect(portal.call(.post, "/auth/password/forgot", #"{"email": "ada@example.org"}"#).status == 202)
        #expect(try portal.mails().isEmpty)
        #expect(portal.call(.patch, "/accounts/\(ada)", #"{"closed": false}"#, as: .uma).status == 200)
        #expect(browser.signIn().status == 303)
    }

    @Test func `D6 a role that is taken away is gone with the next request`() throws {
        let ada = portal.cast.accounts[.ada] ?? ""
        #expect(portal.call(.patch, "/accounts/\(ada)", #"{"roles": ["lead"]}"#, as: .uma).status == 200)
        #expect(portal.get("/patients", as: .ada).status == 403)
        #expect(portal.get("/questionnaires", as: .ada).status == 200)
    }

    @Test func `somebody can always administer`() throws {
        let uma = portal.cast.accounts[.uma] ?? ""
        #expect(portal.call(.patch, "/accounts/\(uma)", #"{"roles": ["lead"]}"#, as: .uma).status == 409)
        #expect(portal.call(.patch, "/accounts/\(uma)", #"{"closed": true}"#, as: .uma).status == 409)
        let ada = portal.cast.accounts[.ada] ?? ""
        let both = #"{"roles": ["therapist", "admin"]}"#
        #expect(portal.call(.patch, "/accounts/\(ada)", both, as: .uma).status == 200)
        #expect(portal.call(.patch, "/accounts/\(uma)", #"{"roles": ["lead"]}"#, as: .uma).status == 200)
        #expect(portal.get("/admin", as: .uma).status == 403 && portal.get("/admin", as: .ada).status == 200)
    }

    @Test func `patients are none of the administrator's business`() throws {
        let pia = portal.cast.accounts[.pia] ?? ""
        #expect(portal.call(.get, "/accounts/\(pia)", as: .uma).status == 404)
        #expect(portal.call(.patch, "/accounts/\(pia)", #"{"closed": true}"#, as: .uma).status == 404)
        for path in ["/admin", "/admin/accounts", "/admin/audit-log", "/admin/system", "/admin/information"] {
            let page = portal.get(path, as: .uma)
            #expect(page.status == 200 && !page.text.contains("pia@example.org"), "\(path)")
            #expect(!page.text.contains("C000001") && !page.text.contains("Notiz zu"), "\(path)")
        }
    }

    @Test func `the pages do what the calls do`() throws {
        let form = [("email", "mira@example.org"), ("name", "Mira Holm"), ("language", "en")]
        let missing = portal.post("/admin/accounts/new", form, as: .uma)
        #expect(missing.status == 422 && missing.text.contains("mindestens eine Rolle"))
        let roles = [("roles", "therapist"), ("roles", "admin")]
        #expect(portal.post("/admin/accounts/new", form + roles, as: .uma).status == 303)
        let list = portal.get("/admin/accounts", as: .uma).text
        #expect(list.contains("Mira Holm") && list.contains("eingeladen"))
        #expect(try #require(try portal.mails().last).contains("Subject: =?utf-8?B?"))
        let mira = portal.call(.get, "/accounts", as: .uma).list.first {
            $0["attributes"]?["name"] == .string("Mira Holm")
        }
        let path = "/admin/accounts/\(mira?["id"]?.string ?? "")"
        #expect(portal.post(path + "/invitation", as: .uma).status == 303)
        #expect(portal.post(path, [("name", "Mira Holm"), ("roles", "lead")], as: .uma).status == 303)
        #expect(portal.get(path, as: .uma).text.contains("value=\"lead\" checked"))
        #expect(portal.post(path + "/closure", as: .uma).status == 303)
        #expect(portal.post(path + "/reopening", as: .uma).status == 303)
        let ben = "/admin/accounts/\(portal.cast.accounts[.ben] ?? "")/second-factor-removal"
        #expect(portal.post(ben, [("password", "falsch")], as: .uma).status == 422)
        #expect(portal.post(ben, [("password", Cast.password)], as: .uma).status == 303)
        #expect(portal.get("/patients", as: .ben).status == 303)
        let own = "/admin/accounts/\(portal.cast.accounts[.uma] ?? "")"
        #expect(portal.post(own, [("name", "Uma"), ("roles", "lead")], as: .uma).status == 422)
    }

    @Test
    func `PR-21 an account with running therapies is not closed with one click, and hand-over is offered`()
        throws
    {
        let path = "/admin/accounts/\(portal.cast.accounts[.ada] ?? "")"
        #expect(portal.get(path, as: .uma).text.contains("href=\"\(path)/closure\""))
        let page = portal.get(path + "/closure", as: .uma).text
        #expect(page.contains("C000001") && page.contains("C000003") && !page.contains("C000002"))
        #expect(page.contains("/admin/hand-over?codename=C000001") && !page.contains("Notiz zu"))
        let click = portal.post(path + "/closure", as: .uma)
        #expect(click.status == 422 && click.text.contains("confirmation-error"))
        let wrong = portal.post(path + "/closure", [("confirmation", "ben@example.org")], as: .uma)
        #expect(wrong.status == 422 && wrong.text.contains("nicht die E-Mail-Adresse"))
        #expect(portal.get("/patients", as: .ada).status == 200)
        let sure = [("confirmation", " Ada@example.org ")]
        #expect(portal.post(path + "/closure", sure, as: .uma).status == 303)
        #expect(portal.get("/patients", as: .ada).status == 303)
        // Therapies without a reader are shown until they are handed over.
        let home = portal.get("/admin", as: .uma).text
        #expect(home.contains("2 Therapien laufen mit einem geschlossenen Konto"))
        for codename in ["C000001", "C000003"] {
            let body = #"{"email": "ben@example.org"}"#
            #expect(portal.call(.post, "/patients/\(codename)/hand-over", body, as: .uma).status == 204)
        }
        #expect(!portal.get("/admin", as: .uma).text.contains("geschlossenen Konto"))
        #expect(portal.call(.get, "/patients", as: .ben).list.count == 3)
    }

    @Test func `PR-21 a therapy that begins while an account is being closed stops the click`() throws {
        let portal = portal
        let mira = portal.call(.post, "/accounts", Self.mira, as: .uma).id
        // Nothing runs with it when the request comes in, and something when it writes.
        let late = portal.interleaving {
            _ = try? portal.services.records.writeUnaudited(.madeUp) { [cast = portal.cast] connection in
                try connection.run(
                    "UPDATE therapies SET therapist_id = \(mira) WHERE id = \(cast.openTherapy)")
            }
        } _: {
            portal.post("/admin/accounts/\(mira)/closure", as: .uma)
        }
        #expect(late.hasComeToWrite && late.response.status == 422)
        #expect(portal.call(.get, "/accounts/\(mira)", as: .uma).attributes["state"] == .string("invited"))
    }

    @Test func `the administrator's home shows backup, mail, health and open invitations with their links`()
        throws
    {
        #expect(portal.call(.post, "/accounts", Self.mira, as: .uma).status == 201)
        let home = portal.get("/admin", as: .uma).text
        #expect(
            home.contains("Mira Holm") && home.contains("mira@example.org")
                && home.contains("Link gültig bis"))
        for part in ["Zustand", "Sicherung", "E-Mail-Versand", "Offene Einladungen"] {
            #expect(home.contains(">\(part)<"), "\(part)")
        }
        for path in ["accounts", "settings", "information", "hand-over", "audit-log", "system"] {
            #expect(home.contains("href=\"/admin/\(path)\""), "\(path)")
        }
        try portal.wait(awake: 8)
        #expect(portal.get("/admin", as: .uma).text.contains("Link abgelaufen"))
    }

    @Test func `a staff account carries a site, over the API and on the pages`() throws {
        let body = Self.mira.replacing(#""roles""#, with: #""site": "Graz", "roles""#)
        let invited = portal.call(.post, "/accounts", body, as: .uma)
        #expect(invited.attributes["site"] == .string("Graz"))
        let path = "/accounts/\(invited.id)"
        let moved = portal.call(.patch, path, #"{"site": "Wien"}"#, as: .uma)
        #expect(
            moved.attributes["site"] == .string("Wien") && moved.attributes["name"] == .string("Mira Holm"))
        #expect(
            portal.call(.patch, path, #"{"name": "Mira H."}"#, as: .uma).attributes["site"] == .string("Wien")
        )
        let long = String(repeating: "x", count: 61)
        #expect(portal.call(.patch, path, #"{"site": "\#(long)"}"#, as: .uma).wrongFields == ["site"])
        let page = portal.get("/admin\(path)", as: .uma).text
        #expect(page.contains(#"name="site""#) && page.contains(#"value="Wien""#))
        let form = [("name", "Mira Holm"), ("site", ""), ("roles", "therapist")]
        #expect(portal.post("/admin\(path)", form, as: .uma).status == 303)
        #expect(portal.call(.get, path, as: .uma).attributes["site"] == .null)
        let invitation = [
            ("name", "Tom Ort"), ("email", "tom@example.org"), ("site", "Linz"), ("roles", "therapist"),
        ]
        #expect(portal.post("/admin/accounts/new", invitation, as: .uma).status == 303)
        let sites = portal.call(.get, "/accounts", as: .uma).list.map { $0["attributes"]?["site"] }
        #expect(sites.contains(.string("Linz")))
    }
}
