import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// FD-29: what the practice notes is seen by the patient, and taken over it is one session.
@Suite struct OwnNotedSessionTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }
    var page: String { portal.get("/my/appointments", as: .pia).text }

    @discardableResult
    func note(_ day: String, _ time: String = "08:00") -> String {
        let start = Instant("2026-\(day)T\(time):00Z") ?? portal.now
        let body =
            #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        let made = portal.call(.post, patient + "/sessions", body, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    var seen: [String] {
        portal.call(.get, "/my/noted-sessions", as: .pia).list.compactMap {
            $0["attributes"]?["starts_at"]?.string
        }
    }
    var own: [JSON] { portal.call(.get, "/my/appointments", as: .pia).list }
    /// The therapist's, without the one of the cast.
    var onFile: [JSON] {
        portal.call(.get, patient + "/sessions", as: .ada).list.filter {
            $0["id"]?.string != portal.cast.session
        }
    }

    typealias Sent = (address: String, fields: [(String, String)])

    func form(_ session: String) throws -> Sent {
        try #require(FilledForm.read(page, action: "/my/noted-sessions/\(session)/appointment", typed: [:]))
    }

    func send(_ form: Sent) -> Response { portal.post(form.address, form.fields, as: .pia) }

    @Test func `FD-29 noted today, seen tomorrow, taken over without a script, one session on file`() throws {
        let id = note("12-01")
        try portal.wait(awake: 1)
        let list = portal.call(.get, "/my/noted-sessions", as: .pia)
        guard case .object(let members)? = list.list.first?["attributes"] else {
            Issue.record("\(list.text)")
            return
        }
        #expect(members.map(\.key).sorted() == ["ends_at", "starts_at"])
        #expect(seen == ["2026-12-01T08:00:00Z"] && own.isEmpty)
        #expect(page.contains("Von Ihrer Praxis") && page.contains("Dienstag, 1. Dezember"))
        #expect(page.contains("09:00 bis 09:50") && page.contains("in 10 Tagen"))
        let day = portal.get("/my", as: .pia).text
        #expect(day.contains("09:00 bis 09:50 · von Ihrer Praxis") && day.contains("in 10 Tagen"))
        let taken = try form(id)
        let stale = try form(id)
        for _ in 0..<2 {
            let answer = send(taken)
            #expect(answer.status == 303 && answer.headers["Location"] == "/my/appointments")
        }
        // The page of before, on another device: there is one already.
        #expect(send(stale).status == 303)
        #expect(own.count == 1 && own[0]["attributes"]?["title"] == .string("Therapie"))
        #expect(seen.isEmpty && !page.contains("Von Ihrer Praxis"))
        #expect(!portal.get("/my", as: .pia).text.contains("von Ihrer Praxis"))
        #expect(onFile.count == 1 && onFile[0]["id"]?.string == id)
        #expect(onFile[0]["attributes"]?["appointment_id"] == own[0]["id"])
        // Moved away it is the practice's again, and the own one is another.
        let moved =
            #"{"title": "Therapie", "starts_at": "2026-12-02T08:00:00Z", "ends_at": "2026-12-02T08:50:00Z"}"#
        let path = "/my/appointments/\(own[0]["id"]?.string ?? "")"
        #expect(portal.change(.put, path, moved, as: .pia).status == 200)
        #expect(seen == ["2026-12-01T08:00:00Z"] && onFile.count == 2)
    }

    @Test func `FD-29 an ordinary appointment over the API takes over what it overlaps`() {
        note("12-01")
        note("12-08")
        let times = #""starts_at": "2026-12-01T08:30:00Z", "ends_at": "2026-12-01T09:20:00Z""#
        let path = "/my/appointments/5a1c9a0e-98a5-4a9f-8d3e-000000000077"
        #expect(portal.call(.put, path, #"{"title": "Sitzung", \#(times)}"#, as: .pia).status == 201)
        #expect(seen == ["2026-12-08T08:00:00Z"] && own.count == 1 && onFile.count == 2)
    }

    @Test func `FD-29 what is deleted, called off, over or of an ended therapy is not shown`() throws {
        let ids = ["11-21", "12-01", "12-08", "12-15"].map { note($0) }
        #expect(seen.count == 4)
        let removed = try form(ids[1])
        let path = patient + "/sessions/\(ids[1])"
        #expect(portal.change(.delete, path, as: .ada).status == 204)
        #expect(seen.count == 3)
        // The page was open meanwhile.
        #expect(send(removed).status == 303 && own.isEmpty)
        #expect(portal.call(.post, path + "/return", as: .ada).status == 204)
        #expect(seen.count == 4)
        let cancelled = try form(ids[2])
        #expect(
            portal.call(.patch, patient + "/sessions/\(ids[2])", #"{"state": "cancelled"}"#, as: .ada).status
                == 200)
        #expect(seen.count == 3)
        #expect(send(cancelled).status == 303 && own.isEmpty)
        try portal.wait(awake: 2)
        #expect(seen == ["2026-12-01T08:00:00Z", "2026-12-15T08:00:00Z"])
        #expect(portal.call(.post, patient + "/therapy/end", "{}", as: .ada).status < 300)
        #expect(portal.call(.get, "/my/noted-sessions", as: .pia).status == 403)
        #expect(!page.contains("Von Ihrer Praxis"))
        #expect(!portal.get("/my", as: .pia).text.contains("von Ihrer Praxis"))
    }

    @Test func `FD-29 called off between look and write, nothing is taken over`() throws {
        let id = note("12-01")
        let form = try form(id)
        let (answer, hasWritten) = portal.interleaving(
            { [portal, patient] in
                _ = portal.change(.delete, patient + "/sessions/\(id)", as: .ada)
            }, { send(form) })
        #expect(hasWritten && answer.status == 303 && own.isEmpty && onFile.isEmpty)
        #expect(try !portal.audit().contains("appointment.kept"))
    }

    @Test func `FD-29 what was noted before is shown once the therapist says so, and only theirs`() throws {
        let old = note("12-01")
        note("12-08")
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE therapy_sessions SET is_shown = 0")
        }
        // Entered since: seen at once, and nothing is asked of it.
        note("12-15")
        #expect(seen == ["2026-12-15T08:00:00Z"])
        // A slip with an old one is no word.
        let path = patient + "/sessions/\(old)"
        #expect(portal.change(.delete, path, as: .ada).status == 204)
        #expect(portal.call(.post, path + "/return", as: .ada).status == 204)
        #expect(seen.count == 1)
        let list = patient + "/appointments"
        let asked = portal.get(list, as: .ada).text
        #expect(asked.contains("2 künftige Sitzungen wurden eingetragen, bevor"))
        let share = patient + "/sessions/sharing"
        #expect(portal.post(share, as: .ben).status == 404 && seen.count == 1)
        #expect(portal.post(share, as: .ada).status == 303)
        #expect(seen.count == 3 && !portal.get(list, as: .ada).text.contains("künftige Sitzungen wurden"))
        #expect(try portal.changes().filter { $0 == "sessions.shown" }.count == 1)
    }

    @Test(arguments: [("08:03", "08:05"), ("08:02", "08:00"), ("12:37", "12:35")])
    func `LF-5 what keeps to no grid is taken over at the nearest five minutes, as one session`(
        noted: String, begin: String
    ) throws {
        let id = note("12-01", noted)
        let taken = try form(id)
        for _ in 0..<2 { #expect(send(taken).headers["Location"] == "/my/appointments") }
        #expect(own.count == 1 && onFile.count == 1 && seen.isEmpty)
        #expect(own[0]["attributes"]?["starts_at"] == .string("2026-12-01T\(begin):00Z"))
        #expect(onFile[0]["attributes"]?["appointment_id"] == own[0]["id"])
    }

    @Test func `LF-5 a session of two minutes becomes an appointment of five`() throws {
        let start = Instant("2026-12-01T08:01:00Z") ?? portal.now
        let body = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 120).text)"}"#
        let made = portal.call(.post, patient + "/sessions", body, as: .ada)
        guard made.status == 201 else { return }
        #expect(send(try form(made.id)).status == 303)
        #expect(own[0]["attributes"]?["ends_at"] == .string("2026-12-01T08:05:00Z"))
    }

    @Test func `FD-29 nobody else's, and nobody's without a practice`() throws {
        let form = try form(note("12-01"))
        #expect(portal.post(form.address, form.fields, as: .quinn).status == 404)
        #expect(portal.call(.get, "/my/noted-sessions", as: .quinn).list.isEmpty)
        #expect(portal.call(.get, "/my/noted-sessions", as: .nora).status == 403)
        #expect(portal.post(form.address, form.fields, as: .nora).status == 403)
        #expect(seen.count == 1 && own.isEmpty)
    }
}
