import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// Half-filled answers, continued on another device.
@Suite struct DraftAPITests {
    let portal: TestPortal
    var path: String { "/my/drafts/\(portal.cast.assignment)" }

    init() throws { portal = try TestPortal() }

    func put(_ answers: String, tag: String? = nil, as person: Person = .pia) -> Response {
        let headers: Headers = tag.map { ["If-Match": $0] } ?? [:]
        return portal.call(.put, path, #"{"answers": {\#(answers)}}"#, as: person, headers)
    }

    @Test func `TYT-3 what is half filled in is kept, and continued elsewhere`() throws {
        #expect(portal.call(.get, path, as: .pia).status == 404)
        let made = put(#""dream": 2, "lighter": null"#)
        #expect(made.status == 201 && made.attributes["answers"] == .object([.init("dream", .number(2))]))
        let read = portal.call(.get, path, as: .pia)
        #expect(read.status == 200 && read.bytes == made.bytes)
        let tag = try #require(read.headers["ETag"])
        #expect(made.headers["ETag"] == tag)
        let progress = portal.call(.get, "/my/assignments", as: .pia).list.first?["attributes"]?["progress"]
        #expect(progress == .object([.init("answered", .number(1)), .init("total", .number(8))]))
        #expect(put(#""dream": 2"#).status == 200)
        #expect(put(#""dream": 2, "lighter": 1"#, tag: tag).status == 200)
    }

    @Test func `H5 two devices do not overwrite each other`() throws {
        let tag = try #require(put(#""dream": 2"#).headers["ETag"])
        #expect(put(#""dream": 3"#).status == 428)
        #expect(put(#""dream": 3"#, tag: tag).status == 200)
        #expect(put(#""dream": 4"#, tag: tag).status == 412)
        #expect(portal.call(.get, path, as: .pia).attributes["answers"]?["dream"] == .number(3))
        let other = "/my/drafts/\(portal.cast.questionnaire)"
        let stale = portal.call(.put, other, #"{"answers": {}}"#, as: .pia, ["If-Match": tag])
        #expect(stale.status == 412)
        #expect(portal.call(.put, other, #"{"answers": {}}"#, as: .pia).status == 201)
    }

    @Test func `what cannot be an answer is refused under its name, what is missing is not`() {
        #expect(put(#""dream": 9"#).wrongFields == ["answers.dream"])
        #expect(put(#""nightmare": 1"#).wrongFields == ["answers.nightmare"])
        #expect(portal.call(.put, path, "{}", as: .pia).wrongFields == ["answers"])
        #expect(put("").status == 201)
    }

    @Test func `a draft is nobody else's, not even the therapist's`() {
        #expect(put(#""dream": 2"#).status == 201)
        #expect(portal.call(.get, path, as: .quinn).status == 404)
        #expect(put(#""dream": 2"#, as: .quinn).status == 404)
        #expect(portal.call(.get, path, as: .ada).status == 403)
    }

    @Test func `a draft goes with the sheet that it became`() throws {
        #expect(put(#""dream": 2"#).status == 201)
        let answers = SheetSample.all
        let body = """
            {"assignment_id": "\(portal.cast.assignment)", "started_at": "2026-11-20T08:40:00Z",
             "completed_at": "2026-11-20T08:45:00Z", "timezone": "Europe/Vienna", "answers": {\(answers)}}
            """
        #expect(portal.call(.put, SheetSample.path, body, as: .pia).status == 201)
        #expect(portal.call(.get, path, as: .pia).status == 404)
        #expect(put(#""dream": 2"#).status == 409)
        #expect(try portal.count("answer_drafts") == 0)
    }

    @Test func `drafts are sealed`() throws {
        #expect(put(#""dream": 2"#).status == 201)
        let stored: [UInt8]? = try portal.services.records.read { connection in
            try connection.value("SELECT answers FROM answer_drafts")
        }
        #expect(stored.map { !String(decoding: $0, as: UTF8.self).contains("dream") } == true)
    }

    // MARK: Of a study

    /// A study that asks Nora at one and at six, and the ids of both prompts of this afternoon.
    private func prompts(_ desk: StudyDesk) throws -> (study: String, ids: [String]) {
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("13:00", "18:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 9 * 3600)
        let ids = portal.call(.get, "/my/assignments", as: .nora).list.compactMap { $0["id"]?.string }
        return (study, ids)
    }

    @Test func `FD-53 a study's assignment has a draft that its page, its list and another device show`()
        throws
    {
        let desk = StudyDesk(portal: portal)
        let (study, ids) = try prompts(desk)
        let path = "/my/drafts/\(ids[0])"
        let put = { (body: String, tag: String?, person: Person) in
            portal.call(.put, path, body, as: person, tag.map { ["If-Match": $0] } ?? [:])
        }
        #expect(portal.call(.get, path, as: .nora).status == 404)
        let made = put(#"{"answers": {"calm": 3}}"#, nil, .nora)
        #expect(made.status == 201 && made.id == ids[0], "\(made.text)")
        let read = portal.call(.get, path, as: .nora)
        #expect(read.status == 200 && read.bytes == made.bytes)
        #expect(put(#"{"answers": {"calm": 2}}"#, nil, .nora).status == 428)
        let changed = put(#"{"answers": {"calm": 2, "energy": 1}}"#, read.headers["ETag"], .nora)
        #expect(changed.status == 200 && changed.id == ids[0])
        #expect(put(#"{"answers": {"calm": 4}}"#, read.headers["ETag"], .nora).status == 412)
        #expect(
            put(#"{"answers": {"mood": 4}}"#, changed.headers["ETag"], .nora).wrongFields == ["answers.mood"])
        let progress = portal.call(.get, "/my/assignments/\(ids[0])", as: .nora).attributes["progress"]
        #expect(progress?["answered"] == .number(2))
        let browser = Browser(portal)
        _ = browser.signIn("nora@example.org")
        let page = browser.get("/my/assignments/\(ids[0])").text
        #expect(page.contains("Sie haben schon begonnen"), "\(page)")
        for person in [Person.quinn, .pia] {
            #expect(portal.call(.get, path, as: person).status == 404)
            #expect(put(#"{"answers": {"calm": 3}}"#, nil, person).status == 404)
        }
        // It goes with the sheet that it became, and takes no more.
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        #expect(try portal.count("answer_drafts") == 0)
        #expect(portal.call(.get, path, as: .nora).status == 404)
        #expect(put(#"{"answers": {"calm": 3}}"#, nil, .nora).status == 409)
    }

    @Test func `FD-53 after leaving there is no draft of the study's assignments, and none is taken`() throws
    {
        let desk = StudyDesk(portal: portal)
        let (study, ids) = try prompts(desk)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        let body = #"{"answers": {"calm": 3}}"#
        #expect(portal.call(.put, "/my/drafts/\(ids[1])", body, as: .nora).status == 201)
        let left = portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora)
        #expect((200..<300).contains(left.status), "\(left.text)")
        for id in ids.prefix(2) {
            #expect(portal.call(.get, "/my/drafts/\(id)", as: .nora).status == 404)
            #expect(portal.call(.put, "/my/drafts/\(id)", body, as: .nora).status == 404)
        }
    }
}
