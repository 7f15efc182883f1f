import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// The hour that comes twice as clocks go back, in forms: on 25 October 2026 and 31 October 2027 in Vienna.
@Suite struct DoubleHourTests {
    let portal: TestPortal
    private let mine = "/my/appointments/5f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15"
    private var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    init() throws { portal = try TestPortal() }

    private func page(_ path: String, as person: Person) -> String { portal.get(path, as: person).text }

    private func times(_ path: String, as person: Person) -> [String?] {
        let item = portal.call(.get, path, as: person).attributes
        return [item["starts_at"]?.string, item["ends_at"]?.string]
    }

    /// The form of a page with a few fields typed.
    private func send(
        _ path: String, _ typed: [String: String] = [:], on page: String? = nil, as person: Person
    ) throws -> Response {
        let html = page ?? self.page(path, as: person)
        let form = try #require(FilledForm.read(html, action: path, typed: typed))
        return portal.post(path, form.fields, as: person)
    }

    private func wait(until text: String) throws {
        let seconds = try #require(Instant(text)).seconds - portal.now.seconds
        portal.wait(seconds: seconds % 86_400)
        try portal.wait(awake: seconds / 86_400)
    }

    @Test(arguments: [("00:30", "01:20"), ("01:30", "02:20"), ("00:10", "01:10"), ("01:55", "02:05")])
    func `an appointment in either hour stays where it is when its title changes`(
        _ start: String, _ end: String
    ) throws {
        let given = ["2027-10-31T\(start):00Z", "2027-10-31T\(end):00Z"]
        let body = #"{"title": "Nachts", "starts_at": "\#(given[0])", "ends_at": "\#(given[1])"}"#
        #expect(portal.call(.put, mine, body, as: .pia).status == 201)
        #expect(try send(mine, ["title": "Anders"], as: .pia).status == 303)
        #expect(times(mine, as: .pia) == given)
        #expect(portal.call(.get, mine, as: .pia).attributes["title"] == .string("Anders"))
    }

    @Test func `a time that comes twice is asked about beside its field, and the answer counts`() throws {
        let typed = ["starts_at": "2027-10-31T02:10", "ends_at": "2027-10-31T02:10"]
        let new = "/my/appointments/new"
        let asked = try send(new, typed, as: .pia)
        #expect(asked.status == 422 && asked.text.contains("href=\"#starts_at\""))
        #expect(asked.text.contains("02:10 gibt es in dieser Nacht zweimal"))
        #expect(asked.text.matches(of: /type="radio"[^>]* name="(starts_at|ends_at)\.meant"/).count == 4)
        // From the first to the second it is an hour.
        let meant = ["starts_at.meant": "+02:00", "ends_at.meant": "+01:00"]
        #expect(try send(new, meant, on: asked.text, as: .pia).status == 303)
        let made = portal.call(.get, "/my/appointments", as: .pia).list.first?["attributes"]
        #expect(made?["starts_at"] == .string("2027-10-31T00:10:00Z"))
        #expect(made?["ends_at"] == .string("2027-10-31T01:10:00Z"))
    }

    @Test func `a session that is noted or moved into the hour, without an end and in a series`() throws {
        let new = patient + "/sessions/new"
        let weekly = ["repeat_weeks": "1", "repeat_count": "2", "starts_at": "2027-10-31T02:30"]
        let asked = try send(new, weekly, as: .ada)
        #expect(asked.status == 422)
        #expect(try send(new, ["starts_at.meant": "+01:00"], on: asked.text, as: .ada).status == 303)
        let starts = {
            portal.call(.get, patient + "/sessions", as: .ada).list.compactMap {
                $0["attributes"]?["starts_at"]?.string
            }
        }
        #expect(starts().prefix(2) == ["2027-11-07T01:30:00Z", "2027-10-31T01:30:00Z"])
        let id = portal.call(.get, patient + "/sessions", as: .ada).list[1]["id"]?.string ?? ""
        let move = "\(patient)/sessions/\(id)/time"
        #expect(try send(move, as: .ada).status == 303)
        #expect(starts()[1] == "2027-10-31T01:30:00Z")
        #expect(try send(move, ["starts_at.meant": "+02:00"], as: .ada).status == 303)
        let moved = times("\(patient)/sessions/\(id)", as: .ada)
        #expect(moved == ["2027-10-31T00:30:00Z", "2027-10-31T01:20:00Z"])
    }

    @Test func `a study that begins in the hour, saved again, begins when it did`() throws {
        let call = #"{"name": "nacht-1", "title": {"de": "Nacht"}, "starts_at": "2027-10-31T01:30:00Z"}"#
        let id = portal.call(.post, "/studies", call, as: .lena).id
        let edit = "/studies/\(id)/edit"
        #expect(try send(edit, ["name": "nacht-2"], as: .lena).status == 303)
        let study = portal.call(.get, "/studies/\(id)", as: .lena).attributes
        #expect(study["starts_at"] == .string("2027-10-31T01:30:00Z"))
        #expect(study["name"] == .string("nacht-2"))
    }

    @Test func `what begins with the present moment has it chosen, in that hour, too`() throws {
        try wait(until: "2027-10-31T01:30:00Z")
        let calls = patient + "/phone-contacts"
        #expect(try send(calls, as: .ada).status == 303)
        let noted = portal.call(.get, calls, as: .ada).list.first?["attributes"]
        #expect(noted?["at"] == .string("2027-10-31T01:30:00Z"))
    }

    @Test func `a night's sleep until the second time is asked about like that`() throws {
        try wait(until: "2027-10-31T09:00:00Z")
        let path = "/my/health/sleeps"
        let night = ["starts_at": "2027-10-30T22:00", "ends_at": "2027-10-31T02:30"]
        let html = page("/my/health", as: .pia)
        let asked = try send(path, night, on: html, as: .pia)
        #expect(asked.status == 422)
        #expect(try send(path, ["ends_at.meant": "+01:00"], on: asked.text, as: .pia).status == 303)
        let slept = portal.call(.get, "/my/sleeps", as: .pia).list.first?["attributes"]
        #expect(slept?["ends_at"] == .string("2027-10-31T01:30:00Z"))
    }
}
