import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

@Suite struct SubmissionAPITests {
    let portal: TestPortal
    var path: String { SheetSample.path }

    init() throws { portal = try TestPortal() }

    func sheet(
        assignment: String? = nil, started: String = "2026-11-20T08:40:00Z",
        completed: String = "2026-11-20T08:45:00Z",
        zone: String = "Europe/Vienna", answers: String = SheetSample.all, more: String = ""
    ) -> String {
        """
        {"assignment_id": "\(assignment ?? portal.cast.assignment)", "started_at": "\(started)", "completed_at": "\(completed)",
         "timezone": "\(zone)", "answers": {\(answers)}\(more)}
        """
    }

    @Test func `a sheet is stored with its scores and stands on both sides`() throws {
        let sent = portal.call(.put, path, sheet(), as: .pia)
        #expect(sent.status == 201)
        #expect(
            sent.attributes["scores"]
                == .object([
                    .init("intensity", .number(2)), .init("positive", .number(3)),
                    .init("negative", .number(1)),
                ]))
        #expect(sent.attributes["study_id"] == .null && sent.attributes["version"] == .number(1))
        let mine = portal.call(.get, "/my/contributions", as: .pia)
        #expect(mine.list.count == 2 && mine.list.first?["id"]?.string == sent.id)
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(
            portal.call(.get, "/patients/\(pia)/contributions/\(sent.id)", as: .ada).attributes["answers"]
                == sent.attributes["answers"])
        let entry = portal.call(.get, "/patients/\(pia)/timeline?kind=contribution", as: .ada).list.first
        #expect(entry?["attributes"]?["scores"]?["intensity"] == .number(2))
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty)
        #expect(try portal.changes().last == "contribution.received")
    }

    @Test func `a clock up to five minutes behind is forgiven, and the sheet counts from the opening`() throws
    {
        let pia = portal.cast.therapies[.pia] ?? ""
        let window = #"{"questionnaire_key": "between-sessions", "available_from": "2026-11-20T08:50:00Z"}"#
        let id = portal.call(.post, "/patients/\(pia)/assignments", window, as: .ada).id
        let sheet = { (at: String) in SheetSample.sheetBody(assignment: id, at: at) }
        #expect(
            portal.call(.put, path, sheet("2026-11-20T08:44:59Z"), as: .pia).wrongFields == ["completed_at"])
        let sent = portal.call(.put, path, sheet("2026-11-20T08:45:00Z"), as: .pia)
        #expect(sent.status == 201 && sent.attributes["completed_at"] == .string("2026-11-20T08:50:00Z"))
        #expect(portal.call(.put, path, sheet("2026-11-20T08:45:00Z"), as: .pia).status == 200)
    }

    @Test func `a daily of the device's own is forgiven a clock that runs behind, too`() throws {
        let version = try portal.publish("intersession-daily")
        let body = """
            {"daily": {"questionnaire_id": "\(version)", "available_from": "2026-11-20T08:30:00Z",
             "due_at": "2026-11-20T09:00:00Z"}, "started_at": "2026-11-20T08:27:00Z",
             "completed_at": "2026-11-20T08:28:00Z", "timezone": "Europe/Vienna", "answers": {"thought": 0}}
            """
        let sent = portal.call(.put, path, body, as: .pia)
        #expect(sent.status == 201 && sent.attributes["completed_at"] == .string("2026-11-20T08:30:00Z"))
    }

    @Test func `IO-10 H3 the same again is harmless, something else under the id is refused`() throws {
        let first = portal.call(.put, path, sheet(), as: .pia)
        let upper = "/my/contributions/6F9619FF-8B86-4D01-B42D-00CF4FC964FF"
        let again = portal.call(
            .put, upper, sheet(started: "2026-11-20T09:40:00+01:00", completed: "2026-11-20T08:45:00.7Z"),
            as: .pia)
        #expect(again.status == 200 && again.bytes == first.bytes)
        let other = portal.call(
            .put, path, sheet(answers: SheetSample.all.replacing("\"dream\": 0", with: "\"dream\": 1")),
            as: .pia)
        #expect(other.status == 409)
        #expect(try portal.count("contributions") == 2)
    }

    @Test func `IO-10 a second sheet for one assignment is refused`() throws {
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        let second = portal.call(
            .put, "/my/contributions/11111111-1111-4111-8111-111111111111", sheet(), as: .pia)
        #expect(second.status == 409)
        #expect(try portal.count("contributions") == 2 && portal.count("contribution_scores") == 6)
    }

    @Test func `the same id from another account is another thing`() throws {
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        #expect(portal.call(.get, path, as: .quinn).status == 404)
        #expect(portal.call(.put, path, sheet(), as: .quinn).status == 404)
    }

    @Test func `IO-10 made in time but sent late counts, made too late or too early does not`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        let window =
            #"{"questionnaire_key": "between-sessions", "available_from": "2026-11-19T08:00:00Z", "due_at": "2026-11-19T10:00:00Z"}"#
        let past = portal.call(.post, "/patients/\(pia)/assignments", window, as: .ada).id
        for (completed, status) in [
            ("2026-11-19T10:00:01Z", 422), ("2026-11-19T07:54:59Z", 422), ("2026-11-19T10:00:00.9Z", 201),
        ] {
            let body = sheet(assignment: past, started: "2026-11-19T07:50:00Z", completed: completed)
            let answer = portal.call(.put, path, body, as: .pia)
            #expect(answer.status == status, "\(completed)")
            #expect(status == 201 || answer.wrongFields == ["completed_at"])
        }
    }

    @Test func `a clock that runs a little ahead counts as now, more does not`() {
        #expect(
            portal.call(.put, path, sheet(completed: "2026-11-20T09:05:01Z"), as: .pia).wrongFields == [
                "completed_at"
            ])
        #expect(portal.call(.put, path, sheet(completed: "2026-11-20T09:05:00Z"), as: .pia).status == 201)
    }

    @Test(arguments: ["Etc/Unknown", "+02:00", "Mars/Base"])
    func `RP-29 a zone with an unknown name loses no sheet: the account's counts, and the word is kept`(
        zone: String
    ) throws {
        let sent = portal.call(.put, path, sheet(zone: zone), as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
        #expect(sent.attributes["timezone"] == .string("Europe/Vienna"))
        #expect(sent.attributes["zone_word"] == .string(zone))
        // The same again is the same, also where the account's zone is another one by now.
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "America/Vancouver"}"#, as: .pia).status == 200)
        let again = portal.call(.put, path, sheet(zone: zone), as: .pia)
        #expect(again.status == 200 && again.attributes["timezone"] == .string("Europe/Vienna"))
        #expect(portal.call(.put, path, sheet(zone: "Etc/Other"), as: .pia).status == 409)
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["contributions"]?.array ?? []
        #expect(copy.contains { $0["zone_word"] == .string(zone) })
    }

    @Test(arguments: ["CET", "EST5EDT", "Japan", "Singapore", "Asia/Kolkata", "Asia/Calcutta"])
    func `RP-29 a sheet keeps the zone of the device`(zone: String) {
        let sent = portal.call(.put, path, sheet(zone: zone), as: .pia)
        #expect(sent.status == 201 && sent.attributes["timezone"] == .string(zone))
        #expect(sent.attributes["zone_word"] == .null)
    }

    static let wrong: [(String, String, [String])] = [
        ("\"timezone\"", "\"zone\"", ["timezone", "zone"]), ("\"Europe/Vienna\"", "7", ["timezone"]),
        ("2026-11-20T08:40:00Z", "2026-11-20T08:40:00", ["started_at"]),
        ("2026-11-20T08:40:00Z", "2026-11-20T08:50:00Z", ["completed_at"]),
        ("\"lighter\": 3", "\"lighter\": 5", ["answers.lighter"]),
        ("\"lighter\": 3", "\"lighter\": \"3\"", ["answers.lighter"]),
        ("\"lighter\": 3, ", "", ["answers.lighter"]),
        ("\"dream\": 0", "\"dream\": 0, \"more\": 1", ["answers.more"]),
    ]

    @Test(arguments: wrong) func `H7 what is wrong is refused under its name and nothing is stored`(
        old: String, new: String, fields: [String]
    ) throws {
        let answer = portal.call(.put, path, sheet().replacing(old, with: new), as: .pia)
        #expect(answer.status == 422)
        #expect(answer.wrongFields == fields)
        #expect(try portal.count("contributions") == 1)
    }

    @Test func `exactly one reason, and a study names the version that was shown`() {
        for more in [", \"study_id\": \"11111111-1111-4111-8111-111111111111\"", ", \"daily\": {}"] {
            #expect(
                portal.call(.put, path, sheet(more: more), as: .pia).wrongFields.contains("assignment_id"))
        }
        let study = sheet().replacing("\"assignment_id\"", with: "\"study_id\"")
        #expect(portal.call(.put, path, study, as: .pia).wrongFields == ["questionnaire_id"])
        let outside = study.replacing(
            "\"study_id\"", with: "\"questionnaire_id\": \"\(portal.cast.questionnaire)\", \"study_id\"")
        #expect(portal.call(.put, path, outside, as: .pia).wrongFields == ["study_id"])
    }

    @Test func `D9 a doubled key and an unknown field are refused`() {
        let doubled = sheet().replacing("\"dream\": 0", with: "\"dream\": 0, \"dream\": 0")
        #expect(portal.call(.put, path, doubled, as: .pia).wrongFields == ["answers.dream"])
        #expect(portal.call(.put, path, sheet(more: ", \"note\": 1"), as: .pia).wrongFields == ["note"])
        #expect(portal.call(.put, "/my/contributions/17", sheet(), as: .pia).status == 422)
        #expect(portal.call(.put, path, "[]", as: .pia).status == 400)
        #expect(
            portal.send(.put, "/api/v1" + path, ["Authorization": "Bearer \(portal.cast.tokens[.pia] ?? "")"])
                .status == 415)
    }

    @Test func `TYS-7 sensors are off, taken only where they are asked for, and never in the way`() throws {
        let off = portal.call(.get, "/my/sensor-settings", as: .pia)
        #expect(off.attributes["gps"] == .bool(false) && off.attributes["microphone"] == .bool(false))
        let gps =
            #", "sensors": {"gps": [{"latitude": 48.2, "longitude": 16.3, "measured_at": "2026-11-20T08:41:00Z"}]}"#
        #expect(portal.call(.put, path, sheet(more: gps), as: .pia).wrongFields == ["sensors.gps"])
        try portal.askForSensors("between-sessions")
        let half = portal.call(.put, "/my/sensor-settings", #"{"gps": true}"#, as: .pia)
        #expect(half.wrongFields == ["microphone"])
        let empty = #", "sensors": {"gps": [], "microphone": []}"#
        #expect(portal.call(.put, path, sheet(more: empty), as: .pia).status == 201)
    }

    @Test
    func `ST defect 9 values of a sensor that is switched off by now are dropped, and the sheet is taken`()
        throws
    {
        try portal.askForSensors("between-sessions")
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": false, "microphone": true}"#, as: .pia)
        let values = """
            , "answered_at": {"dream": "2026-11-20T08:41:00Z"},
            "sensors": {"gps": [{"latitude": 48.2, "longitude": 16.3, "measured_at": "2026-11-20T08:41:00Z"}],
                        "microphone": [{"amplitude": 0.5, "measured_at": "2026-11-20T08:41:00Z"}]}
            """
        let sent = portal.call(.put, path, sheet(more: values), as: .pia)
        #expect(sent.status == 201 && sent.attributes["sensors_dropped"] == .array([.string("gps")]))
        let own = portal.call(.get, "/my/export", as: .pia).attributes["contributions"]?.array ?? []
        let kept = own.compactMap { $0["details"] }.first { $0["sensors"] != nil }
        #expect(kept?["sensors"]?["gps"] == nil && kept?["sensors"]?["microphone"]?.array?.count == 1)
        #expect(kept?["answered_at"]?["dream"] != nil)
        // The same again says the same, whatever is switched on by then.
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .pia)
        #expect(portal.call(.put, path, sheet(more: values), as: .pia).status == 200)
        #expect(portal.call(.get, path, as: .pia).attributes["sensors_dropped"] == .array([.string("gps")]))
    }

    @Test func `TYS-7 sensors and single times are stored sealed and belong to what was sent`() throws {
        try portal.askForSensors("between-sessions")
        let on = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .pia)
        #expect(on.status == 200 && on.attributes["gps"] == .bool(true))
        let more = """
            , "answered_at": {"dream": "2026-11-20T08:41:00Z"},
            "sensors": {"gps": [{"latitude": 48.2, "longitude": 16.3, "altitude": null, "measured_at": "2026-11-20T08:41:00Z"}]}
            """
        #expect(portal.call(.put, path, sheet(more: more), as: .pia).status == 201)
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 409)
        #expect(portal.call(.put, path, sheet(more: more), as: .pia).status == 200)
        let unknown = sheet(more: #", "answered_at": {"nightmare": "2026-11-20T08:41:00Z"}"#)
        #expect(portal.call(.put, path, unknown, as: .pia).wrongFields == ["answered_at.nightmare"])
        let bad = sheet(more: #", "sensors": {"gps": [{"latitude": "north"}], "camera": []}"#)
        #expect(
            portal.call(.put, path, bad, as: .pia).wrongFields == [
                "sensors.gps.0.latitude", "sensors.gps.0.longitude", "sensors.gps.0.measured_at",
                "sensors.camera",
            ])
    }

    @Test func `withdrawn meanwhile still takes what was completed before`() {
        let pia = portal.cast.therapies[.pia] ?? ""
        let withdrawal = "/patients/\(pia)/assignments/\(portal.cast.assignment)"
        #expect(portal.call(.delete, withdrawal, as: .ada).status == 204)
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.isEmpty)
        portal.wait(seconds: 600)
        #expect(portal.call(.put, path, sheet(completed: "2026-11-20T09:05:00Z"), as: .pia).status == 409)
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        #expect(portal.call(.delete, withdrawal, as: .ada).status == 204)
    }

    @Test func `an answered assignment cannot be taken back`() throws {
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.put, path, sheet(), as: .pia).status == 201)
        #expect(
            portal.call(.delete, "/patients/\(pia)/assignments/\(portal.cast.assignment)", as: .ada).status
                == 409)
        #expect(try portal.audit().contains("assignment.withdrawn") == false)
    }

    @Test func `D3 an account without a therapist is told so`() {
        let answer = portal.call(.put, path, sheet(), as: .nora)
        #expect(answer.status == 403 && answer.json["message"]?.string?.contains("verbunden") == true)
        #expect(portal.call(.get, "/my/assignments", as: .nora).list.isEmpty)
    }

    @Test func `H1 lists have tags, and time moves the list of assignments on`() throws {
        let list = portal.call(.get, "/my/assignments", as: .pia)
        let tag = try #require(list.headers["ETag"])
        let again = portal.call(.get, "/my/assignments", as: .pia, ["If-None-Match": tag])
        #expect(again.status == 304 && again.bytes.isEmpty && again.headers["ETag"] == tag)
        portal.wait(days: 10)
        let later = portal.call(.get, "/my/assignments", as: .pia, ["If-None-Match": tag])
        #expect(later.status == 200 && later.list.isEmpty)
    }

    @Test func `the language of a questionnaire follows the request and changes the tag`() {
        let german = portal.call(.get, "/questionnaires/\(portal.cast.questionnaire)", as: .pia)
        let english = portal.call(
            .get, "/questionnaires/\(portal.cast.questionnaire)", as: .pia, ["Accept-Language": "en"])
        #expect(
            german.json["meta"]?["language"] == .string("de")
                && english.json["meta"]?["language"] == .string("en"))
        #expect(
            german.headers["ETag"] != english.headers["ETag"] && german.headers["Vary"] == "Accept-Language")
    }

    @Test func `E2 answers, notes and addresses are not readable in the database`() throws {
        let words =
            #"{"format": "intersession-questionnaire/1", "key": "w", "version": 1, "title": {"de": "W"}, "sections": [{"key": "s", "text": {"de": ""}, "questions": [{"key": "w", "type": "text", "text": {"de": "?"}}]}]}"#
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.post, "/questionnaires/import", words, as: .ada).status == 201)
        let assignment = portal.call(
            .post, "/patients/\(pia)/assignments", #"{"questionnaire_key": "w"}"#, as: .ada
        ).id
        let sent = portal.call(
            .put, path,
            sheet(
                assignment: assignment, started: "2026-11-20T09:00:00Z", completed: "2026-11-20T09:00:00Z",
                answers: #""w": "xq7Zz-canary""#), as: .pia)
        #expect(sent.status == 201 && sent.text.contains("xq7Zz-canary"))
        #expect(portal.call(.patch, "/patients/\(pia)", #"{"note": "xq7Zz-canary"}"#, as: .ada).status == 200)
        let stored = try portal.stored()
        for secret in [
            "xq7Zz-canary", "pia@example.org", "Ada Lindner", "1990-05-17", portal.cast.tokens[.pia] ?? "-",
            portal.cast.openCode,
        ] {
            #expect(!stored.holds(secret), "\(secret)")
        }
        // A pseudonym stands in plain text: finding it shows that the search reads what was written.
        #expect(stored.holds("C000001"))
        #expect(!portal.logged.joined().contains("xq7Zz-canary"))
    }

    @Test func `TYS-7 a reading is somewhere on earth, at some time`() throws {
        try portal.askForSensors("between-sessions")
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": true}"#, as: .pia)
        for (reading, field) in [
            (#"{"latitude": 99, "longitude": 16, "measured_at": "2026-11-20T08:41:00Z"}"#, "latitude"),
            (#"{"latitude": 48, "longitude": -999, "measured_at": "2026-11-20T08:41:00Z"}"#, "longitude"),
            (#"{"latitude": 48, "longitude": 16, "measured_at": "now"}"#, "measured_at"),
        ] {
            let body = sheet(more: #", "sensors": {"gps": [\#(reading)]}"#)
            #expect(portal.call(.put, path, body, as: .pia).wrongFields == ["sensors.gps.0.\(field)"])
        }
    }
}
