import Database
import HTTP
import JSON
import Records
import Testing
import Web
import Wire

@testable import PortalTesting

/// PR-12: the session as an object.
@Suite struct SessionNoteTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    var path: String { patient + "/sessions" }

    private func note(_ from: String, _ until: String, as person: Person = .ada) -> Response {
        portal.call(
            .post, path, #"{"starts_at": "2026-11-\#(from)Z", "ends_at": "2026-11-\#(until)Z"}"#, as: person)
    }

    private func revision(_ page: String) -> String {
        page.firstMatch(of: /name="revision" value="(\d+)"/).map { String($0.1) } ?? ""
    }

    @Test func `PR-12 what is ticked is kept with the session, what is open goes on to the next`() throws {
        let held = path + "/\(note("18T09:00:00", "18T09:50:00").id)"
        let next = path + "/\(note("25T09:00:00", "25T09:50:00").id)"
        #expect(
            portal.post(patient + "/briefing", [("questions", "Bruder?\nSchlaf")], as: .ada).status == 303)
        // Both lists are there for the one that was held last and for the one that comes.
        for session in [held, next] {
            #expect(portal.call(.get, session, as: .ada).attributes["agenda"]?.array?.count == 2)
        }
        let kept = portal.call(
            .patch, held,
            #"{"agenda": [{"text": "Bruder?", "done": true}, {"text": "Schlaf", "done": false}], "note": "Ruhiger."}"#,
            as: .ada)
        #expect(kept.status == 200 && kept.attributes["note"] == .string("Ruhiger."))
        let coming = portal.call(.get, next, as: .ada).attributes
        #expect(coming["note"] == .null)
        let left = coming["agenda"]?.array ?? []
        #expect(left.count == 1 && left[0]["text"] == .string("Schlaf") && left[0]["done"] == .bool(false))
        let briefing = portal.get(patient + "/briefing", as: .ada).text
        #expect(briefing.contains("Letztes Mal") && briefing.contains("Ruhiger."))
        #expect(briefing.contains("<li>Bruder?</li>") && briefing.contains("<li>Schlaf</li>"))
        // What is unticked is open again.
        let again = portal.call(
            .patch, held, #"{"agenda": [{"text": "Bruder?", "done": false}]}"#, as: .ada)
        #expect(again.attributes["note"] == .string("Ruhiger."))
        #expect(portal.call(.get, next, as: .ada).attributes["agenda"]?.array?.count == 1)
    }

    @Test func `PR-12 the page keeps agenda and note, and what was typed when somebody was faster`() throws {
        let session = path + "/\(note("18T09:00:00", "18T09:50:00").id)"
        let page = portal.get(session, as: .ada)
        #expect(page.status == 200 && page.text.contains("Fragen für die Sitzung"))
        let seen = revision(page.text)
        let first = [("revision", seen), ("add", "Reise\nArbeit"), ("note", "Erste Fassung")]
        #expect(portal.post(session, first, as: .ada).status == 303)
        let shown = portal.get(session, as: .ada).text
        #expect(shown.contains("Erste Fassung") && shown.contains(#"value="Reise""#))
        let late = portal.post(
            session, [("revision", seen), ("item", "Reise"), ("done", "Reise"), ("note", "Zweite")], as: .ada)
        #expect(late.status == 412)
        #expect(late.text.contains("Zweite") && late.text.contains("Erste Fassung"))
        #expect(late.text.contains(#"value="Arbeit""#))
        let now = [
            ("revision", revision(shown)), ("item", "Reise"), ("item", "Arbeit"), ("done", "Reise"),
            ("note", "Erste Fassung"),
        ]
        #expect(portal.post(session, now, as: .ada).status == 303)
        let agenda = portal.call(.get, session, as: .ada).attributes["agenda"]?.array ?? []
        #expect(agenda.map { $0["done"] } == [.bool(false), .bool(true)])
        let long = String(repeating: "x", count: 10_001)
        let refused = portal.post(
            session, [("revision", seen), ("item", "Reise"), ("note", long)], as: .ada)
        #expect(refused.status == 422 && refused.text.contains("xxxx"))
    }

    @Test func `PR-12 the words lie sealed, and nobody else reads them`() throws {
        let session = path + "/\(note("18T09:00:00", "18T09:50:00").id)"
        let body = #"{"agenda": [{"text": "Kanarienvogel", "done": true}], "note": "Kanarienvogel"}"#
        #expect(portal.call(.patch, session, body, as: .ada).status == 200)
        let stored: [[UInt8]] = try portal.services.records.read { connection in
            try connection.all("SELECT note, agenda FROM session_notes") { try $0[0] + $0[1] }
        }
        #expect(stored.count == 1 && !String(decoding: stored[0], as: UTF8.self).contains("Kanarien"))
        for person in [Person.ben, .lena, .uma, .pia] {
            #expect([403, 404].contains(portal.call(.get, session, as: person).status))
            #expect(!portal.get(session, as: person).text.contains("Kanarienvogel"))
        }
        #expect(!portal.call(.get, "/my/export", as: .pia).text.contains("Kanarienvogel"))
        #expect(try !portal.changes().contains("Kanarienvogel"))
        // With names hidden nothing of it stands on any page.
        _ = portal.post("/screen", [("names", "hidden"), ("back", "/patients")], as: .ada)
        for page in [session, patient + "/briefing", patient + "/timeline", "/"] {
            #expect(!portal.get(page, as: .ada).text.contains("Kanarienvogel"), "\(page)")
        }
    }

    @Test func `PR-12 what a therapist wrote stays when the patient calls the appointment off`() throws {
        let appointment = "/my/appointments/6f3f0d8e-3a5d-4a37-9d7a-1f7f4a0f9a01"
        let times =
            #"{"starts_at": "2026-11-25T09:00:00Z", "ends_at": "2026-11-25T09:50:00Z", "title": "Therapie"}"#
        #expect(portal.call(.put, appointment, times, as: .pia).status == 201)
        let id = portal.call(.get, path, as: .ada).list.first?["id"]?.string ?? ""
        #expect(portal.call(.patch, path + "/\(id)", #"{"note": "Vorbereitet"}"#, as: .ada).status == 200)
        #expect(portal.call(.delete, appointment, as: .pia).status == 204)
        let left = portal.call(.get, path + "/\(id)", as: .ada).attributes
        #expect(left["state"] == .string("cancelled") && left["note"] == .string("Vorbereitet"))
    }

    @Test func `PR-12 notes go over with the therapy only where their author says so`() throws {
        let session = path + "/\(note("18T09:00:00", "18T09:50:00").id)"
        #expect(portal.call(.patch, session, #"{"note": "Adas Worte"}"#, as: .ada).status == 200)
        func hand(_ person: Person) {
            let body = #"{"email": "\#(person.rawValue)@example.org"}"#
            #expect(portal.call(.post, "/patients/C000001/hand-over", body, as: .uma).status == 204)
        }
        hand(.ben)
        #expect(portal.call(.get, session, as: .ben).attributes["note"] == .null)
        hand(.ada)
        #expect(portal.call(.get, session, as: .ada).attributes["note"] == .string("Adas Worte"))
        #expect(portal.post(patient + "/hand-over", [("session_notes", "true")], as: .ada).status == 303)
        hand(.ben)
        #expect(portal.call(.get, session, as: .ben).attributes["note"] == .string("Adas Worte"))
    }

    static let wrong: [(String, String)] = [
        (#"{"agenda": "x"}"#, "agenda"), (#"{"agenda": [3]}"#, "agenda.0"),
        (#"{"agenda": [{"text": ""}]}"#, "agenda.0.text"), (#"{"note": 3}"#, "note"),
        (#"{"agenda": [{"text": "a", "more": 1}]}"#, "agenda.0.more"), (#"{"state": "done"}"#, "state"),
    ]

    @Test(arguments: wrong) func `PR-12 bad input names its place`(body: String, field: String) {
        let session = path + "/\(note("18T09:00:00", "18T09:50:00").id)"
        let answer = portal.call(.patch, session, body, as: .ada)
        #expect(answer.status == 422 && answer.wrongFields == [field])
        #expect(portal.call(.get, session, as: .ada).attributes["agenda"] == .array([]))
    }

    @Test func `PR-12 a series is noted at the clinic's time, without the days that are left out`() throws {
        // Three o'clock stays three o'clock when the clock changes on the 29th of March.
        let body = """
            {"starts_at": "2027-03-16T14:00:00Z", "ends_at": "2027-03-16T14:50:00Z",
             "repeat": {"every_weeks": 1, "count": 4, "except": ["2027-03-23"]}}
            """
        #expect(portal.call(.post, path, body, as: .ada).status == 201)
        let starts = portal.call(.get, path, as: .ada).list.compactMap {
            $0["attributes"]?["starts_at"]?.string
        }
        #expect(
            starts.reversed().dropFirst() == [
                "2027-03-16T14:00:00Z", "2027-03-30T13:00:00Z", "2027-04-06T13:00:00Z",
            ])
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.isEmpty)
        for (more, field) in [
            (#"{"count": 0}"#, "repeat.count"), (#"{"every_weeks": 13}"#, "repeat.every_weeks"),
            (#"{"except": ["x"]}"#, "repeat.except.0"),
            (#"{"count": 60, "every_weeks": 12}"#, "repeat.count"),
            (#"{"except": ["2027-03-16"]}"#, "repeat.except"),
        ] {
            let bad =
                #"{"starts_at": "2027-03-16T14:00:00Z", "ends_at": "2027-03-16T14:50:00Z", "repeat": \#(more)}"#
            #expect(portal.call(.post, path, bad, as: .ada).wrongFields == [field], "\(more)")
        }
        #expect(portal.call(.get, path, as: .ada).list.count == 4)
    }

    @Test func `PR-12 the form of a series leaves pauses out and says so`() throws {
        let pause = #"{"starts_on": "2026-12-20", "ends_on": "2027-01-06"}"#
        #expect(portal.call(.post, patient + "/pauses", pause, as: .ada).status == 201)
        let fields = [
            ("starts_at", "2026-12-08T10:00"), ("ends_at", "2026-12-08T10:50"), ("repeat_weeks", "1"),
            ("repeat_count", "6"), ("repeat_except", "15.12.2026"),
        ]
        let made = portal.post(path + "/new", fields, as: .ada)
        #expect(made.status == 303)
        #expect(portal.call(.get, path, as: .ada).list.count == 2 + 1)
        let wrong = fields.dropLast() + [("repeat_except", "bald")]
        let refused = portal.post(path + "/new", Array(wrong), as: .ada)
        #expect(refused.status == 422 && refused.text.contains("„bald“ ist kein Datum"))
    }
}
