import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// PR-2: what the therapist noted and what the patient entered are one session where they overlap.
@Suite struct MergedSessionTests {
    let portal: TestPortal
    let appointments = "/my/appointments/22222222-2222-4222-8222-222222222222"
    init() throws { portal = try TestPortal() }
    var patient: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    func times(_ day: String, _ hour: String = "08") -> String {
        #""starts_at": "2026-\#(day)T\#(hour):00:00Z", "ends_at": "2026-\#(day)T\#(hour):50:00Z""#
    }

    @discardableResult func note(_ day: String, _ hour: String = "08") -> String {
        portal.wait(seconds: 1)
        let answer = portal.call(
            .post, patient + "/sessions", "{\(times(day, hour))}", as: .ada)
        #expect(answer.status == 201)
        return answer.id
    }

    func enter(_ day: String, _ hour: String = "08") {
        portal.wait(seconds: 1)
        let tag = portal.call(.get, appointments, as: .pia).headers["ETag"]
        let body = #"{"title": "Sitzung", \#(times(day, hour))}"#
        let answer = portal.call(
            .put, appointments, body, as: .pia, tag.map { ["If-Match": $0] } ?? [:])
        #expect(answer.status == (tag == nil ? 201 : 200))
    }

    @discardableResult func mark(_ id: String, _ state: String) -> Response {
        portal.wait(seconds: 1)
        return portal.call(.patch, patient + "/sessions/\(id)", #"{"state": "\#(state)"}"#, as: .ada)
    }

    /// The latest first, without the one of the cast.
    func sessions() -> [(id: String, start: String, state: String, number: JSON, isEntered: Bool)] {
        portal.call(.get, patient + "/sessions", as: .ada).list.compactMap { item in
            guard let id = item["id"]?.string, id != portal.cast.session, let session = item["attributes"]
            else { return nil }
            return (
                id, session["starts_at"]?.string ?? "", session["state"]?.string ?? "",
                session["number"] ?? .null, session["appointment_id"] != .null
            )
        }
    }

    @Test func `PR-2 noted first: the times are those of the appointment, the state is the therapist's`() {
        let noted = note("11-18", "08")
        mark(noted, "missed")
        portal.wait(seconds: 60)
        // Half an hour later than noted.
        let body =
            #"{"title": "Sitzung", "starts_at": "2026-11-18T08:30:00Z", "ends_at": "2026-11-18T09:20:00Z"}"#
        #expect(portal.call(.put, appointments, body, as: .pia).status == 201)
        let found = sessions()
        #expect(found.count == 1 && found[0].id == noted && found[0].isEntered)
        #expect(found[0].start == "2026-11-18T08:30:00Z" && found[0].state == "missed")
        #expect(found[0].number == .null)
        #expect(mark(noted, "held").attributes["number"] == .number(2))
    }

    @Test func `PR-2 entered first: noting it changes no number, and either id marks the one session`() {
        enter("11-18")
        let entered = sessions()[0].id
        portal.wait(seconds: 60)
        let noted = note("11-18")
        #expect(noted == entered && sessions().count == 1)
        #expect(mark(entered, "cancelled").attributes["state"] == .string("cancelled"))
        #expect(sessions().map(\.state) == ["cancelled"])
        let page = portal.get(patient + "/timeline", as: .ada).text
        #expect(page.matches(of: /entry--session/).count == 2)
    }

    @Test func `PR-2 an appointment that moves away leaves the noted session with its word`() {
        let noted = note("11-18")
        enter("11-18")
        mark(noted, "missed")
        enter("11-25")
        let found = sessions()
        #expect(found.map(\.start) == ["2026-11-25T08:00:00Z", "2026-11-18T08:00:00Z"])
        #expect(found.map(\.state) == ["planned", "missed"])
        #expect(found.map(\.isEntered) == [true, false] && found.last?.id == noted)
        // And back again it is one, as it was.
        enter("11-18")
        #expect(sessions().map(\.state) == ["missed"] && sessions()[0].id == noted)
    }

    @Test func `PR-2 a word given before the session was noted stays where it was given`() {
        enter("11-18")
        mark(sessions()[0].id, "missed")
        note("11-18")
        #expect(sessions().map(\.state) == ["missed"])
        enter("11-25")
        #expect(sessions().map(\.state) == ["planned", "missed"])
    }

    @Test func `PR-2 deleting the appointment leaves what was noted`() {
        note("11-24")
        enter("11-24")
        #expect(sessions().count == 1)
        #expect(portal.call(.delete, appointments, as: .pia).status == 204)
        #expect(sessions().map(\.isEntered) == [false] && sessions()[0].state == "planned")
    }

    @Test func `PR-2 other calendars learn of every change of the one session`() throws {
        let noted = note("11-24")
        let sequence = { () throws -> Int in
            let therapy = portal.cast.therapies[.pia] ?? ""
            return try portal.services.records.read { connection in
                try SessionStore.find(ID(noted), in: therapy, connection)?.sequence ?? -1
            }
        }
        var seen = [try sequence()]
        enter("11-24")
        seen.append(try sequence())
        mark(noted, "cancelled")
        seen.append(try sequence())
        enter("11-27")
        seen.append(try sequence())
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 }, "\(seen)")
    }

    @Test func `PR-2 what is asked before a session is asked once, noted or entered`() throws {
        let rule = #"{"occasion": "before_session", "questionnaire_key": "between-sessions"}"#
        #expect(portal.call(.post, patient + "/delivery-rules", rule, as: .ada).status == 201)
        let asked = { () -> Int in
            portal.call(.get, patient + "/assignments", as: .ada).list.count {
                $0["attributes"]?["source"] == .string("appointment")
            }
        }
        note("11-24")
        #expect(asked() == 1)
        enter("11-24")
        #expect(asked() == 1)
        enter("11-27")
        #expect(asked() == 2)
    }
}
