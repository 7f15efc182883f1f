import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// What studies ask stands among what waits to be answered, also for those without a therapist.
@Suite struct StudyAssignmentTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func waiting(_ person: Person = .nora) -> [JSON] {
        portal.call(.get, "/my/assignments", as: person).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    static let evening =
        #", "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#

    @Test func `a prompt is there from its moment to the end of the day, and gone once answered`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.evening)
        #expect(desk.enrol(.nora, in: study).status == 201)
        // In the morning the one of the evening is coming.
        let coming = waiting()
        let id = coming.first?["id"]?.string ?? ""
        let attributes = coming.first?["attributes"]
        #expect(coming.count == 1 && attributes?["questionnaire_key"]?.string == "wellbeing-5")
        #expect(attributes?["progress"]?["total"] == .number(5))
        #expect(portal.call(.get, "/my/assignments/\(id)", as: .nora).status == 200)
        #expect(portal.call(.get, "/my/assignments/\(id)", as: .quinn).status == 404)
        // What a phone reports of it is heard.
        let report = #"{"opened_at": "\#(portal.now.text)"}"#
        #expect(portal.call(.patch, "/my/assignments/\(id)", report, as: .nora).id == id)
        #expect(portal.call(.patch, "/my/assignments/\(id)", report, as: .quinn).status == 404)
        #expect(portal.call(.patch, "/my/assignments/\(id)", #"{"seen": true}"#, as: .nora).status == 422)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: id).status == 422)
        let at = try #require(attributes?["available_from"]?.string.flatMap { Instant($0) })
        portal.wait(seconds: at.seconds - portal.now.seconds + 60)
        #expect(waiting().map { $0["id"]?.string } == [id, waiting().last?["id"]?.string])
        let sheet = UUID().uuidString.lowercased()
        let sent = desk.answer("wellbeing-5", in: study, as: .nora, id: sheet, assignment: id)
        #expect(sent.status == 201 && sent.attributes["study_id"]?.string == study, "\(sent.text)")
        #expect(!waiting().contains { $0["id"]?.string == id } && waiting().count == 1)
        // The same again is harmless, another one is too late.
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, id: sheet, assignment: id).status == 200)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: id).status == 409)
        #expect(
            desk.answer("wellbeing-5", in: study, as: .quinn, assignment: id).status == 404
                || desk.answer(
                    "wellbeing-5", in: study, as: .quinn, assignment: id
                ).status == 403)
        try portal.wait(awake: 1)
        #expect(waiting().count == 2)
    }

    @Test
    func `a required baseline comes alone, then what is asked without prompts stays until it was answered`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("between-sessions", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let keys = { waiting().compactMap { $0["attributes"]?["questionnaire_key"]?.string } }
        #expect(keys() == ["wellbeing-5"])
        let id = waiting().first?["id"]?.string ?? ""
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: id).status == 201)
        #expect(keys() == ["between-sessions"])
        let due = waiting().first?["attributes"]?["due_at"]?.string.flatMap { Instant($0) }
        #expect(due.map { $0 > portal.now.adding(days: 300) } == true)
    }

    static let twice =
        #", "schedules": [{"type": "fixed", "at": "13:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}, {"type": "fixed", "at": "18:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#

    @Test func `two prompts of a day are answered in any order, each once`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.twice)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 9 * 3600)
        let ids = waiting().prefix(2).compactMap { $0["id"]?.string }
        let second = UUID().uuidString.lowercased()
        #expect(
            desk.answer("wellbeing-5", in: study, as: .nora, id: second, assignment: ids[1]).status == 201)
        #expect(waiting().first?["id"]?.string == ids[0] && waiting().count == 2)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[1]).status == 409)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: ids[0]).status == 201)
        #expect(
            desk.answer("wellbeing-5", in: study, as: .nora, id: second, assignment: ids[1]).status == 200)
        try portal.wait(awake: 0)
        #expect(prompted(study, "answered") == 2)
    }

    func prompted(_ study: String, _ what: String) -> Int {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return row?[what]?.number.map { Int($0) } ?? -1
    }

    @Test func `what was completed in time comes late, also when the questionnaire went out of use since`()
        throws
    {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study, Self.twice)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 9 * 3600)
        let ids = waiting().compactMap { $0["id"]?.string }
        let completed = portal.now.text
        let sheet = { (at: String, id: String) in
            """
            {"assignment_id": "\(id)", "started_at": "\(at)", "completed_at": "\(at)",
             "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """
        }
        try portal.wait(awake: 1)
        let late = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())", sheet(portal.now.text, ids[0]),
            as: .nora)
        #expect(late.status == 422 && late.json["errors"]?["completed_at"] != nil, "\(late.text)")
        let path = "/studies/\(study)/questionnaires/\(item)"
        #expect(portal.change(.patch, path, #"{"is_active": false}"#, as: .lena).status == 200)
        let put = "/my/contributions/\(UUID().uuidString.lowercased())"
        #expect(portal.call(.put, put, sheet(completed, ids[0]), as: .nora).status == 201)
        #expect(portal.call(.put, put, sheet(completed, ids[0]), as: .nora).status == 200)
    }

    // MARK: Required baselines

    static let monthly =
        #", "is_onetime": true, "baseline": "required", "schedules": [{"type": "fixed", "at": "18:00", "amount": 1, "every": 1, "unit": "month", "start_day": 0}]"#

    @Test func `FD-20 a required baseline that repeats is refused, in the form as over the API`() {
        let study = desk.begin()
        let body = #"{"questionnaire_key": "wellbeing-5", "baseline": "required"\#(Self.evening)}"#
        let refused = portal.call(.post, "/studies/\(study)/questionnaires", body, as: .lena)
        #expect(refused.status == 422 && refused.wrongFields == ["schedules"], "\(refused.text)")
        let item = desk.add("wellbeing-5", to: study, Self.monthly)
        let path = "/studies/\(study)/questionnaires/\(item)"
        #expect(portal.change(.patch, path, #"{"is_onetime": false}"#, as: .lena).status == 422)
        #expect(
            portal.change(.patch, path, #"{"baseline": "recommended", "is_onetime": false}"#, as: .lena)
                .status == 200)
        #expect(portal.change(.patch, path, #"{"baseline": "required"}"#, as: .lena).status == 422)
    }

    @Test func `FD-20 a required baseline stays offered until it is there, however long its time has passed`()
        throws
    {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.monthly)
        _ = desk.add("between-sessions", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 9 * 3600)
        let id = waiting().first?["id"]?.string ?? ""
        let open = {
            waiting().filter { $0["attributes"]?["available_from"]?.string ?? "" <= portal.now.text }
        }
        #expect(open().map { $0["id"]?.string } == [id])
        for _ in 0..<12 {
            try portal.wait(awake: 1)
            #expect(open().map { $0["id"]?.string } == [id])
            #expect(
                portal.call(.get, "/my/overview", as: .nora).attributes["open_questionnaires"] == .number(1))
            let page = portal.get("/my/assignments/\(id)", as: .nora)
            #expect(page.status == 200 && page.text.contains("answers."))
        }
        #expect(
            portal.call(.get, "/my/notifications", as: .nora).list.first?["attributes"]?["subject_id"]?.string
                == desk.item("wellbeing-5", .nora))
        let sheet = UUID().uuidString.lowercased()
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, id: sheet, assignment: id).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, id: sheet, assignment: id).status == 200)
        #expect(waiting().map { $0["attributes"]?["questionnaire_key"]?.string } == ["between-sessions"])
        #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: id).status == 409)
        #expect(prompted(study, "answered") == 1)
    }

    @Test func `FD-20 filled in at will it answers the prompt that was kept`() throws {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.monthly)
        #expect(desk.enrol(.nora, in: study).status == 201)
        try portal.wait(awake: 9)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        #expect(waiting().isEmpty && prompted(study, "answered") == 1)
        #expect(prompted(study, "prompted") == 1)
    }

    @Test func `nothing waits after leaving, nor while the study is stopped`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.evening)
        #expect(desk.enrol(.nora, in: study).status == 201 && waiting().count == 1)
        _ = portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena)
        #expect(waiting().isEmpty)
        _ = portal.change(.patch, "/studies/\(study)", #"{"running": true}"#, as: .lena)
        #expect(waiting().count == 1)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(waiting().isEmpty)
    }

    @Test func `beside those of a therapy, in the order of when they are due`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, Self.evening)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let all = portal.call(.get, "/my/assignments", as: .pia).list.compactMap { $0["attributes"] }
        let due = all.compactMap { $0["due_at"]?.string.flatMap { Instant($0) } }
        #expect(Set(all.compactMap { $0["source"]?.string }).isSuperset(of: ["study"]) && all.count > 1)
        #expect(due == due.sorted() && due.count == all.count)
        let one = portal.call(.get, "/my/assignments?limit=1", as: .pia)
        #expect(one.list.count == 1 && one.json["meta"]?["total"] == .number(Double(all.count)))
    }
}
