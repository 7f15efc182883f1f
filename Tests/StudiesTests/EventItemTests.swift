import HTTP
import JSON
import Testing

@testable import PortalTesting
@testable import Web

/// ST-2: questionnaires with a button for an event, as leads make them.
@Suite struct EventItemTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    @Test func `ST-2 participants and leads are told of the button, and it asks nothing`() throws {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study, #", "event": "span""#)
        let plain = desk.add("between-sessions", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let own = portal.call(.get, "/my/questionnaires", as: .nora).list
        let told = own.map { "\($0["id"]?.string ?? "") \($0["attributes"]?["event"]?.string ?? "none")" }
        #expect(Set(told) == ["\(item) span", "\(plain) none"])
        let led = portal.call(.get, "/studies/\(study)/questionnaires/\(item)", as: .lena).attributes
        #expect(led["event"] == .string("span") && led["is_onetime"] == .bool(false))
        let asked = portal.call(.get, "/my/assignments", as: .nora).list
        #expect(asked.compactMap { $0["attributes"]?["questionnaire_key"]?.string } == ["between-sessions"])
        #expect(portal.call(.get, "/my/notifications", as: .nora).list.isEmpty)
    }

    @Test(
        arguments: [
            (#", "event": "moment""#, []), (#", "event": null"#, []),
            (#", "event": "sometimes""#, ["event"]),
            (#", "event": "moment""# + StudyDesk.daily("09:00"), ["schedules"]),
            (#", "event": "moment", "is_onetime": true"#, ["is_onetime"]),
            (#", "event": "span", "baseline": "recommended""#, ["baseline"]),
            (#", "event": "span", "is_schedule_changeable": true"#, ["is_schedule_changeable"]),
        ] as [(String, [String])])
    func `ST-2 with a button there is no schedule, no once only and no baseline`(
        _ sent: String, _ wrong: [String]
    ) {
        let study = desk.begin()
        let made = portal.call(
            .post, "/studies/\(study)/questionnaires", #"{"questionnaire_key": "wellbeing-5"\#(sent)}"#,
            as: .lena)
        #expect(made.wrongFields == wrong && made.status == (wrong.isEmpty ? 201 : 422), "\(made.text)")
    }

    @Test func `ST-2 whether it has a button stays once somebody takes part`() {
        let study = desk.begin()
        let item = desk.add("wellbeing-5", to: study, #", "event": "moment""#)
        let change = { (body: String) in
            portal.change(.patch, "/studies/\(study)/questionnaires/\(item)", body, as: .lena)
        }
        #expect(change(#"{"event": "span"}"#).attributes["event"] == .string("span"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(change(#"{"event": "span", "position": 3}"#).status == 200)
        for body in [#"{"event": "moment"}"#, #"{"event": null}"#] {
            let refused = change(body)
            #expect(refused.status == 409, "\(refused.text)")
            #expect(refused.json["code"] == .string("questionnaire_answered"))
        }
    }

    @Test func `ST-2 at a time point the button is there on its days alone, as often as it happens`() {
        let study = desk.begin(
            #"{"time_points": [{"key": "t1", "title": {"de": "Woche"}, "anchor": "enrolment", "day": 1, "after": 1}]}"#
        )
        let item = desk.add("wellbeing-5", to: study, #", "event": "moment", "time_point": "t1""#)
        let led = portal.call(.get, "/studies/\(study)/questionnaires/\(item)", as: .lena).attributes
        #expect(led["is_onetime"] == .bool(false))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let own = { portal.call(.get, "/my/questionnaires", as: .nora).list.map { $0["id"]?.string } }
        #expect(own().isEmpty)
        portal.wait(days: 1)
        #expect(own() == [item])
        #expect(portal.call(.get, "/my/assignments", as: .nora).list.isEmpty)
    }

    @Test func `ST-2 the form of leads has the button, and a copy of the study keeps it`() throws {
        let study = desk.begin()
        let list = "/studies/\(study)/questionnaires"
        let submit = { (typed: [String: String], path: String) -> Response in
            let html = portal.get(path, as: .lena).text
            let form = try #require(FilledForm.read(html, action: path, typed: typed))
            return portal.post(form.address, form.fields, as: .lena)
        }
        let wrong = try submit(
            ["questionnaire_key": "wellbeing-5", "event": "moment", "type": "fixed", "at": "09:00"], list)
        #expect(wrong.status == 422 && wrong.text.contains("hat keinen Zeitplan"), "\(wrong.text)")
        let made = try submit(["questionnaire_key": "wellbeing-5", "event": "moment"], list)
        #expect(made.status == 303, "\(made.text)")
        #expect(portal.get(list, as: .lena).text.contains("mit einem Knopf: ein Moment"))
        let page = try #require(made.headers["Location"])
        #expect(portal.get(page, as: .lena).text.contains(#"<option value="moment" selected>"#))
        #expect(try submit(["event": "span"], page).status == 303)
        let copied = portal.post("/studies/\(study)/copy", as: .lena)
        let copy = copied.headers["Location"]?.split(separator: "/").dropFirst().first ?? ""
        let items = portal.call(.get, "/studies/\(copy)/questionnaires", as: .lena).list
        #expect(items.map { $0["attributes"]?["event"] } == [.string("span")], "\(copied.text)")
    }
}
