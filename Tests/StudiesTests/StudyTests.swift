import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// TYS-1 to TYS-3, IO-20: studies, their participants, and what is disclosed of them.
@Suite struct StudyTests {
    let portal: TestPortal
    let desk: StudyDesk
    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
    }

    // MARK: Leads

    @Test func `TYS-1 a study is begun, shown in both languages, changed and found by its code`() {
        let id = desk.begin()
        let mine = portal.call(.get, "/studies/\(id)", as: .lena, ["Accept-Language": "en"]).attributes
        #expect(mine["title"]?.string == "Everyday stress" && mine["running"] == .bool(true))
        #expect(mine["lead"]?["consent_version"] == .number(1) && mine["enrolled"] == .bool(false))
        let other = portal.call(.get, "/studies/\(id)", as: .nora).attributes
        #expect(other["title"]?.string == "Stress im Alltag" && other["lead"] == .null)
        #expect(portal.call(.get, "/studies", as: .nora).list.map { $0["id"]?.string } == [id])
        let hidden = portal.change(.patch, "/studies/\(id)", #"{"is_hidden": true}"#, as: .lena).attributes
        #expect(portal.call(.get, "/studies/\(id)", as: .nora).status == 404)
        let code = hidden["lead"]?["code"]?.string ?? ""
        #expect(portal.call(.get, "/studies?code=\(code)", as: .nora).list.map { $0["id"]?.string } == [id])
    }

    static let wrong: [(String, [String])] = [
        (#"{}"#, ["name", "title"]),
        (#"{"name": "Groß Schreibung", "title": {"de": "x"}}"#, ["name"]),
        (#"{"name": "a", "title": {"de": ""}}"#, ["title"]),
        (
            #"{"name": "a", "title": {"de": "x"}, "starts_at": "2026-12-01T00:00:00Z", "ends_at": "2026-11-30T00:00:00Z"}"#,
            ["ends_at"]
        ),
        (#"{"name": "a", "title": {"de": "x"}, "access": "password"}"#, ["password"]),
        (#"{"name": "a", "title": {"de": "x"}, "access": "password", "password": "kurz"}"#, ["password"]),
        (#"{"name": "a", "title": {"de": "x"}, "access": "friends"}"#, ["access"]),
        (#"{"name": "a", "title": {"de": "x"}, "running": true}"#, ["consent_text"]),
        (#"{"name": "a", "title": {"Deutsch": "x"}}"#, ["title.Deutsch", "title"]),
        (#"{"name": "alltag", "title": {"de": "x"}}"#, ["name"]),
    ]

    @Test(arguments: wrong.indices) func `TYS-1 bad input names its field and begins nothing`(index: Int)
        throws
    {
        let (json, fields) = Self.wrong[index]
        let before = try portal.count("studies")
        let response = portal.call(.post, "/studies", json, as: .lena)
        #expect(response.status == 422 && Set(response.wrongFields) == Set(fields), "\(response.text)")
        #expect(try portal.count("studies") == before)
    }

    @Test func `D2 another lead's study is not found`() throws {
        let id = desk.begin()
        try portal.services.records.writeUnaudited(.madeUp) {
            [ada = portal.cast.accounts[.ada] ?? ""] connection in
            try connection.run("UPDATE study_leads SET account_id = \(ada) WHERE study_id = \(id)")
        }
        for end in ["", "/participants", "/questionnaires", "/export"] {
            #expect(portal.call(.get, "/studies/\(id)\(end)", as: .lena).status == 404, "\(end)")
        }
        #expect(portal.change(.patch, "/studies/\(id)", #"{"running": false}"#, as: .lena).status == 404)
        #expect(portal.call(.delete, "/studies/\(id)", as: .lena).status == 404)
        #expect(portal.get("/studies/\(id)", as: .lena).status == 404)
        #expect(portal.call(.get, "/studies", as: .lena).list.count == 1)
    }

    @Test func `a new consent text is the next version, and who agreed stays with theirs`() {
        let id = desk.begin()
        #expect(desk.enrol(.nora, in: id).status == 201)
        let next = portal.change(
            .patch, "/studies/\(id)", #"{"consent_text": {"de": "Ich nehme freiwillig teil, neu."}}"#,
            as: .lena)
        #expect(next.attributes["lead"]?["consent_version"] == .number(2))
        let same = portal.change(.patch, "/studies/\(id)", #"{"is_private": true}"#, as: .lena)
        #expect(same.attributes["lead"]?["consent_version"] == .number(2))
        #expect(desk.enrol(.quinn, in: id).status == 201)
        let versions = portal.call(.get, "/studies/\(id)/participants", as: .lena).list.map {
            $0["attributes"]?["consent_version"]
        }
        #expect(versions.contains(.number(1)) && versions.contains(.number(2)))
    }

    @Test func `a study with data is archived, never deleted`() {
        let id = desk.begin()
        #expect(desk.enrol(.nora, in: id).status == 201)
        #expect(portal.call(.delete, "/studies/\(id)", as: .lena).status == 409)
        let archived = portal.change(.patch, "/studies/\(id)", #"{"archived": true}"#, as: .lena).attributes
        #expect(archived["running"] == .bool(false) && archived["lead"]?["archived_at"] != .null)
        #expect(desk.enrol(.quinn, in: id).status == 404)
        let empty = desk.begin(named: "zweite")
        #expect(portal.call(.delete, "/studies/\(empty)", as: .lena).status == 204)
        #expect(portal.call(.get, "/studies/\(empty)", as: .lena).status == 404)
    }

    // MARK: Taking part

    @Test func `TYS-1 a password lets in, ten wrong ones do not, and a new one throws nobody out`() {
        let id = desk.begin(#"{"access": "password", "password": "geheim-1"}"#)
        for _ in 0..<9 {
            #expect(
                desk.enrol(.nora, in: id, #"{"consent_accepted": true, "password": "falsch"}"#).status == 403)
        }
        #expect(
            desk.enrol(.nora, in: id, #"{"consent_accepted": true, "password": "geheim-1"}"#).status == 201)
        _ = portal.change(.patch, "/studies/\(id)", #"{"password": "geheim-2"}"#, as: .lena)
        #expect(portal.call(.get, "/my/studies", as: .nora).list.contains { $0["id"]?.string == id })
        for _ in 0..<10 {
            #expect(
                desk.enrol(.quinn, in: id, #"{"consent_accepted": true, "password": "geheim-1"}"#).status
                    == 403)
        }
        let late = desk.enrol(.quinn, in: id, #"{"consent_accepted": true, "password": "geheim-2"}"#)
        #expect(late.status == 429 && late.headers["Retry-After"] != nil)
    }

    @Test func `TYS-1 a request waits until a lead decides, once`() {
        let id = desk.begin(#"{"access": "request"}"#)
        let asked = desk.enrol(.nora, in: id)
        #expect(asked.status == 202 && asked.attributes["state"]?.string == "pending")
        let codename = asked.attributes["codename"]?.string ?? ""
        let path = "/studies/\(id)/participants/\(codename)"
        #expect(portal.call(.post, path + "/accept", as: .lena).attributes["state"]?.string == "enrolled")
        #expect(portal.call(.post, path + "/decline", as: .lena).status == 409)
        #expect(portal.call(.post, "/studies/\(id)/participants/S000000/accept", as: .lena).status == 404)
        #expect(desk.enrol(.quinn, in: id).status == 202)
        let other =
            portal.call(.get, "/studies/\(id)/participants", as: .lena).list.first {
                $0["attributes"]?["state"]?.string == "pending"
            }?["attributes"]?["codename"]?.string ?? ""
        let declined = portal.call(.post, "/studies/\(id)/participants/\(other)/decline", as: .lena)
        #expect(declined.attributes["state"]?.string == "declined")
        let told = portal.call(.get, "/my/studies", as: .quinn).list.map { $0["attributes"] }
        #expect(told.map { $0?["enrolment_state"]?.string } == ["declined"])
        #expect(told.first??["enrolled"] == .bool(false))
    }

    @Test func `consent is needed, the study has to run, and nobody enrols twice`() {
        let id = desk.begin()
        let without = desk.enrol(.nora, in: id, #"{"consent_accepted": false}"#)
        #expect(without.status == 422 && without.wrongFields == ["consent_accepted"])
        #expect(desk.enrol(.nora, in: id).status == 201)
        #expect(desk.enrol(.nora, in: id).status == 409)
        _ = portal.change(.patch, "/studies/\(id)", #"{"running": false}"#, as: .lena)
        #expect(desk.enrol(.quinn, in: id).status == 409)
    }

    @Test func `TYS-2 leaving stops everything at once, twice is harmless, and the answers may go too`()
        throws
    {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id)
        #expect(desk.enrol(.nora, in: id).status == 201)
        let wellbeing = desk.version("wellbeing-5", .nora)
        let before = try portal.count("contributions")
        let early = portal.now.text
        let sendAgain = {
            portal.call(
                .put, "/my/contributions/\(UUID().uuidString.lowercased())",
                """
                {"study_id": "\(id)", "questionnaire_id": "\(wellbeing)", "started_at": "\(early)",
                 "completed_at": "\(early)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
                """, as: .nora)
        }
        #expect(desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        #expect(portal.call(.delete, "/studies/\(id)/enrolment", as: .quinn).status == 404)
        portal.wait(seconds: 60)
        for _ in 0..<2 { #expect(portal.call(.delete, "/studies/\(id)/enrolment", as: .nora).status == 204) }
        #expect(portal.call(.get, "/my/questionnaires", as: .nora).list.isEmpty)
        portal.wait(seconds: 60)
        let late = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(id)", "questionnaire_id": "\(wellbeing)", "started_at": "\(portal.now.text)",
             "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(late.status == 409)
        // Left behind until they say otherwise.
        #expect(portal.call(.get, "/studies/\(id)/export", as: .lena).status == 200)
        #expect(portal.call(.get, "/my/contributions", as: .nora).list.count == 1)
        #expect(portal.call(.delete, "/studies/\(id)/enrolment?data=alles", as: .nora).status == 422)
        #expect(portal.call(.delete, "/studies/\(id)/enrolment?data=remove", as: .nora).status == 204)
        #expect(portal.call(.get, "/my/contributions", as: .nora).list.isEmpty)
        #expect(try desk.export(id, "json")["manifest"]?["participants"] == .number(0))
        // What was completed before leaving does not come back either.
        #expect(sendAgain().status == 409)
        #expect(try portal.count("contributions") == before)
    }

    // MARK: Answering

    @Test func `TYS-3 baseline first, one-time once, inactive refused, and the same again is harmless`()
        throws
    {
        let id = desk.begin()
        for key in ["wellbeing-5", "tinnitus-moment"] { try portal.publish(key) }
        let repeated = desk.add("between-sessions", to: id)
        _ = desk.add("wellbeing-5", to: id, #", "is_onetime": true, "baseline": "required""#)
        #expect(desk.enrol(.nora, in: id).status == 201)
        let keys = portal.call(.get, "/my/questionnaires", as: .nora).list.map {
            $0["attributes"]?["key"]?.string
        }
        #expect(keys == ["wellbeing-5", "between-sessions"])
        let between =
            #"{"came_back": 1, "hard_moment": 1, "dream": 1, "inner_talk": 1, "tried_out": 1, "looked_ahead": 1, "lighter": 1, "heavier": 1}"#
        let early = desk.answer("between-sessions", in: id, as: .nora, between)
        #expect(early.status == 409 && early.text.contains("Ausgangserhebung"), "\(early.text)")
        let name = UUID().uuidString.lowercased()
        #expect(desk.answer("wellbeing-5", in: id, as: .nora, id: name).status == 201)
        #expect(desk.answer("wellbeing-5", in: id, as: .nora, id: name).status == 200)
        #expect(desk.answer("wellbeing-5", in: id, as: .nora).status == 409)
        let filled = portal.call(.get, "/my/questionnaires", as: .nora).list.first?["attributes"]
        #expect(filled?["is_filled_out"] == .bool(true) && filled?["is_onetime"] == .bool(true))
        let off = portal.change(
            .patch, "/studies/\(id)/questionnaires/\(repeated)", #"{"is_active": false}"#, as: .lena)
        #expect(off.attributes["is_active"] == .bool(false))
        portal.wait(seconds: 60)
        #expect(desk.answer("between-sessions", in: id, as: .nora, between).status == 409)
        let stored = portal.call(.get, "/my/contributions", as: .nora).list.first?["attributes"]
        #expect(stored?["study_id"]?.string == id && stored?["assignment_id"] == .null)
        #expect(
            portal.call(.get, "/questionnaires/\(desk.version("wellbeing-5", .nora))", as: .nora).status
                == 200)
    }

    @Test func `answers to a study that one is not in, or to a questionnaire it does not have, are refused`()
        throws
    {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        let body = { (questionnaire: String) in
            """
            {"study_id": "\(id)", "questionnaire_id": "\(questionnaire)", "started_at": "\(portal.now.text)",
             "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna", "answers": {}}
            """
        }
        let path = "/my/contributions/\(UUID().uuidString.lowercased())"
        let outside = portal.call(.put, path, body(portal.cast.questionnaire), as: .nora)
        #expect(outside.status == 422 && outside.wrongFields == ["study_id"])
        #expect(desk.enrol(.nora, in: id).status == 201)
        let foreign = portal.call(.put, path, body(portal.cast.questionnaire), as: .nora)
        #expect(foreign.status == 422 && foreign.wrongFields == ["questionnaire_id"])
    }

    @Test func `a sheet of a study does not show in a therapy`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id)
        #expect(desk.enrol(.pia, in: id).status == 201)
        let pia = portal.cast.therapies[.pia] ?? ""
        let before = portal.call(.get, "/patients/\(pia)/contributions", as: .ada).list.count
        #expect(desk.answer("wellbeing-5", in: id, as: .pia).status == 201)
        #expect(portal.call(.get, "/patients/\(pia)/contributions", as: .ada).list.count == before)
    }

    // MARK: What leads see

    @Test
    func `IO-20 screen and export agree, know codenames only, and leave out who withdrew their consent`()
        throws
    {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add(
            "wellbeing-5", to: id,
            #", "schedules": [{"type": "fixed", "at": "08:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#
        )
        for person in [Person.nora, .quinn, .pia] { #expect(desk.enrol(person, in: id).status == 201) }
        try portal.wait(awake: 1)
        for person in [Person.nora, .quinn] {
            #expect(desk.answer("wellbeing-5", in: id, as: person).status == 201)
        }
        try portal.wait(awake: 2)
        let rows = portal.call(.get, "/studies/\(id)/participants", as: .lena).list.compactMap {
            $0["attributes"]
        }
        #expect(rows.map { $0["prompted"] } == Array(repeating: .number(2), count: 3))
        #expect(rows.map { $0["answered"] }.filter { $0 == .number(1) }.count == 2)
        var json = try desk.export(id, "json")
        #expect(
            json["manifest"]?["participants"] == .number(3) && json["manifest"]?["withheld"] == .number(0))
        #expect(
            json["manifest"]?["sheets"] == .number(2) && json["manifest"]?["missed_prompts"] == .number(4))
        // Those of today can still be answered.
        #expect(json["occasions"]?.array?.count == 6)
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .quinn)
        json = try desk.export(id, "json")
        #expect(
            json["manifest"]?["participants"] == .number(2) && json["manifest"]?["withheld"] == .number(1))
        #expect(json["manifest"]?["sheets"] == .number(1))
        let screen = portal.get("/studies/\(id)/participants", as: .lena).text
        #expect(screen.contains("<li>1 hat die Einwilligung widerrufen</li>"))
        let counts = portal.call(.get, "/studies/\(id)", as: .lena).attributes["lead"]
        #expect(counts?["participants"] == .number(2))
        #expect(portal.call(.get, "/studies/\(id)/participants", as: .lena).list.count == 2)
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": true}"#, as: .quinn)
        #expect(try desk.export(id, "json")["manifest"]?["participants"] == .number(3))
        let everything = try desk.text(id, "csv") + desk.text(id, "json") + desk.text(id, "fhir") + screen
        for person in [Person.nora, .quinn, .pia] {
            #expect(!everything.contains("\(person.rawValue)@example.org"))
            #expect(!everything.contains(portal.cast.accounts[person]?.text ?? "-"))
        }
        #expect(try portal.changes().filter { $0 == "study.exported" }.count == 6)
    }

    @Test func `the same person in two studies has two codenames`() {
        let one = desk.begin()
        let other = desk.begin(named: "zweite")
        let names = [one, other].map { desk.enrol(.nora, in: $0).attributes["codename"]?.string ?? "" }
        #expect(Set(names).count == 2 && names.allSatisfy { $0.hasPrefix("S") && $0.count == 7 })
    }

    @Test func `a schedule that changes leaves what was asked before as it was`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        let item = desk.add(
            "wellbeing-5", to: id,
            #", "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#
        )
        #expect(desk.enrol(.nora, in: id).status == 201)
        try portal.wait(awake: 3)
        _ = portal.change(
            .patch, "/studies/\(id)/questionnaires/\(item)",
            #"{"schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 7, "unit": "day", "start_day": 0}]}"#,
            as: .lena)
        try portal.wait(awake: 6)
        let row = portal.call(.get, "/studies/\(id)/participants", as: .lena).list.first?["attributes"]
        #expect(portal.logged.filter { $0.contains("error") } == [])
        // Three of the daily plan, then one a week after enrolment.
        #expect(row?["prompted"] == .number(4))
    }

    @Test func `formulas in answers are defused in the file`() throws {
        let id = desk.begin()
        let file = """
            {"format": "intersession-questionnaire/1", "key": "worte", "version": 1, "title": {"de": "Worte"},
             "sections": [{"key": "s1", "questions": [{"key": "q1", "type": "text", "text": {"de": "Was?"}}]}],
             "scales": []}
            """
        #expect(portal.call(.post, "/questionnaires/import", file, as: .ada).status == 201)
        _ = desk.add("worte", to: id)
        #expect(desk.enrol(.nora, in: id).status == 201)
        let sent = desk.answer("worte", in: id, as: .nora, #"{"q1": "=1+1, \"so\""}"#)
        #expect(sent.status == 201, "\(sent.text)")
        #expect(try desk.text(id, "csv").contains("q1,answer,\"'=1+1, \"\"so\"\"\",1,"))
    }

    // MARK: What participants learn

    @Test func `TYS-8 the own level beside the others, never from fewer than ten`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id)
        #expect(
            desk.enrol(.nora, in: id).status == 201
                && desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        let feedback = { portal.call(.get, "/my/feedback", as: .nora).list.first?["attributes"] ?? .null }
        // 15 points of 25, times four.
        #expect(feedback()["level"] == .number(60) && feedback()["distribution"] == .null)
        #expect(feedback()["text"]?.string?.contains("mindestens 10") == true)
        try desk.plantOthers(9, in: id) { Double($0) * 10 }
        #expect(feedback()["distribution"] == .null)
        try desk.plantOthers(1, from: 9, in: id) { Double($0) * 10 }
        // Means 0, 10, … 90: by interpolation 22.5, 45, 67.5.
        let shown = feedback()["distribution"]
        #expect(shown?["participants"] == .number(10) && shown?["median"] == .number(45))
        #expect(shown?["lower_quartile"] == .number(22.5) && shown?["upper_quartile"] == .number(67.5))
        #expect(feedback()["text"]?.string?.contains("mittleren Hälfte") == true)
        // A participant who withdraws their consent is in no comparison.
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run(
                """
                INSERT INTO consent_choices (account_id, changed_at, research_consent)
                SELECT account_id, \(now.adding(seconds: 1)), 0 FROM enrolments WHERE codename = 'S900000'
                """)
        }
        #expect(feedback()["distribution"] == .null)
    }

    @Test func `RP-210 ten enrolments of five people are five others`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id)
        #expect(desk.enrol(.nora, in: id).status == 201)
        #expect(desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        try desk.plantOthers(5, in: id) { Double($0) * 10 }
        try desk.plantOthers(5, in: id, again: true) { Double($0) * 10 + 4 }
        let feedback = { portal.call(.get, "/my/feedback", as: .nora).list.first?["attributes"] ?? .null }
        #expect(feedback()["level"] == .number(60) && feedback()["distribution"] == .null)
        try desk.plantOthers(5, from: 5, in: id) { Double($0) * 10 + 2 }
        let shown = feedback()["distribution"]
        // Those who came back count with the mean of both times: 2, 12, … 92.
        #expect(shown?["participants"] == .number(10) && shown?["median"] == .number(47))
    }

    @Test func `a codename that is taken leaves the write as it was, and another can be tried in it`() throws
    {
        let study = ID<Study>(desk.begin())
        let people = [Person.nora, .quinn, .quinn].compactMap { portal.cast.accounts[$0] }
        let names = ["S111111", "S111111", "S222222"]
        let taken = try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try zip(people, names).enumerated().map { number, one in
                try EnrolmentStore.insert(
                    id: ID("enrolment \(number)"), in: study, account: one.0, codename: one.1,
                    isPending: false,
                    consent: 1, way: .app, timezone: "UTC", at: now, connection)
            }
        }
        #expect(taken == [true, false, true])
    }

    @Test func `prompts of studies are notified of, also without a therapy`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add(
            "wellbeing-5", to: id,
            #", "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#
        )
        #expect(desk.enrol(.nora, in: id).status == 201)
        let told = portal.call(.get, "/my/notifications", as: .nora).list.compactMap { $0["attributes"] }
        #expect(told.count == 14 && told.allSatisfy { $0["kind"]?.string == "questionnaire" })
        #expect(told.first?["fires_at"]?.string == "2026-11-20T19:00:00Z")
        _ = portal.change(.patch, "/studies/\(id)", #"{"running": false}"#, as: .lena)
        #expect(portal.call(.get, "/my/notifications", as: .nora).list.isEmpty)
    }

    // MARK: What a second pair of eyes found

    static let daily =
        #", "schedules": [{"type": "fixed", "at": "20:00", "amount": 1, "every": 1, "unit": "day", "start_day": 0}]"#

    func prompted(_ study: String) -> [JSON?] {
        portal.call(.get, "/studies/\(study)/participants", as: .lena).list.map {
            $0["attributes"]?["prompted"]
        }
    }

    @Test
    func `nothing is asked after the end, while the study is stopped, or before a questionnaire was added`()
        throws
    {
        try portal.publish("wellbeing-5")
        let over = desk.begin(#"{"ends_at": "2026-11-22T12:00:00Z"}"#)
        _ = desk.add("wellbeing-5", to: over, Self.daily)
        let stopped = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: stopped, Self.daily)
        let late = desk.begin(named: "dritte")
        for study in [over, stopped, late] { #expect(desk.enrol(.nora, in: study).status == 201) }
        try portal.wait(awake: 1)
        _ = portal.change(.patch, "/studies/\(stopped)", #"{"running": false}"#, as: .lena)
        portal.wait(seconds: 60)
        #expect(desk.answer("wellbeing-5", in: stopped, as: .nora).status == 409)
        try portal.wait(awake: 3)
        _ = portal.change(.patch, "/studies/\(stopped)", #"{"running": true}"#, as: .lena)
        _ = desk.add("wellbeing-5", to: late, Self.daily)
        try portal.wait(awake: 2)
        // The 20th and 21st; the 20th, 24th and 25th; the 24th and 25th.
        #expect(prompted(over) == [.number(2)])
        #expect(prompted(stopped) == [.number(3)])
        #expect(prompted(late) == [.number(2)])
        #expect(desk.answer("wellbeing-5", in: over, as: .nora).status == 409)
    }

    @Test func `who comes back does so as somebody new, and what they gave before stays as it was`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id, #", "is_onetime": true"#)
        let first = desk.enrol(.nora, in: id).attributes["codename"]?.string
        #expect(desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(id)/enrolment", as: .nora).status == 204)
        portal.wait(seconds: 60)
        _ = portal.change(.patch, "/studies/\(id)", #"{"consent_text": {"de": "Neu."}}"#, as: .lena)
        let second = desk.enrol(.nora, in: id).attributes["codename"]?.string
        // Completed before they left, sent after they came back: it belongs to whom they were then, and is once too many.
        let late = portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(id)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))",
             "started_at": "\(portal.now.adding(seconds: -100).text)",
             "completed_at": "\(portal.now.adding(seconds: -90).text)", "timezone": "Europe/Vienna",
             "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
        #expect(late.status == 409 && late.text.contains("schon"), "\(late.text)")
        #expect(first != second && desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        let people = try desk.export(id, "json")["participants"]?.array ?? []
        #expect(Set(people.map { $0["participant"]?.string }) == [first, second])
        let versions = people.map { $0["consent_version"] }
        #expect(versions.contains(.number(1)) && versions.contains(.number(2)))
    }

    @Test func `two baselines do not wait for each other, and one that nobody can answer holds nobody up`()
        throws
    {
        let id = desk.begin()
        for key in ["wellbeing-5", "intersession-daily"] { try portal.publish(key) }
        for key in ["wellbeing-5", "intersession-daily"] {
            _ = desk.add(key, to: id, #", "baseline": "required""#)
        }
        _ = desk.add("between-sessions", to: id)
        #expect(desk.enrol(.nora, in: id).status == 201)
        #expect(desk.answer("intersession-daily", in: id, as: .nora, #"{"thought": 0}"#).status == 201)
        let between =
            #"{"came_back": 1, "hard_moment": 1, "dream": 1, "inner_talk": 1, "tried_out": 1, "looked_ahead": 1, "lighter": 1, "heavier": 1}"#
        #expect(desk.answer("between-sessions", in: id, as: .nora, between).status == 409)
        let wellbeing = desk.version("wellbeing-5", .nora)
        _ = portal.post("/questionnaires/\(wellbeing)/retirement", [("confirmed", "true")], as: .ada)
        #expect(desk.answer("between-sessions", in: id, as: .nora, between).status == 201)
    }

    @Test func `a phone's clock up to five minutes behind is forgiven in studies, too`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id)
        #expect(desk.enrol(.nora, in: id).status == 201)
        let version = desk.version("wellbeing-5", .nora)
        let send = { (behind: Int64, sheet: String) in
            let at = portal.now.adding(seconds: -behind).text
            return portal.call(
                .put, "/my/contributions/\(sheet)",
                """
                {"study_id": "\(id)", "questionnaire_id": "\(version)", "started_at": "\(at)",
                 "completed_at": "\(at)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
                """, as: .nora)
        }
        let sheet = "11111111-1111-4111-8111-111111111111"
        #expect(send(301, sheet).wrongFields == ["completed_at"])
        let sent = send(300, sheet)
        #expect(sent.status == 201 && sent.attributes["completed_at"] == .string(portal.now.text))
        #expect(send(300, sheet).status == 200)
    }

    @Test func `something asked once is not missed once it was answered`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id, #", "is_onetime": true"# + Self.daily)
        #expect(desk.enrol(.nora, in: id).status == 201)
        try portal.wait(awake: 1)
        #expect(desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        try portal.wait(awake: 5)
        // That of the first evening; the next one was still to come when it was answered (RP-104).
        #expect(prompted(id) == [.number(1)])
    }

    @Test func `a password that an open study does not need is no defect, and ten wrong codes are enough`() {
        let open = StudyDesk.draft.replacing(
            "\"running\": true", with: "\"running\": true, \"password\": \"geheim-1\"")
        let made = portal.call(.post, "/studies", open, as: .lena)
        #expect(made.status == 201 && desk.enrol(.nora, in: made.id).status == 201)
        for _ in 0..<10 { #expect(portal.call(.get, "/studies?code=00000000", as: .quinn).list.isEmpty) }
        #expect(portal.call(.get, "/studies?code=13572468", as: .quinn).status == 429)
    }

    @Test func `a no to research that never was a yes counts from then on`() throws {
        let id = desk.begin()
        #expect(desk.enrol(.nora, in: id).status == 201)
        #expect(try desk.export(id, "json")["manifest"]?["participants"] == .number(1))
        portal.wait(seconds: 60)
        _ = portal.call(.put, "/my/privacy", #"{"research_consent": false}"#, as: .nora)
        #expect(try desk.export(id, "json")["manifest"]?["withheld"] == .number(1))
    }

    @Test func `the syntax files name the columns of the wide file, in its order, with their labels`() throws
    {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        for key in ["wellbeing-5", "between-sessions"] { _ = desk.add(key, to: id) }
        #expect(
            desk.enrol(.nora, in: id).status == 201
                && desk.answer("wellbeing-5", in: id, as: .nora).status == 201)
        let lines = try desk.text(id, "wide").split(separator: "\r\n").map(String.init)
        let columns = lines[0].replacing("\u{FEFF}", with: "").split(separator: ",").map(String.init)
        let spss = try desk.text(id, "sps")
        // It opens the file of SPSS: no syntax reads texts of several lines out of the wide file.
        #expect(spss.contains("\nGET FILE='stress-26.sav'.\n") && !spss.contains("GET DATA"))
        let labelled = spss.matches(of: /VARIABLE LABELS ([a-z0-9_]+)/).map { String($0.1) }
        #expect(labelled == Array(columns.dropFirst(VariableList.head.count)))
        #expect(spss.contains("VARIABLE LABELS wellbeing_5_calm\n  'Ich kam zur Ruhe.'."))
        #expect(spss.contains("VALUE LABELS wellbeing_5_calm\n  0 'an keinem'\n  1 'an einem'"))
        let script = try desk.text(id, "r")
        let named = script.matches(of: /attr\(data\[\["([a-z0-9_]+)"\]\], "label"\)/).map { String($0.1) }
        #expect(named == Array(columns.dropFirst(VariableList.head.count)))
        #expect(lines.count == 2 && lines[1].contains(",3,3,2,4,3,60,"))
        let book = try desk.text(id, "codebook")
        #expect(book.contains("wellbeing_5_calm,wellbeing-5,1,calm,single,0,an keinem,on none,"))
        #expect(try desk.text(id, "wide-de").contains("wellbeing_5_calm;wellbeing_5_energy"))
    }

    @Test func `names of variables are small, short and each there once`() {
        var variables = ExportVariables()
        #expect(variables.name("tys-daily", "q1") == "tys_daily_q1")
        #expect(variables.name("tys-daily", "q1") == "tys_daily_q1")
        #expect(variables.name("49-E", "Größe") == "v49_e_gr____e")
        let long = String(repeating: "x", count: 60)
        let names = (0..<12).map { variables.name("k", long + String($0)) }
        #expect(Set(names).count == 12 && names.allSatisfy { $0.count <= 32 })
        // A question may be called like the score of a scale.
        #expect(variables.name("k", "score_a") != variables.name("k", "a", isScale: true))
    }

    @Test func `TYS-7 what sensors read is in the file of those who switched them on`() throws {
        let id = desk.begin()
        try portal.publish("wellbeing-5")
        _ = desk.add("wellbeing-5", to: id, #", "can_use": [{"name": "gps", "type": "amount", "value": 1}]"#)
        #expect(desk.enrol(.nora, in: id).status == 201)
        let now = portal.now.text
        let path = "/my/contributions/\(UUID().uuidString.lowercased())"
        let body = """
            {"study_id": "\(id)", "questionnaire_id": "\(desk.version("wellbeing-5", .nora))", "started_at": "\(now)",
             "completed_at": "\(now)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing), "sensors":
             {"gps": [{"latitude": 48.2, "longitude": 16.4, "altitude": null, "measured_at": "\(now)"}]}}
            """
        let off = portal.call(.put, "/my/contributions/\(UUID().uuidString.lowercased())", body, as: .nora)
        #expect(off.status == 201 && off.attributes["sensors_dropped"] == .array([.string("gps")]))
        _ = portal.call(.put, "/my/sensor-settings", #"{"gps": true, "microphone": false}"#, as: .nora)
        let on = portal.call(.put, path, body, as: .nora)
        #expect(on.status == 201 && on.attributes["sensors_dropped"] == .null)
        let details = try desk.export(id, "json")["occasions"]?.array?.compactMap { $0["details"] } ?? []
        let read = details.compactMap { $0["sensors"]?["gps"]?.array?.first?["latitude"] }
        #expect(details.count == 2 && read == [.number(48.2)])
        let microphone = body.replacing("gps", with: "microphone")
        #expect(portal.call(.put, path, microphone, as: .nora).status == 422)
    }
}
