import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// ST-1: a time point that comes again with every session of the therapy.
@Suite struct EachSessionTests {
    private let portal: TestPortal
    private let desk: StudyDesk

    /// It is Friday, the 20th of November, ten in the morning. Pia has no session yet.
    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        for one in portal.call(.get, "\(pia)/sessions", as: .ada).list {
            mark(one["id"]?.string ?? "", "cancelled")
        }
    }

    private static func told(_ days: String = #""after": 1"#) -> String {
        """
        {"tells_session_dates": true, "time_points": [
            {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", \(days)}]}
        """
    }

    private static let point = #", "time_point": "each""#

    private var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    /// - Returns: the study, and its questionnaire.
    private func begin(_ days: String = #""after": 1"#) -> (study: String, item: String) {
        let study = desk.begin(Self.told(days))
        let item = desk.add("wellbeing-5", to: study, Self.point)
        #expect(desk.enrol(.pia, in: study).status == 201)
        return (study, item)
    }

    /// A session of 50 minutes, by the day and hour of November.
    private func session(_ day: Int, _ hour: Int = 9) -> String {
        let noted = portal.call(.post, "\(pia)/sessions", Self.times(day, hour), as: .ada)
        #expect(noted.status == 201, "\(noted.text)")
        return noted.id
    }

    private static func times(_ day: Int, _ hour: Int) -> String {
        let clock = hour < 10 ? "0\(hour)" : "\(hour)"
        return
            #"{"starts_at": "2026-11-\#(day)T\#(clock):00:00Z", "ends_at": "2026-11-\#(day)T\#(clock):50:00Z"}"#
    }

    private func change(_ session: String, _ body: String) {
        portal.wait(seconds: 60)
        let changed = portal.change(.patch, "\(pia)/sessions/\(session)", body, as: .ada)
        #expect(changed.status == 200, "\(changed.text)")
    }

    private func mark(_ session: String, _ state: String) { change(session, #"{"state": "\#(state)"}"#) }

    private func wait(until moment: String) throws {
        let moment = try #require(Instant(moment))
        portal.wait(seconds: moment.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func asked() -> [JSON] {
        portal.call(.get, "/my/assignments", as: .pia).list.filter {
            $0["attributes"]?["source"]?.string == "study"
        }
    }

    private func windows() -> [String] {
        asked().map { one in
            ["available_from", "due_at"].map { one["attributes"]?[$0]?.string ?? "" }.joined(separator: " ")
        }
    }

    private func ids() -> [String] { asked().compactMap { $0["id"]?.string } }

    private func own() -> JSON? {
        portal.call(.get, "/my/questionnaires", as: .pia).list.first?["attributes"]
    }

    private func send(
        _ reason: String, completed: String? = nil, _ answers: String = StudyDesk.wellbeing
    ) -> Response {
        let completed = completed ?? portal.now.text
        return portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {\(reason), "started_at": "\(completed)", "completed_at": "\(completed)",
             "timezone": "Europe/Vienna", "answers": \(answers)}
            """, as: .pia)
    }

    private func answer(_ prompt: String, completed: String? = nil) {
        let sent = send(#""assignment_id": "\#(prompt)""#, completed: completed)
        #expect(sent.status == 201, "\(sent.text)")
    }

    private func will(_ study: String, completed: String? = nil) -> Response {
        let items = portal.call(.get, "/studies/\(study)/questionnaires", as: .lena).list
        let version = items.first?["attributes"]?["questionnaire_id"]?.string ?? ""
        return send(#""study_id": "\#(study)", "questionnaire_id": "\#(version)""#, completed: completed)
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

    /// The page of Pia as a participant.
    private func page(_ study: String) -> String {
        portal.get("/studies/\(study)/participants/\(codename(study))", as: .lena).text
    }

    private func codename(_ study: String) -> String {
        portal.call(.get, "/studies/\(study)/enrolment", as: .pia).attributes["codename"]?.string ?? ""
    }

    private func dates(_ study: String) -> [JSON]? {
        let path = "/studies/\(study)/participants/\(codename(study))/anchors/each"
        return portal.call(.get, path, as: .lena).attributes["dates"]?.array
    }

    private func counts(_ study: String) -> [JSON?] {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return [row?["prompted"], row?["answered"]]
    }

    @Test func `ST-1 what comes with each session is asked once for each of them`() throws {
        let (study, _) = begin()
        _ = session(24)
        _ = session(26)
        #expect(dates(study) == [.string("2026-11-24"), .string("2026-11-26")])
        // The next one is known to a phone.
        #expect(windows() == ["2026-11-23T23:00:00Z 2026-11-25T22:59:59Z"])
        #expect(portal.call(.get, "/my/questionnaires", as: .pia).list.isEmpty)
        let told = portal.call(.get, "/my/notifications", as: .pia).list
        #expect(told.contains { $0["attributes"]?["fires_at"]?.string == "2026-11-24T09:00:00Z" })
        #expect(page(study).contains("2 Sitzungen"))
        try wait(until: "2026-11-24T10:00:00Z")
        let first = try #require(ids().first)
        #expect(own()?["is_filled_out"] == .bool(false) && own()?["is_onetime"] == .bool(false))
        answer(first)
        #expect(own()?["is_filled_out"] == .bool(true))
        // Once, by name and without one.
        let again = will(study)
        #expect(again.status == 409 && again.json["code"]?.string == "already_answered", "\(again.text)")
        #expect(send(#""assignment_id": "\#(first)""#, Self.sheet(1)).status == 409)
        #expect(windows() == ["2026-11-25T23:00:00Z 2026-11-27T22:59:59Z"])
        try wait(until: "2026-11-26T10:00:00Z")
        #expect(own()?["is_filled_out"] == .bool(false))
        #expect(try ids().first != first && rows(study) == ["each 1 answered"])
        try wait(until: "2026-11-28T10:00:00Z")
        #expect(try asked().isEmpty && rows(study) == ["each 1 answered", "each 2 missed"])
        #expect(counts(study) == [.number(2), .number(1)])
        #expect(page(study).contains("1 von 2"))
        let late = will(study)
        #expect(late.status == 422 && late.json["code"]?.string == "too_late", "\(late.text)")
        // Completed on its days it is taken whenever it arrives.
        #expect(will(study, completed: "2026-11-27T20:00:00Z").status == 201)
        #expect(try rows(study) == ["each 1 answered", "each 2 answered"])
    }

    @Test func `ST-1 a session that is moved moves its prompt, and a phone may hold the old days`() throws {
        let (study, _) = begin()
        let id = session(24)
        let prompt = try #require(ids().first)
        try wait(until: "2026-11-24T08:00:00Z")
        change(id, Self.times(27, 9))
        #expect(ids() == [prompt] && windows() == ["2026-11-26T23:00:00Z 2026-11-28T22:59:59Z"])
        try wait(until: "2026-11-26T08:00:00Z")
        #expect(try rows(study).isEmpty && own() == nil)
        // What was filled in before the phone heard of it.
        answer(prompt, completed: "2026-11-24T07:30:00Z")
        #expect(try rows(study) == ["each 1 answered"])
        try wait(until: "2026-11-30T08:00:00Z")
        #expect(try asked().isEmpty && rows(study) == ["each 1 answered"])
        #expect(counts(study) == [.number(1), .number(1)])
    }

    @Test
    func `ST-1 a session that does not take place is not missed, and one that was answered stays answered`()
        throws
    {
        let (study, _) = begin()
        let (first, second, third, fourth) = (session(23), session(24), session(25), session(26))
        try wait(until: "2026-11-23T10:00:00Z")
        answer(try #require(ids().first))
        mark(first, "cancelled")
        // While it is open, after its days, and removed before them.
        try wait(until: "2026-11-24T10:00:00Z")
        #expect(windows().count == 2)
        mark(second, "missed")
        #expect(windows() == ["2026-11-24T23:00:00Z 2026-11-26T22:59:59Z"])
        try wait(until: "2026-11-27T10:00:00Z")
        #expect(try rows(study) == ["each 1 answered", "each 2 missed"])
        mark(third, "missed")
        mark(fourth, "cancelled")
        try wait(until: "2026-11-29T10:00:00Z")
        #expect(try rows(study) == ["each 1 answered"] && asked().isEmpty)
        #expect(counts(study) == [.number(1), .number(1)])
        #expect(dates(study) == [])
        // It did take place after all.
        mark(third, "held")
        #expect(asked().isEmpty && dates(study) == [.string("2026-11-25")])
    }

    @Test func `ST-1 windows of neighbouring sessions are open side by side`() throws {
        let (study, _) = begin(#""after": 3"#)
        _ = session(23)
        _ = session(23, 15)
        _ = session(25)
        try wait(until: "2026-11-25T10:00:00Z")
        let open = ids()
        #expect(Set(open).count == 3)
        #expect(
            windows()
                == ["2026-11-22T23:00:00Z 2026-11-26T22:59:59Z", "2026-11-22T23:00:00Z 2026-11-26T22:59:59Z"]
                + ["2026-11-24T23:00:00Z 2026-11-28T22:59:59Z"])
        // One that names none answers what ends first.
        #expect(will(study).status == 201)
        #expect(ids().count == 2 && ids().last == open.last)
        answer(try #require(open.last))
        #expect(will(study).status == 201)
        #expect(asked().isEmpty && will(study).status == 409)
        #expect(try rows(study) == ["each 1 answered", "each 2 answered", "each 3 answered"])
        #expect(counts(study) == [.number(3), .number(3)])
    }

    @Test func `ST-1 an appointment and the therapist's note of it are one session`() throws {
        let (study, _) = begin()
        let appointment = "/my/appointments/22222222-2222-4222-8222-000000000001"
        let put = { (day: Int, hour: Int) in
            let times = Self.times(day, hour).dropFirst()
            return portal.change(.put, appointment, #"{"title": "Sitzung", \#(times)"#, as: .pia).status
        }
        #expect(put(24, 9) == 201)
        let prompt = ids()
        #expect(prompt.count == 1)
        portal.wait(seconds: 60)
        _ = session(24)
        #expect(ids() == prompt && dates(study)?.count == 1)
        // They fall apart: the appointment is the one that was asked by.
        portal.wait(seconds: 60)
        #expect(put(26, 9) < 300)
        #expect(dates(study) == [.string("2026-11-24"), .string("2026-11-26")])
        portal.wait(seconds: 60)
        let noted = portal.call(.get, "\(pia)/sessions", as: .ada).list.first {
            $0["attributes"]?["starts_at"]?.string == "2026-11-24T09:00:00Z"
        }
        mark(noted?["id"]?.string ?? "", "cancelled")
        #expect(ids() == prompt && windows() == ["2026-11-25T23:00:00Z 2026-11-27T22:59:59Z"])
    }

    @Test func `ST-1 what is half filled in is kept for its session`() throws {
        _ = begin(#""after": 0"#)
        _ = session(23)
        _ = session(24)
        try wait(until: "2026-11-23T10:00:00Z")
        let first = try #require(ids().first)
        let kept = portal.call(.put, "/my/drafts/\(first)", #"{"answers": {"calm": 3}}"#, as: .pia)
        #expect(kept.status < 300, "\(kept.text)")
        #expect(portal.call(.get, "/my/drafts/\(first)", as: .pia).status == 200)
        try wait(until: "2026-11-24T10:00:00Z")
        let second = try #require(ids().first)
        #expect(portal.call(.get, "/my/drafts/\(second)", as: .pia).status == 404)
        answer(second)
        #expect(portal.call(.get, "/my/drafts/\(first)", as: .pia).status == 200)
    }

    @Test func `ST-1 it has neither a schedule nor comes before all else, and stays what it is`() {
        let study = desk.begin(Self.told())
        let add = { (more: String) in
            portal.call(
                .post, "/studies/\(study)/questionnaires",
                #"{"questionnaire_key": "wellbeing-5"\#(Self.point)\#(more)}"#, as: .lena)
        }
        let asked = add(StudyDesk.daily("12:00"))
        #expect(asked.status == 422 && asked.wrongFields == ["schedules"], "\(asked.text)")
        #expect(asked.text.contains("hat keinen Zeitplan"))
        let first = add(#", "baseline": "required""#)
        #expect(first.status == 422 && first.wrongFields == ["baseline"], "\(first.text)")
        #expect(add("").status == 201)
        let other = Self.told().replacing("each_session", with: "first_session")
        let changed = portal.change(.patch, "/studies/\(study)", other, as: .lena)
        #expect(changed.status == 422 && changed.wrongFields == ["time_points"], "\(changed.text)")
        let page = portal.get("/studies/\(study)/questionnaires", as: .lena).text
        #expect(page.contains("Tag 0 bis 1 ab jeder Sitzung") && page.contains("einmal zu jeder Sitzung"))
        let form = portal.get("/studies/\(study)/time-points/each", as: .lena).text
        #expect(form.contains(#"<option value="each_session" selected>jeder Sitzung"#))
        let path = "/studies/\(study)/time-points/each"
        let fields = [
            portal.revision(on: path, as: .lena), ("title_de", "Erste"), ("anchor", "first_session"),
        ]
        let kept = portal.post(path, fields, as: .lena)
        #expect(kept.status == 422 && kept.text.contains("ob er mit jeder Sitzung wiederkehrt"))
        let item = [("questionnaire_key", "wellbeing-5"), ("time_point", "each"), ("baseline", "required")]
        let stopped = portal.post("/studies/\(study)/questionnaires", item, as: .lena)
        #expect(stopped.status == 422 && stopped.text.contains("kann nicht vor allem anderen stehen"))
    }

    @Test func `ST-1 leads learn of every session only from those that agreed to it`() throws {
        let first = Self.told().replacing("each_session", with: "first_session")
        let study = desk.begin(first)
        #expect(desk.enrol(.pia, in: study).status == 201)
        _ = session(24)
        let text = {
            portal.call(.get, "/studies/\(study)", as: .pia).attributes["consent_text"]?.string ?? ""
        }
        #expect(text().contains("wann die erste Sitzung ist"))
        #expect(portal.change(.patch, "/studies/\(study)", Self.told(), as: .lena).status == 200)
        #expect(text().contains("an welchen Tagen Sitzungen sind") && !text().contains("erste Sitzung"))
        _ = desk.add("wellbeing-5", to: study, Self.point)
        portal.wait(seconds: 60)
        _ = session(25)
        #expect(dates(study) == [] && asked().isEmpty)
        #expect(page(study).contains("Einwilligung in Daten der Therapie fehlt"))
        let version = portal.call(.get, "/studies/\(study)", as: .pia).attributes["consent_version"]
        let agreed = portal.call(
            .post, "/studies/\(study)/enrolment/consent",
            #"{"consent_accepted": true, "consent_version": \#(Int(version?.number ?? 0))}"#, as: .pia)
        #expect(agreed.status == 200, "\(agreed.text)")
        #expect(dates(study) == [.string("2026-11-24"), .string("2026-11-25")])
        #expect(windows().first == "2026-11-23T23:00:00Z 2026-11-25T22:59:59Z")
        // Their own copy has the dates.
        let copy = portal.call(.get, "/my/export", as: .pia).text
        #expect(copy.contains("session_days") && copy.contains("2026-11-25"))
    }

    @Test
    func
        `ST-1 sessions before enrolling are none of the study's, and without a therapy it is not applicable`()
        throws
    {
        let study = desk.begin(Self.told(#""day": 3"#))
        _ = desk.add("wellbeing-5", to: study, Self.point)
        _ = session(19)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(dates(study) == [] && asked().isEmpty)
        let nora = portal.call(.get, "/studies/\(study)/enrolment", as: .nora).attributes["codename"]?.string
        let page = portal.get("/studies/\(study)/participants/\(nora ?? "")", as: .lena).text
        #expect(page.contains("entfällt, ohne Therapie"))
        try portal.wait(awake: 10)
        #expect(try rows(study).isEmpty)
    }

    @Test func `ST-4 several sessions become one value by their mean`() throws {
        let (study, _) = begin(#""after": 0"#)
        for (day, value) in [(23, 1), (24, 2), (25, 3)] {
            _ = session(day)
            try wait(until: "2026-11-\(day)T10:00:00Z")
            let sent = send(#""assignment_id": "\#(ids().first ?? "")""#, Self.sheet(value))
            #expect(sent.status == 201, "\(sent.text)")
        }
        let lines = try desk.text(study, "time-points").split(separator: "\r\n").map(String.init)
        let head = try #require(lines.first)
        // Scales alone: a mean of answers is none.
        #expect(head.contains("score_wellbeing.each") && !head.contains("enjoyed"), "\(head)")
        #expect(lines.last?.hasSuffix(",40") == true, "\(lines)")
    }

    @Test
    func `ST-4 an outcome by what comes with each session is the mean of all, and waits for the study's end`()
        throws
    {
        let study = desk.begin(Self.told(#""after": 0"#))
        _ = desk.add("wellbeing-5", to: study, Self.point)
        let groups = """
            {"allocation": "alternating", "arms": ["full", "no_interventions"], "size": 1, "sample_size": 4,
             "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing",
                "time_point": "each"}], "sites": [{"name": "Ulm", "email": "ada@example.org"}]}
            """
        #expect(portal.change(.put, "/studies/\(study)/groups", groups, as: .lena).status == 200)
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        for (day, value) in [(23, 1), (24, 4)] {
            _ = session(day)
            try wait(until: "2026-11-\(day)T10:00:00Z")
            let sent = send(#""assignment_id": "\#(ids().first ?? "")""#, Self.sheet(value))
            #expect(sent.status == 201, "\(sent.text)")
        }
        let told = portal.call(.get, "/studies/\(study)/comparisons", as: .lena).list.first?["attributes"]
        #expect(told?["arms"]?.array?.first?["end"]?["mean"] == .number(50), "\(String(describing: told))")
        let closure = portal.post("/studies/\(study)/groups/closure", [("name", "stress-26")], as: .lena)
        #expect(closure.status == 303)
        try portal.wait(awake: 40)
        #expect(
            portal.get("/studies/\(study)", as: .lena).text.contains("Das Ergebnis steht hier, sobald"))
    }

    private static func sheet(_ value: Int) -> String {
        #"{"enjoyed": \#(value), "calm": \#(value), "energy": \#(value), "slept": \#(value), "company": \#(value)}"#
    }

    @Test func `ST-3 page and file know about which session a prompt is`() throws {
        let study = begin().study
        for day in [21, 24] { _ = session(day) }
        try wait(until: "2026-11-21T11:00:00Z")
        let first = try #require(ids().first)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run(
                """
                INSERT INTO study_reminders (enrolment_id, prompt_id, prompted_at, pushed_at)
                SELECT id, \(first), \(now), \(now) FROM enrolments WHERE study_id = \(study)
                """)
        }
        answer(first)
        try wait(until: "2026-11-28T11:00:00Z")
        let codename = try #require(
            portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?[
                "codename"]?.string)
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        #expect(page.components(separatedBy: #"badge--good">beantwortet<"#).count == 2)
        #expect(page.components(separatedBy: #"badge--warn">versäumt<"#).count == 2)
        #expect(page.contains("zugestellt 12:00") && page.contains("Jede Sitzung"))
        let rows = try desk.text(study, "prompts").split(separator: "\r\n").dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        #expect(rows.map { $0[5] } == ["answered", "missed"])
        #expect(rows.map { $0[7] } == ["2026-11-21T11:00:00Z", ""])
        // What is open for days is no moment from which seconds could be counted.
        #expect(rows.allSatisfy { $0[12].isEmpty && $0[13].isEmpty })
    }

    @Test func `ST-1 leaving with everything takes what is half filled in about a session along`() throws {
        let study = begin().study
        _ = session(21)
        try wait(until: "2026-11-21T11:00:00Z")
        let prompt = try #require(ids().first)
        let kept = portal.call(.put, "/my/drafts/\(prompt)", #"{"answers": {"calm": 2}}"#, as: .pia)
        #expect(kept.status == 201, "\(kept.text)")
        let drafts = try portal.count("answer_drafts")
        portal.wait(seconds: 60)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .pia).status == 204)
        #expect(try portal.count("answer_drafts") == drafts - 1)
    }
}
