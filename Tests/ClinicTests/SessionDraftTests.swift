import Database
import HTTP
import JSON
import Records
import Testing
import Web
import Wire

@testable import Portal
@testable import PortalTesting

/// FD-7: a note that is not saved is not gone.
@Suite struct SessionDraftTests {
    let portal: TestPortal
    let patient: String
    let session: String

    init() throws {
        portal = try TestPortal()
        patient = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let made = portal.call(
            .post, patient + "/sessions",
            #"{"starts_at": "2026-11-18T09:00:00Z", "ends_at": "2026-11-18T09:50:00Z"}"#, as: .ada)
        session = patient + "/sessions/\(made.id)"
    }

    private var page: String { portal.get(session, as: .ada).text }

    private func typed(_ note: String, add: String = "") -> [(String, String)] {
        [portal.revision(on: session, as: .ada), ("add", add), ("note", note)]
    }

    @Test
    func `FD-7 what was typed and not saved is there on the next day, and counts only once it is saved`()
        throws
    {
        #expect(!page.contains("Noch nicht gespeichert"))
        let kept = portal.post(session + "/draft", typed("Bericht vom Bruder", add: "Reise"), as: .ada)
        #expect(kept.status == 303 && kept.headers["Location"] == session)
        try portal.wait(awake: 1)
        let shown = page
        #expect(shown.contains("Noch nicht gespeichert") && shown.contains("Bericht vom Bruder"))
        #expect(shown.contains(">Reise</textarea>") && !shown.contains("Jemand hat das inzwischen"))
        #expect(portal.call(.get, session, as: .ada).attributes["note"] == .null)
        #expect(portal.post(session, typed("Bericht vom Bruder"), as: .ada).status == 303)
        #expect(!page.contains("Noch nicht gespeichert") && page.contains("Bericht vom Bruder"))
        #expect(try portal.count("session_note_drafts") == 0)
    }

    @Test func `FD-7 a draft lies sealed, its author alone sees it, and it is discarded`() throws {
        _ = portal.post(session + "/draft", typed("Kanarienvogel"), as: .ada)
        let sealed: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT words FROM session_note_drafts") { try $0[0] }
        }
        #expect(sealed.count == 1 && !String(decoding: sealed[0], as: UTF8.self).contains("Kanarien"))
        let body = #"{"email": "ben@example.org", "role": "therapist"}"#
        #expect(portal.call(.post, patient + "/members", body, as: .ada).status == 201)
        #expect(!portal.get(session, as: .ben).text.contains("Kanarienvogel"))
        #expect(!portal.call(.get, session, as: .ada).text.contains("Kanarienvogel"))
        #expect(!portal.get(patient + "/file?make=true&notes=true", as: .ada).text.contains("Kanarienvogel"))
        _ = portal.post("/screen", [("names", "hidden"), ("back", "/patients")], as: .ada)
        #expect(!page.contains("Kanarienvogel"))
        _ = portal.post("/screen", [("names", "shown"), ("back", "/patients")], as: .ada)
        #expect(page.contains("Kanarienvogel"))
        #expect(portal.post(session + "/draft/removal", as: .ada).status == 303)
        #expect(!page.contains("Kanarienvogel"))
    }

    @Test func `FD-7 a draft over a note that was changed elsewhere shows both, and nothing is overwritten`()
    {
        let seen = portal.revision(on: session, as: .ada)
        _ = portal.post(session + "/draft", [seen, ("note", "Am Laptop")], as: .ada)
        #expect(portal.call(.patch, session, #"{"note": "Am Telefon"}"#, as: .ada).status == 200)
        let shown = page
        #expect(shown.contains("Am Laptop") && shown.contains("Am Telefon"))
        #expect(shown.contains("Jemand hat das inzwischen geändert"))
        #expect(portal.call(.get, session, as: .ada).attributes["note"] == .string("Am Telefon"))
    }

    @Test
    func `FD-7 what is stored already is no draft, and one that nobody goes on with ends after a month`()
        throws
    {
        #expect(portal.post(session, typed("Eins\r\nZwei"), as: .ada).status == 303)
        _ = portal.post(session + "/draft", typed("Eins\r\nZwei\r\n"), as: .ada)
        #expect(try portal.count("session_note_drafts") == 0)
        _ = portal.post(session + "/draft", typed("Drei"), as: .ada)
        let lines = try portal.audit().count
        _ = portal.post(session + "/draft", typed("Drei"), as: .ada)
        #expect(try portal.audit().dropFirst(lines).allSatisfy { $0 == "file.viewed" })
        let long = portal.post(
            session + "/draft", typed(String(repeating: "x", count: 70_000)), as: .ada)
        #expect(long.status == 422)
        portal.wait(days: 31)
        Housekeeping.run(portal.services)
        #expect(try portal.count("session_note_drafts") == 0)
    }

    @Test func `FD-7 the way on to the next patient of the day saves`() throws {
        let second = portal.call(.post, "/patients", "{}", as: .ada).id
        let later = #"{"starts_at": "2026-11-18T10:00:00Z", "ends_at": "2026-11-18T10:50:00Z"}"#
        #expect(portal.call(.post, "/patients/\(second)/sessions", later, as: .ada).status == 201)
        let shown = page
        #expect(shown.contains("Speichern und weiter zu") && !shown.contains("rel=\"next\">Weiter"))
        let sent = portal.post(session, typed("Gesagt") + [("then", "next")], as: .ada)
        #expect(sent.status == 303 && sent.headers["Location"] == "/patients/\(second)/briefing")
        #expect(portal.call(.get, session, as: .ada).attributes["note"] == .string("Gesagt"))
        // After the last session of the day there is no next patient.
        let last = "/patients/\(second)/sessions"
        let id = portal.call(.get, last, as: .ada).list.first?["id"]?.string ?? ""
        #expect(!portal.get(last + "/\(id)", as: .ada).text.contains("Speichern und weiter zu"))
    }
}
