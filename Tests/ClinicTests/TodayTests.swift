import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Clinic
@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-9 to PR-11: the day as an inbox, graded alerts, answers that have to be seen.
@Suite struct TodayTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    init(portal: TestPortal) { self.portal = portal }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var today: String { portal.get("/", as: .ada).text }

    /// A short questionnaire with one question that has to be seen from 2 on.
    func publish() throws {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "weariness", "title": {"de": "Müde"},
             "sections": [{"key": "s", "questions": [
               {"key": "weary", "type": "single", "required": true, "text": {"de": "Ganz ohne Hoffnung"},
                "must_be_seen": {"at_least": 2},
                "options": [{"value": 0, "text": {"de": "nie"}}, {"value": 2, "text": {"de": "oft"}}]},
               {"key": "note", "type": "text", "text": {"de": "Sonst"}}]}],
             "scales": [{"key": "w", "title": {"de": "Last"}, "method": "sum", "items": ["weary"], "range": [0, 2],
                         "higher_is_worse": true}]}
            """
        let answer = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(answer.status == 201, "\(answer.text)")
    }

    @discardableResult
    func send(_ value: Int, _ number: Int = 1, in zone: String = "Europe/Vienna") throws -> String {
        let assigned = portal.call(
            .post, "/patients/\(pia)/assignments",
            #"{"questionnaire_key": "weariness", "available_from": "2026-11-19T08:00:00Z", "due_at": "2026-11-30T08:00:00Z"}"#,
            as: .ada)
        #expect(assigned.status == 201, "\(assigned.text)")
        let at = portal.now.adding(seconds: -60).text
        let id = "5a1c9a0e-98a5-4a9f-8d3e-00000000030\(number)"
        let body =
            #"{"assignment_id": "\#(assigned.id)", "started_at": "\#(at)", "completed_at": "\#(at)", "timezone": "\#(zone)", "answers": {"weary": \#(value)}}"#
        let sent = portal.call(.put, "/my/contributions/\(id)", body, as: .pia)
        #expect(sent.status == 201, "\(sent.text)")
        return id
    }

    @Test
    func `times are those of the patient where the zone differs, on Today, in the list and on the sheet`()
        throws
    {
        try publish()
        let id = try send(0, in: "America/New_York")
        for place in [
            "/", "/patients/\(pia)/contributions?questionnaire_key=weariness",
            "/patients/\(pia)/contributions/\(id)",
        ] {
            let page = portal.get(place, as: .ada).text
            #expect(page.contains("Ortszeit (America/New_York)"), "\(place)")
        }
        // Where it is the same nothing is said of it.
        let own = portal.get("/patients/\(pia)/contributions/\(portal.cast.contribution)", as: .ada).text
        #expect(!own.contains("Ortszeit"))
    }

    // MARK: PR-11

    @Test func `PR-11 such an answer stands on Today, briefing and sheet until somebody says they saw it`()
        throws
    {
        try publish()
        let id = try send(2)
        let line = "„Ganz ohne Hoffnung“: oft (2)"
        let places = ["/", "/patients/\(pia)/briefing", "/patients/\(pia)/contributions/\(id)"]
        for place in places {
            let page = portal.get(place, as: .ada).text
            #expect(page.contains("Antworten, die gesehen werden müssen"), "\(place)")
            #expect(page.contains("„Ganz ohne Hoffnung“") && page.contains("oft (2)"), "\(place)")
        }
        let data = portal.call(.get, "/today", as: .ada).attributes
        #expect(data["must_be_seen"]?.array?.first?["answers"]?.array == [.string(line)])
        // Looking at it is not saying so.
        #expect(today.contains("„Ganz ohne Hoffnung“"))
        let seen = "/patients/\(pia)/contributions/\(id)/seen"
        #expect(portal.post(seen, as: .ben).status == 404)
        #expect(portal.call(.post, seen, as: .ben).status == 404)
        #expect(portal.post(seen, [("back", "/")], as: .ada).status == 303)
        // As long as it can be undone, it stands there as seen.
        portal.wait(seconds: 601)
        for place in places {
            #expect(!portal.get(place, as: .ada).text.contains("gesehen werden müssen"), "\(place)")
        }
        #expect(portal.call(.post, seen, as: .ada).status == 200)
        #expect(try portal.changes().filter { $0 == "contribution.seen" }.count == 1)
    }

    @Test func `PR-11 an answer below the threshold asks for nothing, and phones are not told of it`() throws
    {
        try publish()
        try send(0)
        #expect(!today.contains("gesehen werden müssen"))
        let asked = portal.call(.get, "/my/assignments", as: .pia).list
        let versions = asked.compactMap { $0["attributes"]?["questionnaire_id"]?.string }
        let version = try #require(versions.last)
        #expect(!portal.call(.get, "/questionnaires/\(version)", as: .pia).text.contains("must_be_seen"))
    }

    @Test(arguments: [
        (#"{"at_least": 5}"#, "must_be_seen.at_least"), (#"{"any_of": [1]}"#, "must_be_seen.any_of"),
        (#"{"any_of": []}"#, "must_be_seen.any_of"), (#"{}"#, "must_be_seen"),
        (#"{"at_least": 2, "any_of": [2]}"#, "must_be_seen"), (#"{"from": 2}"#, "must_be_seen.from"),
        ("3", "must_be_seen"),
    ])
    func `PR-11 a mark that could never come true is refused with its place`(mark: String, place: String) {
        let file = """
            {"format": "intersession-questionnaire/1", "key": "weariness", "title": {"de": "Müde"},
             "sections": [{"key": "s", "questions": [
               {"key": "weary", "type": "single", "text": {"de": "Hoffnung"}, "must_be_seen": \(mark),
                "options": [{"value": 0, "text": {"de": "nie"}}, {"value": 2, "text": {"de": "oft"}}]}]}]}
            """
        let answer = portal.call(.post, "/questionnaires/import", file, as: .ada)
        #expect(
            answer.status == 422 && answer.wrongFields.contains("sections[0].questions[0].\(place)"),
            "\(answer.text)")
    }

    // MARK: PR-9

    @Test func `PR-9 what came in stands with its result, and opening the file clears it`() throws {
        try publish()
        #expect(portal.get("/patients/\(pia)", as: .ada).status == 200)
        #expect(today.contains("Seit Ihrem letzten Blick ist nichts Neues gekommen."))
        portal.wait(seconds: 60)
        try send(2)
        #expect(today.contains(/Müde · Last<\/a><\/p>\s*<p class="result__value"><strong>2 von 2<\/strong>/))
        #expect(!today.contains("nichts Neues"))
        // Ben has looked at nothing of hers, and sees nothing of it.
        #expect(!portal.get("/", as: .ben).text.contains("Müde · Last</a>"))
        portal.wait(seconds: 60)
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).status == 200)
        #expect(!today.contains("Müde · Last</a>"))
        // Reading again writes nothing.
        let before = try portal.count("file_looks")
        #expect(portal.get("/patients/\(pia)/timeline", as: .ada).status == 200)
        #expect(try portal.count("file_looks") == before)
    }

    @Test
    func `PR-9 a session that has begun is marked from Today by one button, and the week counts the others`()
        throws
    {
        let start = portal.now.adding(seconds: -600)
        let session = #"{"starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", session, as: .ada).status == 201)
        let page = today
        #expect(
            page.contains("Nicht erschienen?") && page.contains("<strong aria-hidden=\"true\">1</strong>"))
        let action = try #require(page.firstMatch(of: /action="(\/patients\/[^"]*\/state)"/)).1
        let marked = portal.post(String(action), [("state", "missed"), ("back", "/")], as: .ada)
        #expect(marked.status == 303 && marked.headers["Location"] == "/")
        #expect(!today.contains("/state\""))
        let tomorrow = portal.now.adding(days: 1)
        let later =
            #"{"starts_at": "\#(tomorrow.text)", "ends_at": "\#(tomorrow.adding(seconds: 3000).text)"}"#
        #expect(portal.call(.post, "/patients/\(pia)/sessions", later, as: .ada).status == 201)
        #expect(today.contains("id=\"next\"") && today.contains("/patients/\(pia)/briefing"))
        #expect(portal.get("/?day=2026-11-21", as: .ada).text.contains("C000001"))
        #expect(portal.get("/?day=gestern", as: .ada).status == 200)
    }

    // MARK: PR-10

    /// A reaction that alerts whenever the question is answered so.
    func react(_ clause: String) {
        let rule =
            #"{"name": "Achtung", "conditions": [\#(clause)], "rest_days": 1, "alert": "Bitte ansehen", "advice": "Anrufen"}"#
        let made = portal.call(.post, "/rules", rule, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let switched = portal.call(
            .patch, "/rules/\(made.id)", #"{"enabled": true}"#, as: .ada,
            ["If-Match": made.headers["ETag"] ?? ""])
        #expect(switched.status == 200, "\(switched.text)")
    }

    @Test
    func `PR-10 repeats are one row, and one button sees them all`() throws {
        try publish()
        react(
            #"{"kind": "answer", "questionnaire_key": "weariness", "item": "weary", "comparison": "at_least", "value": 2, "times": 1, "of": 1}"#
        )
        try send(2, 1)
        try portal.wait(awake: 2)
        try send(2, 2)
        #expect(try portal.count("alerts") == 2)
        // As before the question had to be seen anyway (PR-27).
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("UPDATE contributions SET must_be_seen = 0")
        }
        let page = portal.get("/alerts", as: .ada).text
        #expect(page.matches(of: /class="rows__entry alert"/).count == 1)
        #expect(page.contains("badge--danger\">Antwort") && page.contains("zum 2. Mal seit 20.11.2026"))
        func numbers() -> [String] {
            today.matches(of: /navigation__count">(\d+)</).map { String($0.1) }
        }
        #expect(numbers() == ["1"])
        let action = try #require(page.firstMatch(of: /action="(\/alerts\/[^"]*\/acknowledgement)"/)).1
        #expect(
            portal.post(String(action), [("comment", "Angerufen"), ("back", "/")], as: .ada).headers[
                "Location"] == "/")
        #expect(numbers().isEmpty)
        let done = portal.call(.get, "/alerts?acknowledged=true", as: .ada).list
        #expect(done.count == 2 && done.allSatisfy { $0["attributes"]?["comment"] == .string("Angerufen") })
        #expect(done.allSatisfy { $0["attributes"]?["grade"] == .string("answer") })
    }

    @Test func `PR-10 silence is a matter of the device, a score is a matter of the course`() throws {
        try publish()
        react(
            #"{"kind": "score", "questionnaire_key": "weariness", "item": "w", "comparison": "at_least", "value": 1, "times": 1, "of": 1}"#
        )
        try send(2)
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("UPDATE contributions SET must_be_seen = 0")
        }
        let grades = portal.call(.get, "/alerts", as: .ada).list.map { $0["attributes"]?["grade"] }
        #expect(grades == [.string("course")])
        let page = portal.get("/alerts", as: .ada).text
        #expect(page.contains("badge--warn\">Verlauf") && !page.contains("badge--danger"))
    }
}
