import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// IO-14: appointments are the patient's own, make sessions, and take questionnaires along.
@Suite struct AppointmentTests {
    let portal: TestPortal
    static let path = "/my/appointments/22222222-2222-4222-8222-222222222222"
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws { portal = try TestPortal() }

    func body(
        _ start: String = "2026-11-24T08:00:00Z", _ end: String = "2026-11-24T08:50:00Z",
        title: String = "Sitzung"
    ) -> String {
        #"{"title": "\#(title)", "starts_at": "\#(start)", "ends_at": "\#(end)"}"#
    }

    func put(_ body: String, tag: String? = nil, as person: Person = .pia) -> Response {
        portal.call(.put, Self.path, body, as: person, tag.map { ["If-Match": $0] } ?? [:])
    }

    func sessions() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/sessions", as: .ada).list.filter {
            $0["attributes"]?["appointment_id"] != .null
        }
    }

    @Test func `IO-14 made, read by both, changed only with the state in view, deleted twice`() throws {
        let made = put(body())
        #expect(made.status == 201 && made.attributes["comment"] == .null)
        #expect(put(body("2026-11-24T09:00:00+01:00", "2026-11-24T08:50:00Z")).status == 200)
        let tag = try #require(portal.call(.get, Self.path, as: .pia).headers["ETag"])
        #expect(made.headers["ETag"] == tag)
        #expect(put(body(title: "Anders")).status == 428)
        #expect(put(body(title: "Anders"), tag: tag).status == 200)
        #expect(put(body(title: "Noch anders"), tag: tag).status == 412)
        #expect(
            portal.call(.get, "/patients/\(pia)/appointments", as: .ada).list.first?["attributes"]?["title"]
                == .string("Anders"))
        #expect(portal.call(.get, "/my/appointments?from=2026-11-25T00:00:00Z", as: .pia).list.isEmpty)
        #expect(portal.call(.get, "/my/appointments?to=2026-11-25T00:00:00Z", as: .pia).list.count == 1)
        #expect(portal.call(.delete, Self.path, as: .quinn).status == 404)
        #expect(portal.call(.delete, Self.path, as: .pia, ["If-Match": tag]).status == 412)
        for _ in 0..<2 { #expect(portal.call(.delete, Self.path, as: .pia).status == 204) }
        #expect(portal.call(.get, Self.path, as: .pia).status == 410 && put(body()).status == 410)
        #expect(portal.call(.get, "/my/appointments", as: .pia).list.isEmpty)
    }

    static let wrong: [(String, String, String, [String])] = [
        ("", "2026-11-24T08:00:00Z", "2026-11-24T08:50:00Z", ["title"]),
        ("x", "2026-11-24T08:01:00Z", "2026-11-24T08:50:00Z", ["starts_at"]),
        ("x", "2026-11-24T08:00:00Z", "2026-11-24T08:50:30Z", ["ends_at"]),
        ("x", "2026-11-24T08:00:00Z", "2026-11-24T08:00:00Z", ["ends_at"]),
        ("x", "2026-11-24T08:00:00Z", "2026-11-26T08:00:00Z", ["ends_at"]),
        ("x", "2026-08-01T08:00:00Z", "2026-08-01T08:50:00Z", ["starts_at"]),
        ("x", "2036-08-01T08:00:00Z", "2036-08-01T08:50:00Z", ["starts_at"]),
    ]

    @Test(arguments: wrong) func `IO-14 what cannot be an appointment is refused under its field`(
        title: String, start: String, end: String, fields: [String]
    ) throws {
        let answer = put(body(start, end, title: title))
        #expect(answer.status == 422 && answer.wrongFields == fields, "\(answer.text)")
        #expect(try portal.count("appointments") == 0)
    }

    @Test func `too long ago is said in words`() {
        let answer = put(body("2026-08-01T08:00:00Z", "2026-08-01T08:50:00Z"))
        #expect(answer.json["errors"]?["starts_at"]?.array?.first?.string?.contains("90 Tage") == true)
    }

    @Test func `IO-6 unpaired there is nothing, and the same id is another's own`() {
        #expect(put(body(), as: .nora).status == 403)
        #expect(put(body()).status == 201 && put(body(), as: .quinn).status == 201)
    }

    @Test func `IO-9 an appointment is a session, and what is asked before it follows`() throws {
        let rule = #"{"occasion": "before_session", "questionnaire_key": "between-sessions"}"#
        #expect(portal.call(.post, "/patients/\(pia)/delivery-rules", rule, as: .ada).status == 201)
        let asked = {
            portal.call(.get, "/my/assignments", as: .pia).list.compactMap { $0["attributes"] }.filter {
                $0["source"] == .string("appointment")
            }
        }
        let tag = try #require(put(body()).headers["ETag"])
        #expect(asked().map { $0["due_at"] } == [.string("2026-11-24T08:00:00Z")])
        #expect(put(body("2026-11-26T10:00:00Z", "2026-11-26T10:50:00Z"), tag: tag).status == 200)
        #expect(asked().map { $0["due_at"] } == [.string("2026-11-26T10:00:00Z")])
        #expect(
            sessions().count == 1
                && sessions()[0]["attributes"]?["starts_at"] == .string("2026-11-26T10:00:00Z"))
        #expect(portal.call(.delete, Self.path, as: .pia).status == 204)
        #expect(asked().isEmpty && sessions().isEmpty)
    }

    @Test func `deleting a past appointment leaves the session`() {
        #expect(put(body("2026-11-19T08:00:00Z", "2026-11-19T08:50:00Z")).status == 201)
        #expect(portal.call(.delete, Self.path, as: .pia).status == 204)
        #expect(sessions().map { $0["attributes"]?["state"] } == [.string("held")])
    }

    @Test func `titles and comments are sealed, and gone once deleted`() throws {
        #expect(put(body(title: "xq7Zz-canary")).status == 201)
        let titles: [[UInt8]?] = try portal.services.records.read { connection in
            try connection.all("SELECT title FROM appointments") { row in try row[0] }
        }
        #expect(
            titles.count == 1
                && titles[0].map { !String(decoding: $0, as: UTF8.self).contains("canary") } == true)
        #expect(portal.call(.delete, Self.path, as: .pia).status == 204)
        let left: [[UInt8]?] = try portal.services.records.read { connection in
            try connection.all("SELECT title FROM appointments") { row in try row[0] }
        }
        #expect(left == [nil])
    }

    @Test func `nobody has more than two hundred appointments ahead`() {
        var statuses: [Int] = []
        for number in 0..<202 {
            let start = Instant("2026-11-24T00:00:00Z")?.adding(seconds: Int64(number) * 600) ?? portal.now
            let path =
                "/my/appointments/00000000-0000-4000-8000-\(String(repeating: "0", count: 9))\(100 + number)"
            statuses.append(
                portal.call(.put, path, body(start.text, start.adding(seconds: 300).text), as: .pia).status)
        }
        #expect(statuses.prefix(200).allSatisfy { $0 == 201 } && statuses.suffix(2) == [422, 422])
    }

    // MARK: States of appointments (figure 5.17) and two devices

    /// What a device and another one do, one after the other: what comes back.
    static let table: [(steps: [String], status: Int)] = [
        (["create"], 201), (["create", "create"], 200), (["create", "change blind"], 428),
        (["create", "change"], 200), (["create", "other changes", "change stale"], 412),
        (["create", "other changes", "read", "change"], 200), (["create", "delete"], 204),
        (["create", "delete", "delete"], 204), (["create", "delete", "change"], 410),
        (["create", "delete", "create"], 410), (["create", "delete", "read"], 410),
        (["create", "other changes", "delete stale"], 412), (["delete"], 404), (["read"], 404),
    ]

    @Test(arguments: table.indices) func `5.4.5 two devices lose nothing`(index: Int) throws {
        let row = Self.table[index]
        var seen = ""
        var old = ""
        var last = Response(status: 0)
        for step in row.steps {
            switch step {
            case "create": last = put(body())
            case "change blind": last = put(body(title: "B"))
            case "change": last = put(body(title: "B"), tag: seen)
            case "change stale": last = put(body(title: "C"), tag: old)
            case "other changes":
                old = seen
                last = put(body(title: "D"), tag: seen)
                #expect(last.status == 200)
            case "read": last = portal.call(.get, Self.path, as: .pia)
            case "delete stale": last = portal.call(.delete, Self.path, as: .pia, ["If-Match": old])
            default: last = portal.call(.delete, Self.path, as: .pia)
            }
            if let tag = last.headers["ETag"] { seen = tag }
        }
        #expect(last.status == row.status, "\(row.steps)")
        if row.steps.last == "change stale" || row.steps.last == "delete stale" {
            #expect(portal.call(.get, Self.path, as: .pia).attributes["title"] == .string("D"))
        }
    }
}
