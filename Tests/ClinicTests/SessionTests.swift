import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting

@Suite struct SessionTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var path: String { "/patients/\(portal.cast.therapies[.pia] ?? "")/sessions" }

    @Test func `PR-2 sessions that were held are numbered by their start, and no others`() throws {
        func add(_ day: String) -> Response {
            portal.call(
                .post, path,
                #"{"starts_at": "2026-\#(day)T09:00:00+01:00", "ends_at": "2026-\#(day)T09:50:00+01:00"}"#,
                as: .ada)
        }
        func numbers() -> [JSON] {
            portal.call(.get, path, as: .ada).list.map { $0["attributes"]?["number"] ?? .null }
        }
        let second = add("11-18")
        #expect(
            second.status == 201 && second.attributes["number"] == .number(2)
                && second.attributes["state"] == .string("held"))
        #expect(add("11-09").attributes["number"] == .number(1))
        let planned = add("11-25")
        #expect(
            planned.attributes["state"] == .string("planned") && planned.attributes["number"] == .null)
        #expect(numbers() == [.null, .number(3), .number(2), .number(1)])
        for state in ["missed", "cancelled"] {
            let marked = portal.call(.patch, path + "/\(second.id)", #"{"state": "\#(state)"}"#, as: .ada)
            #expect(
                marked.attributes["state"] == .string(state) && marked.attributes["number"] == .null)
            #expect(numbers() == [.null, .null, .number(2), .number(1)])
        }
        // A session before the therapy began does not count.
        #expect(add("09-01").attributes["number"] == .null)
        #expect(portal.call(.patch, path + "/\(second.id)", #"{"state": "held"}"#, as: .ben).status == 404)
    }

    @Test func `PR-2 sessions before pairing count from the begin of the therapy on`() {
        let early = portal.call(
            .post, path, #"{"starts_at": "2026-10-01T08:00:00Z", "ends_at": "2026-10-01T08:50:00Z"}"#,
            as: .ada)
        #expect(early.attributes["number"] == .null && early.attributes["state"] == .string("held"))
        let patient = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        #expect(
            portal.call(.patch, patient, #"{"therapy_started_on": "2026-09-28"}"#, as: .ada).status == 200)
        let numbers = portal.call(.get, path, as: .ada).list.map { $0["attributes"]?["number"] ?? .null }
        #expect(numbers == [.number(2), .number(1)])
    }

    @Test func `PR-2 what was set back to planned is held once its end has passed`() throws {
        let session = portal.call(
            .post, path, #"{"starts_at": "2026-11-20T09:00:00Z", "ends_at": "2026-11-20T09:10:00Z"}"#,
            as: .ada)
        let mark = { (state: String) in
            portal.call(.patch, path + "/\(session.id)", #"{"state": "\#(state)"}"#, as: .ada)
        }
        #expect(mark("cancelled").status == 200)
        #expect(mark("planned").attributes["state"] == .string("planned"))
        portal.wait(seconds: 900)
        let found = portal.call(.get, path, as: .ada).list.first?["attributes"]
        #expect(found?["state"] == .string("held") && found?["number"] == .number(2))
        #expect(mark("planned").wrongFields == ["state"])
    }

    static let wrong: [(String, String)] = [
        ("2026-11-18T09:00:00Z", "2026-11-18T09:00:00Z"), ("2026-11-18T09:00:00Z", "2026-11-19T09:00:00Z"),
        ("1999-11-18T09:00:00Z", "1999-11-18T09:50:00Z"), ("tomorrow", "2026-11-18T09:50:00Z"),
    ]

    @Test func `a session that is still to come cannot have been held`() {
        let planned = portal.call(
            .post, path, #"{"starts_at": "2026-11-25T09:00:00Z", "ends_at": "2026-11-25T09:50:00Z"}"#,
            as: .ada)
        #expect(
            portal.call(.patch, path + "/\(planned.id)", #"{"state": "held"}"#, as: .ada).wrongFields == [
                "state"
            ])
        #expect(
            portal.call(.patch, path + "/\(planned.id)", #"{"state": "cancelled"}"#, as: .ada).status == 200)
    }

    @Test(arguments: wrong) func `impossible sessions are refused`(start: String, end: String) throws {
        #expect(
            portal.call(.post, path, #"{"starts_at": "\#(start)", "ends_at": "\#(end)"}"#, as: .ada).status
                == 422)
        #expect(try portal.count("therapy_sessions") == 1)
    }

    @Test func `the form keeps what was typed and takes the clinic's time`() throws {
        let bad = portal.post(
            path + "/new", [("starts_at", "2026-11-24T25:00"), ("ends_at", "2026-11-24T09:50")], as: .ada)
        #expect(bad.status == 422 && bad.text.contains("value=\"2026-11-24T25:00\""))
        #expect(
            portal.post(
                path + "/new", [("starts_at", "2026-11-24T09:00"), ("ends_at", "2026-11-24T09:50")], as: .ada
            ).status == 303)
        #expect(
            portal.call(.get, path, as: .ada).list.first?["attributes"]?["starts_at"]
                == .string("2026-11-24T08:00:00Z"))
    }
}
