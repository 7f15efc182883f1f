import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// FD-21: a study's prompts are pushed as announced, from the moment of enrolling.
@Suite struct StudyPushTests {
    let called: CalledPortal
    let desk: StudyDesk
    var portal: TestPortal { called.portal }

    init() throws {
        called = try CalledPortal()
        desk = StudyDesk(portal: called.portal)
        try called.portal.publish("wellbeing-5")
    }

    @Test func `FD-21 a baseline without prompts is pushed as soon as somebody enrols, and once`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        called.subscribe(.nora)
        // One server that has looked already: it would come by itself only after five minutes.
        var round = try called.round()
        try called.send(&round)
        portal.wait(seconds: 5)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(portal.call(.get, "/my/notifications", as: .nora).list.count == 1)
        #expect(
            portal.call(.get, "/my/overview", as: .nora).attributes["open_questionnaires"] == .number(1))
        portal.wait(seconds: 2)
        try called.send(&round)
        #expect(called.relay.messages.count == 1)
        for _ in 0..<10 {
            try portal.wait(awake: 1)
            try called.send(&round)
        }
        #expect(called.relay.messages.count == 1)
    }

    @Test func `FD-21 who is let in by a lead is called as well, and who answered before is not`() throws {
        let study = desk.begin(#"{"access": "request"}"#)
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        for person in [Person.nora, .quinn] { called.subscribe(person) }
        var round = try called.round()
        try called.send(&round)
        portal.wait(seconds: 5)
        for person in [Person.nora, .quinn] {
            #expect(desk.enrol(person, in: study).status == 202)
        }
        try called.send(&round)
        #expect(called.relay.messages.count == 0)
        for row in portal.call(.get, "/studies/\(study)/participants", as: .lena).list {
            let codename = row["attributes"]?["codename"]?.string ?? ""
            let path = "/studies/\(study)/participants/\(codename)"
            #expect(portal.call(.post, path + "/accept", as: .lena).status == 200)
        }
        #expect(desk.answer("wellbeing-5", in: study, as: .quinn).status == 201)
        portal.wait(seconds: 2)
        try called.send(&round)
        #expect(called.relay.messages.count == 1)
    }

    @Test func `ST-2 a prompt is called again while it is open and unanswered, and counts once`() throws {
        let study = desk.begin()
        let plan = StudyDesk.daily("20:00", startDay: 0).replacing(
            #""unit""#, with: #""expires_after_minutes": 60, "repeat_after_minutes": [10, 30], "unit""#)
        _ = desk.add("wellbeing-5", to: study, plan)
        called.subscribe(.nora)
        #expect(desk.enrol(.nora, in: study).status == 201)
        var round = try called.round()
        let prompt = try #require(Instant("2026-11-20T19:00:00Z"))
        let sent = { (minutes: Int64) -> Int in
            self.portal.wait(seconds: prompt.seconds + minutes * 60 - self.portal.now.seconds)
            try self.portal.wait(awake: 0)
            try self.called.send(&round)
            return self.called.relay.messages.count
        }
        #expect(try sent(0) == 1 && sent(9) == 1 && sent(10) == 2)
        let asked = try #require(
            portal.call(.get, "/my/assignments", as: .nora).list.first {
                $0["attributes"]?["available_from"]?.string == prompt.text
            }?["id"]?.string)
        let calls = portal.call(.get, "/my/notifications", as: .nora).list.filter {
            $0["attributes"]?["assignment_id"]?.string == asked
        }.compactMap(\.["attributes"])
        #expect(
            calls.map { $0["fires_at"]?.string } == ["2026-11-20T19:30:00Z"]
                && calls.first?["call"] == .number(3))
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: asked).status == 201)
        #expect(try sent(30) == 2 && sent(70) == 2)
        // The next day nothing is answered: three calls, and one prompt.
        #expect(try sent(1440) == 3 && sent(1450) == 4 && sent(1470) == 5 && sent(1510) == 5)
        let counts = try portal.services.records.read { connection in
            try connection.count("SELECT count(*) FROM study_reminders WHERE pushed_at IS NOT NULL")
        }
        #expect(counts == 2)
    }

    @Test func `ST-2 what waits lives on where leads take its later calls away`() throws {
        let study = desk.begin()
        let plan = StudyDesk.daily("20:00", startDay: 0)
        let item = desk.add(
            "wellbeing-5", to: study,
            plan.replacing(#""unit""#, with: #""repeat_after_minutes": [10], "unit""#))
        called.subscribe(.nora)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let lives = {
            try portal.services.records.read { connection in
                try connection.all(
                    "SELECT expires_at FROM push_messages WHERE kind = 'prompt' ORDER BY due_at"
                ) {
                    try $0[0] as Instant
                }
            }.map(\.text)
        }
        try called.send()
        #expect(try lives().prefix(2) == ["2026-11-20T19:10:00Z", "2026-11-20T22:59:59Z"])
        let path = "/studies/\(study)/questionnaires/\(item)"
        #expect(portal.change(.patch, path, "{\(plan.dropFirst(2))}", as: .lena).status == 200)
        portal.wait(seconds: 360)
        try called.send()
        #expect(try lives().first == "2026-11-20T22:59:59Z")
    }

    @Test func `ST-2 a server that was away calls once, and not for a call that is over`() throws {
        let study = desk.begin()
        let plan = StudyDesk.daily("20:00", startDay: 0).replacing(
            #""unit""#, with: #""expires_after_minutes": 60, "repeat_after_minutes": [10, 30], "unit""#)
        _ = desk.add("wellbeing-5", to: study, plan)
        called.subscribe(.nora)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let prompt = try #require(Instant("2026-11-20T19:00:00Z"))
        portal.wait(seconds: prompt.seconds + 40 * 60 - portal.now.seconds)
        try portal.wait(awake: 0)
        try called.send()
        #expect(called.relay.messages.count == 1)
    }

    @Test func `FD-22 a newer consent text is pushed without content, once, and not to who has agreed`()
        throws
    {
        let study = desk.begin()
        for person in [Person.nora, .quinn] {
            called.subscribe(person)
            #expect(desk.enrol(person, in: study).status == 201)
        }
        called.subscribe(.pia)
        var round = try called.round()
        try called.send(&round)
        try portal.wait(awake: 2)
        let change = #"{"consent_text": {"de": "Geheimer neuer Text."}}"#
        #expect(portal.change(.patch, "/studies/\(study)", change, as: .lena).status == 200)
        // Agreed to at once: then that device is not called any more.
        let agreed = portal.call(
            .post, "/studies/\(study)/enrolment/consent",
            #"{"consent_accepted": true, "consent_version": 2}"#, as: .quinn)
        #expect(agreed.status == 200)
        portal.wait(seconds: 11)
        try called.send(&round)
        portal.wait(seconds: 3600)
        try called.send(&round)
        #expect(called.relay.messages.count == 1)
        let text = try #require(called.relay.messages.first.flatMap(called.relay.open))
        #expect(text.contains("/my\"") && !text.contains("Geheim") && !text.contains("Stress"))
        #expect(!text.contains(study))
    }

    @Test func `RP-110 a prompt whose moment is measured is urgent, one at a set time is not`() throws {
        let random =
            #", "schedules": [{"type": "between", "amount": 1, "every": 1, "unit": "day", "#
            + #""start": "10:00", "end": "11:00"}]"#
        for (person, schedules) in [(Person.nora, random), (.quinn, StudyDesk.daily("10:30"))] {
            let study = desk.begin(named: "moments-\(person)")
            _ = desk.add("wellbeing-5", to: study, schedules)
            #expect(desk.enrol(person, in: study).status == 201)
            called.subscribe(person)
        }
        try called.send()
        portal.wait(seconds: 3600)
        try called.send()
        let sent = called.relay.messages.map { ($0.path, $0.headers["urgency"]) }
        #expect(Dictionary(uniqueKeysWithValues: sent) == ["/nora": "high", "/quinn": "normal"])
    }
}
