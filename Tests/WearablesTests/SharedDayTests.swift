import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Web

/// The therapist sees what is shared, by type and from a day on, and nothing else (W6).
@Suite struct SharedDayTests {
    let portal: TestPortal
    private let patient: String

    init() throws {
        portal = try TestPortal()
        patient = portal.cast.therapies[.pia]?.text ?? ""
        for offset in 0..<20 {
            for (type, total) in [("steps", 4_321), ("heart_rate", 67)] {
                let date = LocalTime(portal.now, Zone("Europe/Vienna")).date.adding(days: -offset)
                let json = """
                    {"source": "health_connect", "zone": "Europe/Vienna", "complete_until": "\(portal.now.text)",
                     "series": [], "total": \(total)}
                    """
                let path = "/my/measurement-days/\(type)/\(date.text)"
                #expect(portal.call(.put, path, json, as: .pia).status == 201)
            }
        }
    }

    private func share(_ json: String) {
        #expect(portal.call(.put, "/my/measurement-sharing", json, as: .pia).status == 200)
    }

    private func seen(_ type: String) -> [JSON] {
        portal.call(.get, "/patients/\(patient)/measurement-days?type=\(type)", as: .ada).list
    }

    @Test func `W6 by itself nothing is shown, then what was chosen, then nothing again`() {
        #expect(seen("steps").isEmpty && seen("heart_rate").isEmpty)
        share(#"{"steps": true}"#)
        #expect(seen("steps").count == 20 && seen("heart_rate").isEmpty)
        let today = LocalTime(portal.now, Zone("Europe/Vienna")).date
        share(#"{"since": {"steps": "\#(today.adding(days: -4).text)"}}"#)
        #expect(seen("steps").count == 5)
        share(#"{"steps": false}"#)
        #expect(seen("steps").isEmpty)
        #expect(portal.call(.get, "/patients/\(patient)/measurement-days?type=steps", as: .ben).status == 404)
        #expect(portal.call(.get, "/patients/\(patient)/measurement-days?type=mood", as: .ada).status == 422)
    }

    @Test
    func `FD-54 a no clears the day that a client sends back with it, a day alone is one of something shown`()
        throws
    {
        let put = { portal.call(.put, "/my/measurement-sharing", $0, as: .pia) }
        #expect(put(#"{"steps": true, "since": {"steps": "2026-11-18"}}"#).status == 200)
        let told = portal.call(.get, "/my/measurement-sharing", as: .pia).attributes
        #expect(told["since"]?["steps"]?.string == "2026-11-18" && !seen("steps").isEmpty)
        // As it was told, but for the no.
        let whole = String(decoding: try JSONWriter.bytes(of: told), as: UTF8.self)
        let ended = put(whole.replacing(#""steps":true"#, with: #""steps":false"#))
        #expect(ended.status == 200, "\(ended.text)")
        #expect(ended.attributes["steps"] == .bool(false) && ended.attributes["since"]?["steps"] == .null)
        #expect(seen("steps").isEmpty)
        #expect(put(#"{"since": {"steps": "2026-11-18"}}"#).wrongFields == ["since.steps"])
        #expect(put(#"{"steps": true}"#).attributes["since"]?["steps"] == .null)
    }

    @Test func `W6 bands on the timeline and lines of the briefing are of what is shared alone`() {
        let (begin, end) = (portal.now.adding(seconds: -30_000), portal.now.adding(seconds: -3_000))
        let night = #"{"starts_at": "\#(begin.text)", "ends_at": "\#(end.text)", "origin": "manual"}"#
        let path = "/my/sleeps/5a1c9a0e-98a5-4a9f-8d3e-0000000000e1"
        #expect(portal.call(.put, path, night, as: .pia).status == 201)
        let pages = {
            ["", "/timeline?zoom=week", "/briefing", "/health"].map {
                portal.get("/patients/\(patient)\($0)", as: .ada).text
            }
        }
        let shows = { (page: String) in
            ["4.321 Schritte", "7 h 30 min", "67/min"].map { page.contains($0) }
        }
        #expect(pages().map(shows) == Array(repeating: [false, false, false], count: 4))
        share(#"{"steps": true}"#)
        #expect(pages().map(shows) == Array(repeating: [true, false, false], count: 4))
        share(#"{"sleep": true}"#)
        #expect(pages().prefix(3).map(shows) == Array(repeating: [true, true, false], count: 3))
        share(#"{"steps": false, "sleep": false}"#)
        #expect(pages().map(shows) == Array(repeating: [false, false, false], count: 4))
    }

    @Test func `FD-47 an interval has as many measured days as it has days`() {
        share(#"{"steps": true, "heart_rate": true}"#)
        // Today, which is not over, is none of them; the day of the session before is.
        for path in ["briefing", "timeline?zoom=interval"] {
            let page = portal.get("/patients/\(patient)/\(path)", as: .ada).text
            #expect(page.contains("4.321 Schritte am Tag, 4 von 4 Tagen"), "\(path)")
            #expect(page.contains("67/min am Tag, 4 von 4 Tagen"), "\(path)")
        }
        let briefing = portal.get("/patients/\(patient)/briefing", as: .ada).text
        #expect(briefing.contains("Seit der letzten Sitzung, 4 Tage"))
        // A week that ends today.
        let week = portal.get("/patients/\(patient)/timeline?zoom=week", as: .ada).text
        #expect(week.contains("4.321 Schritte am Tag, 7 von 7 Tagen"))
    }

    @Test func `W6 nights from before the day that was chosen are not shown, wherever the person is`() {
        // 21:30 in New York, which is the day after in Vienna.
        let night = """
            {"starts_at": "2026-11-18T13:13:00Z", "ends_at": "2026-11-19T02:30:00Z", "origin": "measured"}
            """
        let walk = #"{"name": "Gehen", "starts_at": "2026-11-19T02:30:00Z", "duration_seconds": 1260}"#
        let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000000e2"
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "America/New_York"}"#, as: .pia).status == 200)
        #expect(portal.call(.put, "/my/sleeps/\(id)", night, as: .pia).status == 201)
        #expect(portal.call(.put, "/my/activities/\(id)", walk, as: .pia).status == 201)
        let pages = { () -> [Bool] in
            ["", "/timeline?zoom=week", "/briefing", "/health?type=sleep", "/health?type=activities"].map {
                let page = portal.get("/patients/\(patient)\($0)", as: .ada).text
                return page.contains("13 h 17 min") || page.contains("0 h 21 min")
            }
        }
        share(
            #"{"sleep": true, "activities": true, "since": {"sleep": "2026-11-19", "activities": "2026-11-19"}}"#
        )
        #expect(pages() == [false, false, false, false, false])
        share(#"{"since": {"sleep": "2026-11-18", "activities": "2026-11-18"}}"#)
        #expect(pages().suffix(2) == [true, true] && pages()[1])
    }

    @Test func `W6 a day that was chosen holds for every measure on every page`() {
        share(
            #"{"steps": true, "heart_rate": true, "since": {"steps": "2026-11-20", "heart_rate": "2026-11-20"}}"#
        )
        for type in ["steps", "heart_rate"] {
            let page = portal.get("/patients/\(patient)/health?type=\(type)&span=month", as: .ada).text
            #expect(page.contains("1 von 30 Tagen"), "\(type)")
            let day = portal.get("/patients/\(patient)/health?type=\(type)&span=day&to=2026-11-19", as: .ada)
                .text
            #expect(!day.contains("4.321") && !day.contains("67/min"), "\(type)")
        }
    }

    @Test func `W6 who begins another therapy shows nothing until they choose anew`() {
        share(#"{"steps": true, "heart_rate": true}"#)
        #expect(portal.call(.post, "/patients/\(patient)/therapy/end", "{}", as: .ada).status == 200)
        #expect(portal.call(.get, "/my/measurement-sharing", as: .pia).attributes["steps"] == .bool(true))
        let new = portal.call(.post, "/patients", "{}", as: .ben)
        let code = new.attributes["pairing_code"]?["code"]?.string ?? ""
        let body = #"{"code": "\#(code)", "birth_date": "1990-05-17", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", body, as: .pia).status == 201)
        let days = { portal.call(.get, "/patients/\(new.id)/measurement-days?type=steps", as: .ben).list }
        #expect(days().isEmpty)
        #expect(portal.call(.get, "/my/measurement-sharing", as: .pia).attributes["steps"] == .bool(false))
        // The one before still sees what was shown until the end.
        #expect(!seen("steps").isEmpty)
        share(#"{"steps": true}"#)
        #expect(!days().isEmpty)
        // What is chosen for the next is nothing for the one before.
        #expect(seen("heart_rate").isEmpty && seen("steps").isEmpty)
    }

    @Test func `W6 of several therapies that ended, it is the last to end that a choice was made for`() {
        let files = [Person.ada, .ben].map { portal.call(.post, "/patients", "{}", as: $0) }
        let person = Person.nora
        // The file that was made second is the first to be paired with, and to end.
        for (file, therapist) in [(files[1], Person.ben), (files[0], .ada)] {
            let code = file.attributes["pairing_code"]?["code"]?.string ?? ""
            let body = #"{"code": "\#(code)", "birth_date": "1990-05-17", "gender": "female"}"#
            #expect(portal.call(.post, "/my/pairing", body, as: person).status == 201)
            if therapist == .ada {
                let wish = portal.call(.put, "/my/measurement-sharing", #"{"steps": true}"#, as: person)
                #expect(wish.status == 200)
            }
            portal.wait(seconds: 60)
            let ended = portal.call(.post, "/patients/\(file.id)/therapy/end", "{}", as: therapist)
            #expect(ended.status == 200)
        }
        #expect(
            portal.call(.get, "/my/measurement-sharing", as: person).attributes["steps"] == .bool(true))
    }

    @Test
    func
        `a therapist of an ended therapy sees nothing of what came after`()
        throws
    {
        share(#"{"steps": true}"#)
        #expect(portal.call(.post, "/patients/\(patient)/therapy/end", "{}", as: .ada).status == 200)
        try portal.wait(awake: 3)
        let date = LocalTime(portal.now, Zone("Europe/Vienna")).date
        let json = """
            {"source": "health_connect", "zone": "Europe/Vienna", "complete_until": "\(portal.now.text)",
             "series": [], "total": 9999}
            """
        let path = "/my/measurement-days/steps/\(date.text)"
        #expect(portal.call(.put, path, json, as: .pia).status == 201)
        #expect(!seen("steps").contains { $0["attributes"]?["total"] == .number(9_999) })
        #expect(!seen("steps").isEmpty)
    }
}
