import Database
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import PortalTesting

/// IO-15: what devices notify of, so that all of them agree.
@Suite struct NotificationTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    func list(_ query: String = "", as person: Person = .pia) -> [JSON] {
        portal.call(.get, "/my/notifications\(query)", as: person).list
    }
    func kinds() -> [String] { list().compactMap { $0["attributes"]?["kind"]?.string } }

    @Test func `questionnaires at availability, interventions when given, appointments an hour before`()
        throws
    {
        let appointment =
            #"{"title": "Therapie", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        let id = "22222222-2222-4222-8222-222222222222"
        #expect(portal.call(.put, "/my/appointments/\(id)", appointment, as: .pia).status == 201)
        let all = list().compactMap { $0["attributes"] }.sorted {
            // Given at the same moment: which of the two comes first does not matter.
            ($0["fires_at"]?.string ?? "", $1["kind"]?.string ?? "") < (
                $1["fires_at"]?.string ?? "", $0["kind"]?.string ?? ""
            )
        }
        #expect(
            all.map { $0["kind"] } == [
                .string("questionnaire"), .string("intervention"), .string("appointment"),
            ])
        #expect(
            all.map { $0["fires_at"] } == [
                .string("2026-11-19T09:00:00Z"), .string("2026-11-19T09:00:00Z"),
                .string("2026-11-24T07:00:00Z"),
            ])
        #expect(all.map { $0["title"] }.suffix(2) == [.string("Eine neue Aufgabe"), .string("Therapie")])
        #expect(all.last?["subject_id"]?.string == id)
        // Opened on one device, no other notifies any more.
        let opened = #"{"opened_at": "2026-11-20T08:59:00Z"}"#
        #expect(
            portal.call(.patch, "/my/interventions/\(portal.cast.intervention)", opened, as: .pia).status
                == 200)
        #expect(kinds() == ["questionnaire", "appointment"])
        let sheet = SheetSample.sheetBody(assignment: portal.cast.assignment)
        #expect(portal.call(.put, SheetSample.path, sheet, as: .pia).status == 201)
        #expect(kinds() == ["appointment"])
        #expect(portal.call(.delete, "/my/appointments/\(id)", as: .pia).status == 204)
        #expect(kinds() == [])
    }

    @Test func `what is asked once and was answered is asked no second time on its day`() throws {
        try portal.publish("wellbeing-5")
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true"# + StudyDesk.daily("12:00", "18:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let asked = { self.portal.call(.get, "/my/assignments", as: .nora).list }
        #expect(asked().count == 1 && list(as: .nora).count > 1)
        portal.wait(seconds: 3 * 3600)
        let first = try #require(asked().first?["id"]?.string)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: first).status == 201)
        for _ in 0..<2 {
            #expect(asked() == [] && list(as: .nora) == [])
            portal.wait(seconds: 6 * 3600)
        }
    }

    @Test func `the overview counts what waits`() throws {
        let overview = { (person: Person) in portal.call(.get, "/my/overview", as: person).attributes }
        #expect(overview(.pia)["open_questionnaires"] == .number(1))
        #expect(
            overview(.pia)["new_interventions"] == .number(1) && overview(.pia)["next_appointment"] == .null)
        let appointment =
            #"{"title": "Therapie", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        let id = "22222222-2222-4222-8222-222222222222"
        #expect(portal.call(.put, "/my/appointments/\(id)", appointment, as: .pia).status == 201)
        #expect(overview(.pia)["next_appointment"] == .string("2026-11-24T08:00:00Z"))
        #expect(overview(.pia)["appointments_due"] == .number(1))
        #expect(overview(.pia)["therapist_name"] == .string("Ada Lindner"))
        #expect(overview(.nora)["paired"] == .bool(false) && overview(.nora)["therapist_name"] == .null)
    }

    @Test func `what is switched off is not listed, on any device`() throws {
        let settings = portal.call(.get, "/my/notification-settings", as: .pia).attributes
        #expect(
            settings
                == .object(
                    ["questionnaires", "interventions", "appointments"].map { .init($0, .bool(true)) }))
        let put = { (body: String) in portal.call(.put, "/my/notification-settings", body, as: .pia) }
        #expect(put(#"{"questionnaires": false, "interventions": true, "appointments": true}"#).status == 200)
        #expect(kinds() == ["intervention"])
        let before = try portal.audit().count
        #expect(put(#"{"questionnaires": false, "interventions": true, "appointments": true}"#).status == 200)
        #expect(try portal.audit().count == before)
        #expect(put(#"{"questionnaires": false}"#).wrongFields == ["interventions", "appointments"])
        #expect(
            put(#"{"questionnaires": 1, "interventions": true, "appointments": true}"#).wrongFields == [
                "questionnaires"
            ])
        #expect(kinds() == ["intervention"])
        #expect(portal.call(.get, "/my/notification-settings", as: .nora).status == 200)
        #expect(
            list(as: .nora).isEmpty && portal.call(.get, "/my/notification-settings", as: .ada).status == 403)
    }

    @Test func `what was never opened does not push out what is to come`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        for _ in 0..<70 {
            let body = #"{"kind": "task", "text": "Gehen."}"#
            #expect(portal.call(.post, "/patients/\(pia)/interventions", body, as: .ada).status == 201)
        }
        let appointment =
            #"{"title": "Therapie", "starts_at": "2026-11-24T08:00:00Z", "ends_at": "2026-11-24T08:50:00Z"}"#
        let id = "22222222-2222-4222-8222-222222222222"
        #expect(portal.call(.put, "/my/appointments/\(id)", appointment, as: .pia).status == 201)
        #expect(kinds().last == "appointment" && kinds().count == 17)
    }

    @Test func `the next 64 in order of time, dailies where the patient is`() throws {
        try portal.publish("intersession-daily")
        for number in 0..<60 {
            let from = Cast.now.adding(seconds: Int64(3600 + number * 60)).text
            let body = #"{"questionnaire_key": "between-sessions", "available_from": "\#(from)"}"#
            let pia = portal.cast.therapies[.pia] ?? ""
            #expect(portal.call(.post, "/patients/\(pia)/assignments", body, as: .ada).status == 201)
        }
        let all = list("?limit=64")
        #expect(all.count == 64)
        let times = all.compactMap { $0["attributes"]?["fires_at"]?.string }
        #expect(times == times.sorted())
        #expect(list("?limit=10").count == 10)
        #expect(portal.call(.get, "/my/notifications", as: .pia).json["meta"]?["total"] == .number(64))
        let before = Set(times)
        #expect(portal.call(.patch, "/my/profile", #"{"timezone": "Asia/Tokyo"}"#, as: .pia).status == 200)
        let after = Set(list("?limit=64").compactMap { $0["attributes"]?["fires_at"]?.string })
        #expect(before != after)
    }
}
