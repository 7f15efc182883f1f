import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Web

/// TYT-4: to the project's team, with or without an address, with or without an account.
@Suite struct FeedbackPageTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private var said: [String] {
        portal.call(.get, "/feedback", as: .lena).list.compactMap { $0["attributes"]?["text"]?.string }
    }

    @Test func `TYT-4 what is said is read by leads and administrators, and by nobody else`() throws {
        let form = [("text", "Der Abend passt gut."), ("reply_to", "pia@example.org")]
        #expect(portal.post("/my/feedback", form, as: .pia).headers["Location"] == "/my/feedback")
        portal.wait(seconds: 1)
        #expect(portal.post("/feedback", [("text", "Von außen.")], as: .nobody).status == 303)
        portal.wait(seconds: 1)
        #expect(portal.call(.post, "/feedback", #"{"text": "Per App."}"#, as: .nora).status == 202)
        #expect(said == ["Per App.", "Von außen.", "Der Abend passt gut."])
        for person in [Person.uma, .lena, .leo] {
            let page = portal.get("/admin/feedback", as: person)
            #expect(page.status == 200 && page.text.contains("Der Abend passt gut."))
            #expect(page.text.contains("mailto:pia@example.org"))
        }
        for person in [Person.ada, .pia] {
            #expect(portal.get("/admin/feedback", as: person).status == 403)
            #expect(portal.call(.get, "/feedback", as: person).status == 403)
        }
        // The rest of the administration stays closed to leads.
        #expect(portal.get("/admin", as: .lena).status == 403)
    }

    @Test func `TYT-4 it is stored sealed, and erased with the account`() throws {
        #expect(portal.post("/my/feedback", [("text", "Kanarienvogel")], as: .pia).status == 303)
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT message FROM feedback_messages") { row in try row[0] }
        }
        #expect(stored.count == 1 && !String(decoding: stored[0], as: UTF8.self).contains("Kanarienvogel"))
        let copy = portal.call(.get, "/my/export", as: .pia).text
        #expect(copy.contains("Kanarienvogel"))
        #expect(!portal.call(.get, "/my/export", as: .quinn).text.contains("Kanarienvogel"))
        let gone = portal.call(.delete, "/my/account", #"{"password": "\#(Cast.password)"}"#, as: .pia)
        #expect(gone.status == 204 && said.isEmpty)
    }

    @Test func `TYT-4 without an account five an hour are enough, and errors do not count`() {
        for _ in 0..<3 { #expect(portal.post("/feedback", [("text", "")], as: .nobody).status == 422) }
        for number in 0..<5 {
            #expect(portal.post("/feedback", [("text", "Nr. \(number)")], as: .nobody).status == 303)
        }
        #expect(portal.post("/feedback", [("text", "Noch eine")], as: .nobody).status == 429)
        #expect(portal.call(.post, "/feedback", #"{"text": "Noch eine"}"#).status == 429)
        #expect(portal.post("/my/feedback", [("text", "Mit Konto")], as: .pia).status == 303)
        portal.wait(seconds: 3601)
        #expect(portal.call(.post, "/feedback", #"{"text": "Später"}"#).status == 202)
    }

    @Test func `TYT-4 too long a text and a wrong address come back as they were typed`() {
        let long = String(repeating: "a", count: 5001)
        let page = portal.post("/my/feedback", [("text", long), ("reply_to", "pia@")], as: .pia)
        #expect(page.status == 422 && page.text.contains(long) && page.text.contains("value=\"pia@\""))
        #expect(page.text.contains("href=\"#text\"") && page.text.contains("href=\"#reply_to\""))
        #expect(portal.get("/feedback", as: .pia).headers["Location"] == "/my/feedback")
    }
}
