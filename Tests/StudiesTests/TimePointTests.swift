import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Web

/// ST-1: what a study asks at time points.
@Suite struct TimePointTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    /// It is Friday, the 20th of November, in the morning.
    private static let points = """
        {"time_points": [
            {"key": "t0", "title": {"de": "Beginn", "en": "Begin"}, "anchor": "enrolment", "day": 0, "after": 1},
            {"key": "t1", "title": {"de": "Ende"}, "anchor": "enrolment", "day": 3, "before": 1, "after": 1},
            {"key": "t2", "title": {"de": "Herbst"}, "anchor": "date", "on": "2026-11-20", "after": 3},
            {"key": "op", "title": {"de": "Operation"}, "anchor": "lead", "after": 2}]}
        """

    private func at(_ point: String, _ more: String = "") -> String {
        ", \"time_point\": \"\(point)\"\(more)"
    }

    private func wait(until moment: String) throws {
        let moment = try #require(Instant(moment))
        portal.wait(seconds: moment.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func asked() -> [JSON] {
        portal.call(.get, "/my/assignments", as: .nora).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    private func open() -> [JSON] {
        asked().filter {
            Instant($0["attributes"]?["available_from"]?.string ?? "") ?? .distantFuture <= portal.now
        }
    }

    private func window(_ asked: JSON?) -> [String] {
        ["available_from", "due_at"].map { asked?["attributes"]?[$0]?.string ?? "" }
    }

    private func send(_ reason: String, completed: String? = nil) -> Response {
        let completed = completed ?? portal.now.text
        return portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {\(reason), "started_at": "\(completed)", "completed_at": "\(completed)",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
    }

    private func at(will study: String, _ more: String = "") -> String {
        let items = portal.call(.get, "/studies/\(study)/questionnaires", as: .lena).list
        let version = items.first?["attributes"]?["questionnaire_id"]?.string ?? ""
        return #""study_id": "\#(study)", "questionnaire_id": "\#(version)"\#(more)"#
    }

    /// What the long file says of each occasion: its time point, its number and what became of the prompt.
    private func rows(_ study: String) throws -> [String] {
        let lines = try desk.text(study, "wide").split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let head = try #require(lines.first)
        let places = try ["time_point", "occasion", "prompt_state"].map { name in
            try #require(head.firstIndex(of: name))
        }
        return lines.dropFirst().map { line in places.map { line[$0] }.joined(separator: " ") }
    }

    @Test func `ST-1 the same questionnaire is asked once on the days of each of its time points`() throws {
        let study = desk.begin(Self.points)
        let first = desk.add("wellbeing-5", to: study, at("t0"))
        let second = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(open().map(window) == [[portal.now.text, "2026-11-21T22:59:59Z"]])
        // Of a later one nothing is told before its first day.
        let listed = { portal.call(.get, "/my/questionnaires", as: .nora).list }
        #expect(listed().map { $0["id"]?.string } == [first])
        #expect(send(at(will: study)).status == 201)
        #expect(open().isEmpty)
        #expect(send(at(will: study)).status == 409)
        try wait(until: "2026-11-22T08:00:00Z")
        #expect(open().map(window) == [["2026-11-21T23:00:00Z", "2026-11-24T22:59:59Z"]])
        #expect(listed().map { $0["id"]?.string } == [first, second])
        #expect(listed().map { $0["attributes"]?["is_filled_out"] } == [.bool(true), .bool(false)])
        #expect(listed().map { $0["attributes"]?["time_point"]?.string } == ["t0", "t1"])
        #expect(listed().map { $0["attributes"]?["time_point_title"]?.string } == ["Beginn", "Ende"])
        let told = portal.call(.get, "/my/notifications", as: .nora).list
        #expect(told.contains { $0["attributes"]?["fires_at"]?.string == "2026-11-22T09:00:00Z" })
        #expect(try rows(study) == ["t0 1 answered"])
        let held = open().first?["id"]?.string ?? ""
        try wait(until: "2026-11-25T08:00:00Z")
        #expect(try open().isEmpty && rows(study) == ["t0 1 answered", "t1 2 missed"])
        let late = send(#""assignment_id": "\#(held)""#)
        #expect(late.status == 422 && late.text.contains("too_late"), "\(late.text)")
        let kept = portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list
        #expect(kept.map { $0["attributes"]?["reason"]?.string } == ["ended"])
        // Completed on the last day it is taken whenever it arrives.
        let sent = send(#""assignment_id": "\#(held)""#, completed: "2026-11-24T20:00:00Z")
        #expect(try sent.status == 201 && rows(study) == ["t0 1 answered", "t1 2 answered"], "\(sent.text)")
    }

    @Test func `ST-1 a device that tells whole seconds may answer in the second of enrolling`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t0"))
        portal.wait(milliseconds: 700)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let sent = send(at(will: study), completed: Instant(milliseconds: portal.now.seconds * 1000).text)
        #expect(sent.status == 201, "\(sent.text)")
    }

    @Test func `ST-1 where two are open at once a sheet has to say which it is`() throws {
        let study = desk.begin(Self.points)
        let first = desk.add("wellbeing-5", to: study, at("t0"))
        let second = desk.add("wellbeing-5", to: study, at("t2"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let vague = send(at(will: study))
        #expect(vague.status == 422 && vague.json["code"]?.string == "item_needed", "\(vague.text)")
        #expect(vague.wrongFields == ["item_id"])
        let foreign = send(at(will: study, #", "item_id": "\#(UUID().uuidString.lowercased())""#))
        #expect(foreign.wrongFields == ["item_id"])
        #expect(send(at(will: study, #", "item_id": "\#(first)""#)).status == 201)
        // What is left open is the only one.
        #expect(send(at(will: study)).status == 201)
        #expect(send(at(will: study, #", "item_id": "\#(second)""#)).status == 409)
        #expect(try rows(study) == ["t0 1 answered", "t2 2 answered"])
        try wait(until: "2026-11-26T08:00:00Z")
        let over = send(at(will: study, #", "item_id": "\#(first)""#))
        #expect(over.status == 409, "\(over.text)")
    }

    @Test func `ST-1 half-filled answers of one time point are not those of another`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t0"))
        _ = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let id = open().first?["id"]?.string ?? ""
        let kept = portal.call(.put, "/my/drafts/\(id)", #"{"answers": {"calm": 2}}"#, as: .nora)
        #expect(kept.status == 201, "\(kept.text)")
        #expect(portal.call(.get, "/my/drafts/\(id)", as: .nora).status == 200)
        #expect(open().first?["attributes"]?["progress"]?["answered"]?.number == 1)
        try wait(until: "2026-11-23T08:00:00Z")
        let next = open().first
        #expect(next?["attributes"]?["progress"]?["answered"]?.number == 0)
        #expect(portal.call(.get, "/my/drafts/\(next?["id"]?.string ?? "")", as: .nora).status == 404)
    }

    @Test func `ST-1 a lead enters the date from which a participant's days are counted`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("op"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let people = portal.call(.get, "/studies/\(study)/participants", as: .lena).list
        let name = people.first?["attributes"]?["codename"]?.string ?? ""
        let path = "/studies/\(study)/participants/\(name)/anchors"
        #expect(asked().isEmpty)
        #expect(
            portal.call(.get, path, as: .lena).list.map { $0["attributes"] } == [
                .object([.init("key", .string("op")), .init("date", .null), .init("dates", .null)])
            ])
        #expect(portal.call(.put, path + "/t9", #"{"date": "2026-11-23"}"#, as: .lena).status == 404)
        #expect(portal.call(.put, path + "/t0", #"{"date": "2026-11-23"}"#, as: .lena).status == 409)
        #expect(portal.call(.put, path + "/op", #"{"date": "gestern"}"#, as: .lena).wrongFields == ["date"])
        #expect(portal.call(.put, path + "/op", "{}", as: .lena).wrongFields == ["date"])
        #expect(portal.call(.put, path + "/op", #"{"date": "2026-11-23"}"#, as: .leo).status == 404)
        #expect(portal.call(.put, path + "/op", #"{"date": "2026-11-23"}"#, as: .lena).status == 200)
        // Nothing was asked by it yet.
        #expect(portal.call(.delete, path + "/op", as: .lena).status == 204)
        #expect(portal.change(.put, path + "/op", #"{"date": "2026-11-23"}"#, as: .lena).status == 200)
        try wait(until: "2026-11-23T08:00:00Z")
        #expect(open().map(window) == [["2026-11-22T23:00:00Z", "2026-11-25T22:59:59Z"]])
        #expect(portal.call(.delete, path + "/op", as: .lena).status == 409)
        // Two leads at once: the second one has not seen the date of the first.
        let unseen = portal.call(.put, path + "/op", #"{"date": "2026-11-24"}"#, as: .lena)
        #expect(unseen.status == 428, "\(unseen.text)")
        let held = open().first?["id"]?.string ?? ""
        #expect(portal.change(.put, path + "/op", #"{"date": "2026-11-24"}"#, as: .lena).status == 200)
        // It was open already, and goes on for a day longer; to the phone it is the same.
        #expect(open().map(window) == [["2026-11-22T23:00:00Z", "2026-11-26T22:59:59Z"]])
        #expect(open().first?["id"]?.string == held)
        // Far away it is another window, and the one before was not missed.
        #expect(portal.change(.put, path + "/op", #"{"date": "2026-12-24"}"#, as: .lena).status == 200)
        #expect(open().isEmpty)
        try wait(until: "2026-12-24T08:00:00Z")
        #expect(open().first?["id"]?.string == held)
        try wait(until: "2026-12-28T08:00:00Z")
        #expect(try rows(study) == ["op 1 missed"])
    }

    @Test func `ST-1 days that leads move count from now on`() throws {
        let study = desk.begin(Self.points)
        let item = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let used = portal.change(.patch, "/studies/\(study)", #"{"time_points": []}"#, as: .lena)
        #expect(used.status == 422 && used.wrongFields == ["time_points"], "\(used.text)")
        let later = Self.points.replacing(#""day": 3"#, with: #""day": 10"#)
        #expect(portal.change(.patch, "/studies/\(study)", later, as: .lena).status == 200)
        try wait(until: "2026-11-23T08:00:00Z")
        #expect(open().isEmpty)
        try wait(until: "2026-11-30T08:00:00Z")
        #expect(open().map(window) == [["2026-11-28T23:00:00Z", "2026-12-01T22:59:59Z"]])
        #expect(send(at(will: study)).status == 201)
        let path = "/studies/\(study)/questionnaires/\(item)"
        let timed = portal.change(
            .patch, path, "{\(StudyDesk.daily("20:00").dropFirst(2))}", as: .lena)
        #expect(timed.status == 409, "\(timed.text)")
        let moved = portal.change(.patch, path, #"{"time_point": "t0"}"#, as: .lena)
        #expect(
            moved.status == 409 && moved.json["code"]?.string == "questionnaire_answered", "\(moved.text)")
        // Answered, it is not asked again on new days.
        let again = Self.points.replacing(#""day": 3"#, with: #""day": 20"#)
        #expect(portal.change(.patch, "/studies/\(study)", again, as: .lena).status == 200)
        try wait(until: "2026-12-10T08:00:00Z")
        #expect(try open().isEmpty && rows(study) == ["t1 1 answered"])
    }

    /// Moves the days of the study's second time point to another day after enrolling.
    private func move(_ study: String, to day: Int) {
        let moved = Self.points.replacing(#""day": 3"#, with: "\"day\": \(day)")
        #expect(portal.change(.patch, "/studies/\(study)", moved, as: .lena).status == 200)
    }

    @Test(arguments: [20, 200], ["07", "10"])
    func `ST-1 what a phone answered on days that were moved since is taken`(_ day: Int, _ hour: String)
        throws
    {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-23T08:00:00Z")
        let held = open().first?["id"]?.string ?? ""
        move(study, to: day)
        try wait(until: "2026-11-23T12:00:00Z")
        #expect(open().isEmpty)
        // Without a network, before it was moved and after: the phone could not know of it.
        let sent = send(#""assignment_id": "\#(held)""#, completed: "2026-11-23T\(hour):00:00Z")
        #expect(sent.status == 201, "\(sent.text)")
        #expect(try rows(study) == ["t1 1 answered"])
    }

    @Test func `ST-1 a sheet that says nothing belongs to the days of its completion`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t0"))
        _ = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let completed = "2026-11-21T20:00:00Z"
        try wait(until: "2026-11-22T08:00:00Z")
        #expect(open().count == 1)
        let sent = send(at(will: study), completed: completed)
        #expect(sent.status == 201, "\(sent.text)")
        #expect(try rows(study) == ["t0 1 answered"] && open().count == 1)
        // The same answers at the next time point are no sheet that was sent twice, and its page leads to its own.
        #expect(send(at(will: study)).status == 201)
        #expect(try rows(study) == ["t0 1 answered", "t1 2 answered"])
    }

    @Test func `ST-1 a phone that is days ahead answers the time point of today, also when it is admitted`()
        throws
    {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t0"))
        _ = desk.add("wellbeing-5", to: study, at("t1"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let ahead = send(at(will: study), completed: "2026-11-22T20:00:00Z")
        #expect(ahead.status == 422 && ahead.wrongFields == ["completed_at"], "\(ahead.text)")
        let kept = portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list
        #expect(kept.map { $0["attributes"]?["reason"]?.string } == ["clock"])
        let path = "/studies/\(study)/quarantine/\(kept.first?["id"]?.string ?? "")/admission"
        // Also once the next time point has begun.
        try wait(until: "2026-11-22T08:00:00Z")
        #expect(portal.call(.post, path, as: .lena).status == 204)
        #expect(try rows(study) == ["t0 1 answered"] && open().count == 1)
    }

    @Test func `ST-1 a date taken back does not bring back the days before it`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("op"))
        let name = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
        let path = "/studies/\(study)/participants/\(name)/anchors/op"
        let enter = { (date: String) in
            portal.change(.put, path, "{\"date\": \"\(date)\"}", as: .lena).status
        }
        #expect(enter("2026-11-20") == 200 && open().count == 1)
        portal.wait(seconds: 60)
        #expect(enter("2026-12-20") == 200 && open().isEmpty)
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, path, as: .lena).status == 204)
        #expect(asked().isEmpty)
        try wait(until: "2026-11-24T08:00:00Z")
        #expect(try open().isEmpty && rows(study) == [])
    }

    @Test func `ST-1 days that were cut end now, and numbers of what is open are kept`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t2"))
        _ = desk.add("wellbeing-5", to: study, at("t0"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-22T12:00:00Z")
        // The first one of both can still be answered: its number is kept free.
        #expect(try rows(study) == ["t0 2 missed"])
        let cut = Self.points.replacing(#""after": 3"#, with: #""after": 1"#)
        #expect(portal.change(.patch, "/studies/\(study)", cut, as: .lena).status == 200)
        try wait(until: "2026-11-22T13:00:00Z")
        #expect(try open().isEmpty && rows(study) == ["t2 1 missed", "t0 2 missed"])
    }

    @Test func `ST-1 prompts of a phase come on its days`() throws {
        let study = desk.begin(Self.points)
        _ = desk.add("wellbeing-5", to: study, at("t1", StudyDesk.daily("20:00", startDay: 0)))
        #expect(desk.enrol(.nora, in: study).status == 201)
        try wait(until: "2026-11-20T20:00:00Z")
        #expect(open().isEmpty)
        #expect(send(at(will: study)).json["code"]?.string == "too_early")
        for day in 22...24 {
            try wait(until: "2026-11-\(day)T19:30:00Z")
            #expect(open().map(window) == [["2026-11-\(day)T19:00:00Z", "2026-11-\(day)T22:59:59Z"]])
        }
        try wait(until: "2026-11-25T20:00:00Z")
        #expect(try open().isEmpty && rows(study).count == 3)
        let over = send(at(will: study))
        #expect(over.status == 422 && over.text.contains("too_late"), "\(over.text)")
    }

    @Test func `ST-1 paper says which of several time points it is`() throws {
        let study = desk.begin(Self.points)
        let first = desk.add("wellbeing-5", to: study, at("t0"))
        let second = desk.add("wellbeing-5", to: study, at("t1"))
        let entered = portal.call(
            .post, "/studies/\(study)/participants",
            #"{"codename": "AB1234", "consented_on": "2026-11-20", "consent_version": 1}"#, as: .lena)
        #expect(entered.status == 201, "\(entered.text)")
        let paper = { (more: String, hoursAgo: Int64) in
            portal.call(
                .post, "/studies/\(study)/participants/AB1234/contributions",
                """
                {"questionnaire_key": "wellbeing-5"\(more), "completed_at":
                 "\(portal.now.adding(seconds: -3600 * hoursAgo).text)", "answers": \(StudyDesk.wellbeing)}
                """, as: .lena)
        }
        let vague = paper("", 0)
        #expect(vague.wrongFields == ["item_id"] && vague.status == 422)
        #expect(paper(#", "item_id": "\#(second)""#, 0).status == 204)
        #expect(paper(#", "item_id": "\#(second)""#, 1).status == 409)
        #expect(paper(#", "item_id": "\#(first)""#, 2).status == 204)
        #expect(try rows(study) == ["t0 1 ", "t1 2 "])
        let page = portal.get("/studies/\(study)/participants/AB1234", as: .lena).text
        #expect(page.contains("(Beginn)") && page.contains("(Ende)"))
    }

    /// Sends a form of a page as it is drawn, with what is typed into it.
    private func submit(_ action: String, on page: String? = nil, _ typed: [String: String] = [:]) throws
        -> Response
    {
        let html = portal.get(page ?? action, as: .lena).text
        let form = try #require(FilledForm.read(html, action: action, typed: typed))
        return portal.post(form.address, form.fields, as: .lena)
    }

    @Test func `ST-1 the portal keeps time points, and shows where a participant stands`() throws {
        let study = desk.begin()
        let path = "/studies/\(study)/time-points"
        let typed = ["key": "t0", "title_de": "Beginn", "anchor": "lead", "after": "2"]
        let made = try submit(path + "/new", typed)
        #expect(made.status == 303, "\(made.text)")
        let twice = try submit(path + "/new", typed)
        #expect(
            twice.status == 422 && twice.text.contains("anderer Zeitpunkt") && twice.text.contains("Beginn"))
        let item = desk.add("wellbeing-5", to: study, at("t0"))
        #expect(try submit(path + "/t0/removal", on: path + "/t0").status == 303)
        #expect(
            portal.call(.get, "/studies/\(study)", as: .lena).attributes["time_points"]?.array?.count == 1)
        let list = portal.get("/studies/\(study)/questionnaires", as: .lena).text
        #expect(
            list.contains("Tag 0 bis 2 ab dem eingetragenen Datum") && list.contains("einmal an den Tagen"))
        let form = portal.get("/studies/\(study)/questionnaires/\(item)", as: .lena).text
        #expect(form.contains(#"<option value="t0" selected>Beginn</option>"#))
        let name = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
        let person = "/studies/\(study)/participants/\(name)"
        #expect(portal.get(person, as: .lena).text.contains("noch kein Datum"))
        #expect(try submit(person + "/anchors/t0", on: person, ["date": "2026-11-20"]).status == 303)
        #expect(open().count == 1)
        #expect(portal.get(person, as: .lena).text.contains("20.11.2026 – 22.11.2026"))
        let wrong = try submit(person + "/anchors/t0", on: person, ["date": "morgen"])
        #expect(wrong.status == 422 && wrong.text.contains("morgen"))
        // What something was asked by stays.
        #expect(try submit(person + "/anchors/t0", on: person, ["date": ""]).status == 303)
        #expect(open().count == 1)
    }

    @Test(
        arguments: [
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "enrolment"}"#, nil),
            (#"{"title": {"de": "A"}, "anchor": "enrolment"}"#, "key"),
            (#"{"key": "T 0", "title": {"de": "A"}, "anchor": "enrolment"}"#, "key"),
            (#"{"key": "t0", "anchor": "enrolment"}"#, "title"),
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "moon"}"#, "anchor"),
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "date"}"#, "on"),
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "date", "on": "31.12."}"#, "on"),
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "enrolment", "after": -1}"#, "after"),
            (#"{"key": "t0", "title": {"de": "A"}, "anchor": "enrolment", "day": 99999}"#, "day"),
        ] as [(String, String?)])
    func `ST-1 a time point that is none is refused with its place`(_ point: String, _ wrong: String?) throws
    {
        let study = desk.begin()
        let changed = portal.change(
            .patch, "/studies/\(study)", "{\"time_points\": [\(point)]}", as: .lena)
        #expect(changed.wrongFields == (wrong.map { ["time_points.0.\($0)"] } ?? []), "\(changed.text)")
        let twice = portal.change(
            .patch, "/studies/\(study)", "{\"time_points\": [\(point), \(point)]}", as: .lena)
        #expect(wrong != nil || twice.wrongFields == ["time_points.1.key"])
        let unknown = portal.call(
            .post, "/studies/\(study)/questionnaires",
            #"{"questionnaire_key": "wellbeing-5", "time_point": "t7"}"#, as: .lena)
        #expect(unknown.wrongFields == ["time_point"])
    }
}
