import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-2: what participants note with a button, and the sheets about it.
@Suite struct EventTests {
    private let portal: TestPortal
    private let desk: StudyDesk
    private let study: String
    private let moment: String
    private let span: String

    private static let event = "3b0c2c44-52b0-4a4c-8a5e-7d3d1f0a9b01"
    private static let other = "3b0c2c44-52b0-4a4c-8a5e-7d3d1f0a9b02"

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
        moment = desk.add("wellbeing-5", to: study, #", "event": "moment""#)
        span = desk.add("between-sessions", to: study, #", "event": "span""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
    }

    private func time(_ seconds: Int64) -> String { portal.now.adding(seconds: seconds).text }

    /// - Parameters:
    ///   - start: seconds from now.
    ///   - end: the same.
    private func note(
        _ item: String, _ id: String = event, at start: String? = nil, until end: String? = nil,
        as person: Person = .nora
    ) -> Response {
        let end = end.map { #", "ended_at": "\#($0)""# } ?? ""
        return portal.call(
            .put, "/my/events/\(id)",
            #"{"item_id": "\#(item)", "started_at": "\#(start ?? time(0))"\#(end)}"#,
            as: person)
    }

    private func events(_ person: Person = .nora) -> [JSON] {
        portal.call(.get, "/my/events", as: person).list
    }

    /// A sheet of the questionnaire with the moment.
    private func answer(
        _ id: String = UUID().uuidString.lowercased(), about event: String? = event, calm: Int = 3,
        completed: String? = nil, more: String = "", as person: Person = .nora
    ) -> Response {
        let completed = completed ?? time(0)
        let about = event.map { #", "event_id": "\#($0)""# } ?? ""
        return portal.call(
            .put, "/my/contributions/\(id)",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))"\(about)\(more),
             "started_at": "\(completed)", "completed_at": "\(completed)", "timezone": "Europe/Vienna",
             "answers": {"enjoyed": 3, "calm": \(calm), "energy": 2, "slept": 4, "company": 3}}
            """, as: person)
    }

    private func tell(_ response: Response, _ status: Int, _ code: String, _ fields: [String] = []) {
        let isTold = response.status == status && response.json["code"]?.string == code
        #expect(isTold && response.wrongFields == fields, "\(response.text)")
    }

    // MARK: Noting

    @Test func `ST-2 an event is noted once, however often it is sent`() throws {
        let start = time(-60)
        let first = note(moment, at: start)
        #expect(first.status == 201, "\(first.text)")
        portal.wait(seconds: 600)
        let again = note(moment, at: start)
        #expect(again.status == 200 && again.attributes == first.attributes)
        #expect(first.attributes["event"] == .string("moment") && first.attributes["ended_at"] == .null)
        #expect(first.attributes["timezone"] == .string("Europe/Vienna"))
        #expect(events().map { $0["id"]?.string } == [Self.event])
        #expect(try portal.audit().count { $0 == "event.noted" } == 1)
    }

    @Test func `ST-2 the end of a span comes later, and an earlier message does not take it away`() throws {
        let start = time(0)
        #expect(note(span, at: start).status == 201)
        portal.wait(seconds: 1800)
        try portal.wait(awake: 0)
        let end = time(0)
        let ended = note(span, at: start, until: end)
        #expect(ended.status == 200 && ended.attributes["ended_at"]?.string == end, "\(ended.text)")
        #expect(note(span, at: start).attributes["ended_at"]?.string == end)
        // A correction counts until a sheet names it, but no beginning after the end.
        let earlier = time(-600)
        #expect(note(span, at: start, until: earlier).attributes["ended_at"]?.string == earlier)
        tell(note(span, at: time(-300)), 422, "invalid", ["started_at"])
    }

    @Test func `ST-2 of what was over long ago nothing is listed, but of what goes on`() throws {
        #expect(note(moment).status == 201)
        #expect(note(span, Self.other).status == 201)
        try portal.wait(awake: 8)
        #expect(events().map { $0["id"]?.string } == [Self.other])
        #expect(note(span, Self.other, at: time(-8 * 86_400), until: time(0)).status == 200)
        #expect(events().isEmpty)
    }

    @Test func `ST-2 what cannot have happened is refused with its place`() {
        tell(note(moment, at: time(301)), 422, "in_future", ["started_at"])
        tell(note(span, at: time(0), until: time(301)), 422, "in_future", ["ended_at"])
        tell(note(span, at: time(0), until: time(-1)), 422, "invalid", ["ended_at"])
        tell(note(moment, at: time(-60), until: time(0)), 422, "invalid", ["ended_at"])
        tell(note(moment, at: time(-3600 - 301)), 422, "before_enrolment", ["started_at"])
        tell(note("", at: time(0)), 422, "invalid", ["item_id"])
        tell(note(UUID().uuidString.lowercased()), 422, "not_in_study", ["item_id"])
        #expect(events().isEmpty)
        // A clock is a little ahead, or a little behind.
        #expect(note(moment, at: time(299)).status == 201)
        #expect(note(moment, Self.other, at: time(-3600 - 299)).status == 201)
    }

    @Test func `ST-2 what has no button takes no events`() {
        let plain = desk.begin(named: "ohne")
        let item = desk.add("wellbeing-5", to: plain)
        #expect(desk.enrol(.nora, in: plain).status == 201)
        tell(note(item), 422, "no_event", ["item_id"])
        #expect(note(moment).status == 201)
        tell(note(span), 409, "other_event")
    }

    @Test func `ST-2 nothing is told of the events of other people, and nothing happens to them`() {
        let start = time(0)
        #expect(note(moment, at: start).status == 201)
        tell(note(moment, at: start, as: .pia), 422, "not_in_study", ["item_id"])
        #expect(desk.enrol(.pia, in: study).status == 201)
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/my/events/\(Self.event)", as: .pia).status == 404)
        // Ids come from devices: the same one may be anybody's.
        #expect(note(moment, as: .pia).status == 201)
        #expect(events(.pia).map { $0["attributes"]?["started_at"]?.string } == [time(0)])
        #expect(events().map { $0["attributes"]?["started_at"]?.string } == [start])
        tell(answer(about: Self.other, as: .pia), 422, "unknown_event", ["event_id"])
    }

    @Test func `ST-2 after the study's end and after leaving no event is taken, before it late ones are`()
        throws
    {
        #expect(note(span).status == 201)
        let start = time(0)
        portal.wait(seconds: 600)
        let stop = portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena)
        #expect(stop.status == 200, "\(stop.text)")
        portal.wait(seconds: 600)
        tell(note(span, at: start, until: time(0)), 409, "was_not_running")
        tell(note(moment, Self.other), 409, "was_not_running")
        #expect(note(moment, Self.other, at: time(-900)).status == 201)
        #expect(note(span, at: start, until: time(-700)).status == 200)
        #expect(portal.change(.patch, "/studies/\(study)", #"{"running": true}"#, as: .lena).status == 200)
        portal.wait(seconds: 600)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora).status == 204)
        portal.wait(seconds: 600)
        let third = UUID().uuidString.lowercased()
        tell(note(moment, third), 409, "left_study")
        #expect(note(moment, third, at: time(-900)).status == 201)
        #expect(try portal.count("study_events") == 3)
        #expect(events().isEmpty)
    }

    @Test func `ST-2 leaving with everything takes events and what is half filled in about them along`()
        throws
    {
        #expect(note(moment).status == 201)
        let kept = portal.call(
            .put, "/my/drafts/\(Self.event)", #"{"answers": {"calm": 2}}"#, as: .nora)
        #expect(kept.status == 201, "\(kept.text)")
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora).status == 204)
        #expect(try portal.count("study_events") == 0)
        #expect(try portal.count("answer_drafts") == 0)
        tell(note(moment, at: time(-30)), 409, "left_study")
    }

    @Test func `ST-2 a questionnaire that was put out of use takes what happened before, and stays`() {
        portal.wait(seconds: 60)
        #expect(note(moment).status == 201)
        let path = "/studies/\(study)/questionnaires/\(moment)"
        portal.wait(seconds: 60)
        #expect(portal.change(.patch, path, #"{"is_active": false}"#, as: .lena).status == 200)
        portal.wait(seconds: 60)
        tell(note(moment, Self.other), 409, "inactive")
        #expect(note(moment, Self.other, at: time(-90)).status == 201)
        tell(portal.change(.delete, path, as: .lena), 409, "questionnaire_answered")
    }

    @Test func `ST-2 on the days of its time point it is taken, late ones too`() throws {
        let dated = desk.begin(
            #"{"time_points": [{"key": "t1", "title": {"de": "Woche"}, "anchor": "enrolment", "day": 1}]}"#,
            named: "tage")
        let item = desk.add("wellbeing-5", to: dated, #", "event": "moment", "time_point": "t1""#)
        #expect(desk.enrol(.nora, in: dated).status == 201)
        tell(note(item), 409, "too_early")
        try portal.wait(awake: 1)
        let then = time(0)
        try portal.wait(awake: 1)
        tell(note(item), 422, "too_late", ["started_at"])
        #expect(note(item, at: then).status == 201)
        // Its sheet is taken afterwards: the event lies on those days.
        let sent = portal.call(
            .put, "/my/contributions/\(Self.other)",
            """
            {"study_id": "\(dated)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))",
             "event_id": "\(Self.event)", "started_at": "\(time(0))", "completed_at": "\(time(0))",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test func `ST-2 a client that notes more than a hundred events a day is faulty`() throws {
        for _ in 0..<100 { #expect(note(moment, UUID().uuidString.lowercased()).status == 201) }
        tell(note(moment), 409, "sheets_a_day")
        #expect(note(span, Self.other).status == 201)
        try portal.wait(awake: 1)
        portal.wait(seconds: 1)
        #expect(note(moment).status == 201)
    }

    // MARK: Sheets about it

    @Test func `ST-2 a sheet names an event of its questionnaire, once`() throws {
        #expect(note(moment, at: time(-60)).status == 201)
        #expect(note(span, Self.other).status == 201)
        tell(answer(about: UUID().uuidString.lowercased()), 422, "unknown_event", ["event_id"])
        tell(answer(about: Self.other), 422, "unknown_event", ["event_id"])
        tell(answer(more: #", "item_id": "\#(span)""#), 422, "unknown_event", ["event_id"])
        tell(answer(completed: time(-60 - 301)), 422, "invalid", ["completed_at"])
        let sheet = UUID().uuidString.lowercased()
        let completed = time(0)
        let sent = answer(sheet, completed: completed)
        #expect(sent.status == 201, "\(sent.text)")
        #expect(answer(sheet, completed: completed).status == 200)
        let told = events().first { $0["id"]?.string == Self.event }
        #expect(told?["attributes"]?["contribution_id"]?.string == sheet)
        // The same answers sent twice are one sheet, others lie with the leads.
        tell(answer(completed: completed), 409, "already_answered")
        let waiting = { portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list }
        let before = waiting().count
        tell(answer(calm: 1), 409, "already_answered")
        #expect(waiting().count == before + 1)
        // Admitted, it stands beside the first and is about no event.
        for one in waiting() {
            let path = "/studies/\(study)/quarantine/\(one["id"]?.string ?? "")/admission"
            #expect(portal.post(path, as: .lena).status == 303)
        }
        #expect(try portal.count("contributions WHERE event_id IS NOT NULL") == 1)
        #expect(try portal.count("contributions WHERE study_id IS NOT NULL") == 2)
        tell(answer(sheet, about: nil, completed: completed), 409, "other_content")
    }

    @Test func `ST-2 a sheet about no event is taken as before`() throws {
        #expect(answer(about: nil).status == 201)
        #expect(answer(about: nil).status == 201)
        #expect(try portal.count("contributions WHERE event_id IS NOT NULL") == 0)
        let asked = portal.call(
            .put, "/my/contributions/\(Self.other)",
            """
            {"assignment_id": "\(Self.event)", "event_id": "\(Self.event)", "started_at": "\(time(0))",
             "completed_at": "\(time(0))", "timezone": "Europe/Vienna", "answers": {}}
            """, as: .nora)
        #expect(asked.wrongFields == ["event_id"], "\(asked.text)")
    }

    @Test func `ST-2 once a sheet names it its times stay, and what goes on can end`() throws {
        let start = time(-60)
        #expect(note(moment, at: time(-30)).status == 201)
        #expect(note(moment, at: start).attributes["started_at"]?.string == start)
        #expect(answer().status == 201)
        tell(note(moment, at: time(-30)), 409, "event_answered")
        #expect(note(moment, at: start).status == 200)
        tell(portal.call(.delete, "/my/events/\(Self.event)", as: .nora), 409, "event_answered")
        #expect(note(span, Self.other, at: start).status == 201)
        let sent = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(desk.version("between-sessions", .nora))",
             "event_id": "\(Self.other)", "started_at": "\(time(0))", "completed_at": "\(time(0))",
             "timezone": "Europe/Vienna", "answers": {"came_back": 3, "hard_moment": 1, "dream": 0,
             "inner_talk": 2, "tried_out": 1, "looked_ahead": 2, "lighter": 3, "heavier": 1}}
            """, as: .nora)
        #expect(sent.status == 201, "\(sent.text)")
        portal.wait(seconds: 600)
        let end = time(0)
        #expect(note(span, Self.other, at: start, until: end).attributes["ended_at"]?.string == end)
        tell(note(span, Self.other, at: start, until: time(-60)), 409, "event_answered")
    }

    @Test func `ST-2 what was noted by mistake can be taken away`() throws {
        #expect(note(moment).status == 201)
        #expect(
            portal.call(.put, "/my/drafts/\(Self.event)", #"{"answers": {"calm": 2}}"#, as: .nora).status
                == 201)
        #expect(portal.call(.delete, "/my/events/\(Self.event)", as: .nora).status == 204)
        #expect(portal.call(.delete, "/my/events/\(Self.event)", as: .nora).status == 404)
        #expect(try events().isEmpty && portal.count("answer_drafts") == 0)
        tell(answer(), 422, "unknown_event", ["event_id"])
        #expect(
            portal.call(.put, "/my/drafts/\(Self.event)", #"{"answers": {"calm": 2}}"#, as: .nora).status
                == 404)
    }

    @Test func `ST-2 an event stays while answers about it wait for the leads, and no longer`() throws {
        #expect(note(moment).status == 201)
        #expect(note(moment, Self.other).status == 201)
        // A clock that is wrong: the answers lie with the leads.
        #expect(answer(completed: time(7200)).status == 422)
        let path = "/studies/\(study)/quarantine"
        let waiting = portal.call(.get, path, as: .lena).list
        #expect(waiting.count == 1)
        tell(portal.call(.delete, "/my/events/\(Self.event)", as: .nora), 409, "event_answered")
        #expect(portal.call(.delete, "/my/events/\(Self.other)", as: .nora).status == 204)
        let discarded = portal.post("\(path)/\(waiting[0]["id"]?.string ?? "")/discard", as: .lena)
        #expect(discarded.status == 303)
        #expect(portal.call(.delete, "/my/events/\(Self.event)", as: .nora).status == 204)
    }

    @Test func `ST-2 each event has a draft of its own, gone with its sheet`() throws {
        #expect(note(moment).status == 201)
        #expect(note(moment, Self.other).status == 201)
        for (event, calm) in [(Self.event, 1), (Self.other, 2)] {
            let kept = portal.call(
                .put, "/my/drafts/\(event)", #"{"answers": {"calm": \#(calm)}}"#, as: .nora)
            #expect(kept.status == 201, "\(kept.text)")
        }
        let calm = { (event: String) in
            portal.call(.get, "/my/drafts/\(event)", as: .nora).attributes["answers"]?["calm"]
        }
        #expect(calm(Self.event) == .number(1) && calm(Self.other) == .number(2))
        #expect(answer().status == 201)
        #expect(calm(Self.event) == nil && calm(Self.other) == .number(2))
        let late = portal.call(.put, "/my/drafts/\(Self.event)", #"{"answers": {"calm": 2}}"#, as: .nora)
        tell(late, 409, "already_answered")
    }

    @Test func `ST-2 the copy of own data has the events`() {
        #expect(note(span, at: time(-60), until: time(0)).status == 201)
        let copy = portal.call(.get, "/my/export", as: .nora).attributes["studies"]?.array
        let own = copy?.flatMap { $0["events"]?.array ?? [] } ?? []
        #expect(own.map { $0["questionnaire_key"] } == [.string("between-sessions")])
        #expect(own.first?["started_at"]?.string == time(-60) && own.first?["ended_at"]?.string == time(0))
    }
}
