import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// ST-5: participants who are enrolled and not allocated, until their baseline is complete.
@Suite struct WaitingTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    let baseline: String

    static let high = StudyDesk.wellbeing
    static let low = #"{"enjoyed": 0, "calm": 1, "energy": 0, "slept": 1, "company": 0}"#
    static let score =
        #"{"kind": "score", "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "bands": [28, 50.5]}"#

    static func groups(
        _ strata: String = "", sample: Int = 8, arms: String = #"["full", "no_interventions"]"#
    ) -> String {
        """
        {"allocation": "alternating", "allocated_at": "baseline", "arms": \(arms), "size": 1, "sample_size": \(sample),
         "strata": [\(strata)],
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}],
         "sites": [{"name": "Ulm", "email": "ada@example.org"}]}
        """
    }

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try StudyDesk.publishMood(portal)
        study = desk.begin()
        baseline = desk.add("wellbeing-5", to: study, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("mood", to: study)
    }

    private func set(_ body: String = groups()) -> Response {
        portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
    }

    private func fill(_ answers: String = high, as person: Person) -> Int {
        portal.wait(seconds: 60)
        return desk.answer("wellbeing-5", in: study, as: person, answers).status
    }

    private func own(_ person: Person) -> JSON? {
        portal.call(.get, "/studies/\(study)/enrolment", as: person).attributes
    }

    private func mood(as person: Person) -> Response {
        portal.wait(seconds: 60)
        return desk.answer("mood", in: study, as: person)
    }

    private func waiting() -> [JSON] {
        portal.call(.get, "/studies/\(study)/waiting", as: .lena).list.compactMap { $0["attributes"] }
    }

    private func sequences() throws -> [String] {
        try portal.services.records.read { connection in
            try connection.all("SELECT site FROM study_sequences ORDER BY site") { row in try row[0] }
        }
    }

    private func arm(_ person: Person) throws -> String? {
        let therapy = try #require(portal.cast.therapies[person])
        return try portal.services.records.read { connection in
            let arm: String?? = try connection.value("SELECT arm FROM therapies WHERE id = \(therapy)")
            return arm ?? nil
        }
    }

    @Test func `ST-5 a participant waits for the baseline, and is allocated by the sheet that completes it`()
        throws
    {
        #expect(set().status == 200)
        let enrolled = desk.enrol(.pia, in: study)
        #expect(enrolled.attributes["arm"] == .null)
        #expect(enrolled.attributes["allocation_state"]?.string == "waiting")
        #expect(try arm(.pia) == nil && sequences().isEmpty)
        #expect(waiting().first?["cause"]?.string == "baseline")
        #expect(waiting().first?["questionnaire_keys"] == .array([.string("wellbeing-5")]))
        #expect(portal.get("/studies/\(study)/waiting", as: .lena).text.contains("Ausgangserhebung: "))
        #expect(
            portal.get("/studies/\(study)/participants", as: .lena).text.contains("wartet auf die Gruppe"))
        #expect(
            portal.get("/my/studies", as: .pia).text.contains("sobald die Ausgangserhebung ausgefüllt ist"))
        // Nothing but the baseline is asked.
        #expect(mood(as: .pia).status == 409)
        let drawn = portal.now.adding(seconds: 60)
        #expect(fill(as: .pia) == 201)
        #expect(own(.pia)?["arm"]?.string == "full" && own(.pia)?["allocation_state"]?.string == "allocated")
        #expect(try arm(.pia) == "full" && sequences() == ["site/Ulm"])
        #expect(waiting().isEmpty)
        let state = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        #expect(state?["allocation_state"]?.string == "allocated")
        #expect(mood(as: .pia).status == 201)
        // The moment is that of the draw.
        let line = portal.call(.get, "/studies/\(study)/allocations", as: .lena).list.first?["attributes"]
        #expect(line?["allocated_at"]?.string?.hasPrefix(String(drawn.text.prefix(16))) == true)
        #expect(portal.call(.get, "/studies/\(study)/waiting", as: .leo).status == 404)
    }

    @Test func `ST-5 sequences are those of a score's bands, and of a site within them`() throws {
        #expect(set(Self.groups(Self.score)).status == 200)
        let strata = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["strata"]?.array
        #expect(strata?.first?["bands"] == .array([.number(28), .number(50.5)]))
        for (person, answers) in [(Person.pia, Self.low), (.quinn, Self.high), (.nora, Self.low)] {
            #expect(desk.enrol(person, in: study).status == 201)
            #expect(fill(answers, as: person) == 201)
        }
        // Each is the first of a row: by band and site.
        for person in [Person.pia, .quinn, .nora] { #expect(own(person)?["arm"]?.string == "full") }
        let rows = try sequences()
        #expect(rows.contains("score/wellbeing-5/wellbeing/1/site/Ulm"))
        #expect(rows.contains { $0.hasPrefix("score/wellbeing-5/wellbeing/3/") })
        #expect(rows.contains("score/wellbeing-5/wellbeing/1/") && rows.count == 3)
        let log = portal.call(.get, "/studies/\(study)/allocations", as: .lena).list
        #expect(
            log.map { $0["attributes"]?["stratum"]?.array?.last?["value"]?.string } == ["1", "3", "1"])
        #expect(
            portal.get("/studies/\(study)/allocations", as: .lena).text.contains("Wohlbefinden: Bereich 3"))
    }

    @Test func `ST-5 a score that is missing is a band of its own, and limits belong to their band`() {
        let bands = ScoreBands(key: "a", scale: "b", limits: [9, 14])
        #expect([9, 9.5, 14, 15].map { bands.band(of: $0) } == [1, 2, 2, 3])
        #expect(bands.level(nil) == "score/a/b/" && bands.name == "a:b:9,14")
        #expect(ScoreBands(name: "a:b:9,14") == bands && ScoreBands(name: "a:b:1.5")?.limits == [1.5])
    }

    @Test func `ST-5 with a full sample the rest is a reserve list, in the order of their baselines`() throws
    {
        #expect(set(Self.groups(sample: 2)).status == 200)
        for person in [Person.pia, .quinn, .nora, .rex].dropLast() {
            #expect(desk.enrol(person, in: study).status == 201)
        }
        #expect(fill(as: .nora) == 201 && fill(as: .quinn) == 201)
        #expect(fill(as: .pia) == 201)
        #expect(own(.pia)?["allocation_state"]?.string == "waiting")
        #expect(waiting().map { $0["cause"]?.string } == ["place"] && waiting().first?["place"] == .number(1))
        #expect(portal.get("/my/studies", as: .pia).text.contains("kein Platz frei"))
        #expect(mood(as: .pia).text.contains("Gruppe steht noch nicht fest"))
        // A participant who leaves gives no place back.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .nora).status == 204)
        #expect(own(.pia)?["allocation_state"]?.string == "waiting")
        #expect(set(Self.groups(sample: 3)).status == 200)
        #expect(own(.pia)?["arm"]?.string == "full")
    }

    @Test func `ST-5 once allocation is closed those who wait stay as they are, and are told`() {
        #expect(set().status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(portal.call(.post, "/studies/\(study)/groups/closure", as: .lena).status == 200)
        #expect(fill(as: .pia) == 201)
        #expect(own(.pia)?["allocation_state"]?.string == "waiting")
        #expect(waiting().map { $0["cause"]?.string } == ["closed"])
        #expect(portal.get("/my/studies", as: .pia).text.contains("keine Gruppen mehr"))
    }

    @Test func `ST-5 what cannot wait is refused where it is named`() {
        let refused = { (body: String) in set(body).wrongFields }
        #expect(refused(Self.groups(arms: #"["full", "no_app"]"#)) == ["allocated_at"])
        #expect(
            refused(
                Self.groups(Self.score).replacing(
                    #""allocated_at": "baseline""#, with: #""allocated_at": "enrolment""#))
                == ["strata"])
        for (wrong, field) in [
            (#""bands": []"#, "strata.0.bands"), (#""bands": [9, 9]"#, "strata.0.bands"),
            (#""bands": ["x"]"#, "strata.0.bands"), (#""other": 1"#, "strata.0.bands"),
            (#""bands": [1], "scale": "sleep""#, "strata.0.scale"),
        ] {
            let body = Self.groups(Self.score.replacing(#""bands": [28, 50.5]"#, with: wrong))
                .replacing(#""scale": "wellbeing", "bands": [1], "scale""#, with: #""bands": [1], "scale""#)
            #expect(refused(body).contains(field), "\(wrong)")
        }
        #expect(refused(Self.groups("\(Self.score), \(Self.score)")) == ["strata"])
        #expect(refused(Self.groups().replacing(#""baseline""#, with: #""later""#)) == ["allocated_at"])
        // A client of before names no moment, and leaves it as it is.
        #expect(set().status == 200)
        #expect(set(StudyDesk.groups).status == 200)
        let kept = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["allocated_at"]
        #expect(kept?.string == "baseline")
        let paper = #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": 1}"#
        let entered = portal.call(.post, "/studies/\(study)/participants", paper, as: .lena)
        #expect(entered.status == 409 && entered.text.contains("nach der Ausgangserhebung"))
    }

    @Test func `ST-5 a baseline that is waited for stays, and a study without one cannot wait`() {
        let path = "/studies/\(study)/questionnaires/\(baseline)"
        let off = { (body: String) in self.portal.change(.patch, path, body, as: .lena).status }
        #expect(set(Self.groups(Self.score)).status == 200)
        #expect(off(#"{"baseline": null}"#) == 409)
        #expect(portal.call(.delete, path, as: .lena).status == 409)
        // Another one may come, and the first may then go, but for the score.
        let second = desk.begin(named: "zweite")
        #expect(
            portal.change(.put, "/studies/\(second)/groups", Self.groups(), as: .lena).wrongFields
                .contains("outcomes.0.scale"))
        _ = desk.add("wellbeing-5", to: second)
        #expect(
            portal.change(.put, "/studies/\(second)/groups", Self.groups(), as: .lena).wrongFields
                == ["allocated_at"])
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(off(#"{"is_active": false}"#) == 409)
        let other = set(Self.groups(sample: 9))
        #expect(other.status == 409 && other.json["code"]?.string == "groups_fixed", "\(other.text)")
        #expect(set(Self.groups(Self.score, sample: 9)).status == 200)
        #expect(portal.change(.delete, "/studies/\(study)/groups", as: .lena).status == 409)
    }

    @Test func `ST-5 a place that becomes free otherwise is found by the clock`() throws {
        #expect(set().status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let therapy = try #require(portal.cast.therapies[.pia])
        let setArm = { (arm: String?) in
            _ = try self.portal.services.records.writeUnaudited(.madeUp) { connection in
                try connection.run("UPDATE therapies SET arm = \(arm) WHERE id = \(therapy)")
            }
        }
        try setArm("no_app")
        // Her therapy is in the group of another study, which is not told here.
        try setArm("no_interventions")
        #expect(fill(as: .pia) == 201)
        #expect(waiting().map { $0["cause"]?.string } == ["obstacle"])
        try GroupClock.run(portal.services)
        #expect(own(.pia)?["allocation_state"]?.string == "waiting")
        try setArm(nil)
        try GroupClock.run(portal.services)
        #expect(own(.pia)?["arm"]?.string == "full")
        let drawn = try portal.audit().filter { $0 == "enrolment.allocated" }.count
        try GroupClock.run(portal.services)
        #expect(try drawn == 1 && portal.audit().filter { $0 == "enrolment.allocated" }.count == 1)
    }

    @Test func `ST-5 leads enter nothing for a participant who waits: they would choose the moment`() {
        #expect(set().status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let codename = own(.pia)?["codename"]?.string ?? ""
        portal.wait(seconds: 60)
        let body = """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)", "answers": \(Self.high)}
            """
        let path = "/studies/\(study)/participants/\(codename)"
        let entered = portal.call(.post, "\(path)/contributions", body, as: .lena)
        #expect(entered.status == 409 || entered.status == 422, "\(entered.text)")
        #expect(own(.pia)?["allocation_state"]?.string == "waiting")
        #expect(!portal.get(path, as: .lena).text.contains("/paper/"))
    }

    @Test func `ST-5 leaving while waiting takes no place, and coming back waits again`() throws {
        #expect(set().status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        #expect(waiting().isEmpty && own(.pia)?["allocation_state"]?.string == "none")
        portal.wait(seconds: 60)
        #expect(desk.enrol(.pia, in: study).attributes["allocation_state"]?.string == "waiting")
        #expect(fill(as: .pia) == 201)
        #expect(own(.pia)?["arm"]?.string == "full")
        // An allocated participant comes back into the group without waiting.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        portal.wait(seconds: 60)
        #expect(desk.enrol(.quinn, in: study).status == 201)
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "full")
        let allocated = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["allocated"]
        #expect(allocated == .number(1))
    }

    @Test func `ST-5 of a participant who takes the consent to research back nothing is drawn`() throws {
        #expect(set().status == 200)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let say = { (yes: Bool) in
            self.portal.change(.put, "/my/privacy", #"{"research_consent": \#(yes)}"#, as: .pia).status
        }
        #expect(say(false) == 200 && fill(as: .pia) == 201)
        #expect(own(.pia)?["allocation_state"]?.string == "waiting" && waiting().isEmpty)
        #expect(say(true) == 200)
        try GroupClock.run(portal.services)
        #expect(own(.pia)?["arm"]?.string == "full")
    }

    @Test func `ST-5 what was planned while a participant waited was not asked, and is not missed`() throws {
        let asked = desk.begin(named: "abends")
        _ = desk.add("wellbeing-5", to: asked, #", "is_onetime": true, "baseline": "required""#)
        _ = desk.add("mood", to: asked, StudyDesk.daily("08:00", "20:00"))
        #expect(
            portal.change(.put, "/studies/\(asked)/groups", Self.groups(sample: 2), as: .lena).status == 200)
        for person in [Person.pia, .quinn, .nora] { #expect(desk.enrol(person, in: asked).status == 201) }
        portal.wait(seconds: 60)
        for person in [Person.pia, .quinn, .nora] {
            #expect(desk.answer("wellbeing-5", in: asked, as: person).status == 201)
        }
        try portal.wait(awake: 3)
        let prompted = { (person: Person) -> Int in
            let account = try #require(self.portal.cast.accounts[person])
            return try self.portal.services.records.read { connection in
                let study = try #require(try StudyStore.find(ID(asked), connection))
                let enrolment = try #require(
                    try EnrolmentStore.find(in: study.id, of: account, connection))
                let prompts = try StudyPrompts(study, connection).of(enrolment, connection)
                return prompts.all.items.reduce(0) {
                    $0 + prompts.prompts(of: $1, until: self.portal.now).count
                }
            }
        }
        // Nora stands on the reserve list.
        #expect(try prompted(.nora) == 0 && prompted(.pia) >= 5)
        let codename = portal.call(.get, "/studies/\(asked)/enrolment", as: .nora).attributes["codename"]
        let list = portal.call(.get, "/studies/\(asked)/participants", as: .lena).list
        let nora = list.first { $0["attributes"]?["codename"] == codename }?["attributes"]
        #expect(nora?["prompted"] == .number(0))
        // Since the draw it is asked.
        let bigger = Self.groups(sample: 3)
        #expect(portal.change(.put, "/studies/\(asked)/groups", bigger, as: .lena).status == 200)
        try portal.wait(awake: 1)
        #expect(try (1...2).contains(prompted(.nora)))
    }
}
