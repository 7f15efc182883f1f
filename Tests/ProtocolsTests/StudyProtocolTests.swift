import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Protocols
@testable import Records
@testable import Rules
@testable import Studies
@testable import Therapies
@testable import Web

/// PR-17 with IO-6, IO-12, IO-20, IO-21: the effects of a study's protocol, and on which patients.
@Suite struct StudyProtocolTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    let text: String
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        try portal.publish("wellbeing-5")
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        text =
            portal.call(
                .post, "/interventions", #"{"kind": "task", "text": {"de": "Gehen Sie hinaus."}}"#, as: .lena
            ).id
    }

    func make(_ more: String, as person: Person = .lena) -> Response {
        // Later participants enrol after this moment.
        defer { portal.wait(seconds: 1) }
        return portal.call(
            .post, "/protocols",
            #"{"name": "Studienplan", "scope": "study", "study_id": "\#(study)", \#(more)}"#,
            as: person)
    }

    func plan() -> [JSON] {
        portal.call(.get, "/patients/\(pia)/delivery-rules", as: .ada).list.compactMap { $0["attributes"] }
            .filter {
                $0["protocol_id"] != .null
            }
    }

    func state() -> JSON? {
        portal.call(.get, "/patients/\(pia)/protocol", as: .ada).attributes["studies"]?.array?.first
    }

    var given: Int { portal.call(.get, "/my/interventions", as: .pia).list.count }

    static let before = #""plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]"#

    @Test
    func
        `PR-17 a lead's protocol acts on those who take part and have agreed, at once and as long as they do`()
        throws
    {
        #expect(make(Self.before).status == 201)
        #expect(plan().isEmpty)
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(plan().count == 1 && state()?["study_id"] == .null)
        #expect(portal.get("/patients/\(pia)/deliveries", as: .ada).text.contains("Aus einer Studie"))
        try portal.services.records.writeUnaudited(.madeUp) { [study, pia, portal] in
            try OfferStore.offer(ID(study), to: pia, at: portal.now, $0)
        }
        #expect(state()?["study_id"] == .string(study))
        // Told to the therapist, on the page of the plan, by the study's name.
        #expect(portal.get("/patients/\(pia)/deliveries", as: .ada).text.contains("Aus der Studie"))
        // A no to research ends it, a yes brings it back, leaving ends it for good.
        let say = { (yes: Bool) in
            self.portal.change(.put, "/my/privacy", #"{"research_consent": \#(yes)}"#, as: .pia)
        }
        #expect(say(false).status == 200 && plan().isEmpty && state() == nil)
        #expect(say(true).status == 200 && plan().count == 1)
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        #expect(plan().isEmpty)
    }

    @Test
    func `PR-17 those who take part already are asked about: they follow, or only who comes later does`()
        throws
    {
        #expect(desk.enrol(.pia, in: study).status == 201)
        #expect(make(Self.before).wrongFields == ["follow"])
        let id = make(#"\#(Self.before), "follow": false"#).id
        #expect(plan().isEmpty)
        try ProtocolPlanner.run(portal.services)
        #expect(plan().isEmpty)
        let body = #"{"plan": [], "dailies": null, "rule_ids": [], "follow": true}"#
        #expect(portal.change(.patch, "/protocols/\(id)", body, as: .lena).status == 200)
        #expect(state()?["protocol_id"] == .string(id))
        let again = #"{\#(Self.before), "follow": true}"#
        #expect(
            portal.change(.patch, "/protocols/\(id)", again, as: .lena).status == 200 && plan().count == 1)
    }

    @Test func `PR-17, IO-21 interventions of a study obey the arm`() throws {
        let today = portal.call(
            .patch, "/patients/\(pia)", #"{"therapy_started_on": "2026-11-20"}"#, as: .ada,
            ["If-Match": portal.call(.get, "/patients/\(pia)", as: .ada).headers["ETag"] ?? ""])
        #expect(today.status == 200)
        let before = given
        #expect(make(#""interventions": [{"intervention_id": "\#(text)", "day": 0}]"#).status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { [pia] in
            try TherapyStore.setArm(.noInterventions, of: pia, $0)
        }
        #expect(desk.enrol(.pia, in: study).status == 201)
        try ProtocolPlanner.run(portal.services)
        #expect(given == before)
        #expect(
            portal.get("/patients/\(pia)/deliveries", as: .ada).text.contains("erhält keine Interventionen"))
        try portal.services.records.writeUnaudited(.madeUp) { [pia] in
            try TherapyStore.setArm(.full, of: pia, $0)
        }
        try ProtocolPlanner.run(portal.services)
        #expect(given == before + 1)
    }

    @Test func `PR-17, IO-6 a participant without a therapist gets no interventions`() throws {
        #expect(make(#""interventions": [{"intervention_id": "\#(text)", "day": 0}]"#).status == 201)
        #expect(desk.enrol(.nora, in: study).status == 201)
        try ProtocolPlanner.run(portal.services)
        #expect(try portal.count("planned_interventions") == 0)
        #expect(portal.call(.get, "/my/interventions", as: .nora).status == 403)
    }

    @Test func `PR-17 what can never reach anybody in the groups of a study is refused before it is saved`()
        throws
    {
        _ = desk.add("wellbeing-5", to: study)
        let groups = portal.change(
            .put, "/studies/\(study)/groups",
            #"{"allocation": "alternating", "arms": ["no_interventions", "no_app"], "size": 1, "sample_size": 20, "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}]}"#,
            as: .lena)
        #expect(groups.status == 200 || groups.status == 201, "\(groups.text)")
        let sends = make(#""interventions": [{"intervention_id": "\#(text)", "day": 0}]"#)
        #expect(sends.status == 422 && sends.wrongFields == ["interventions"], "\(sends.text)")
        let rule = portal.call(
            .post, "/rules",
            #"{"name": "R", "intervention_id": "\#(text)", "conditions": [{"kind": "silent", "days": 3}]}"#,
            as: .lena)
        let reacts = make(#""rule_ids": ["\#(rule.id)"]"#)
        #expect(reacts.status == 422 && reacts.text.contains("niemanden erreichen"), "\(reacts.text)")
        #expect(make(Self.before).status == 201)
    }

    @Test func `PR-17 a lead's reaction tells the therapist, and the lead nothing`() throws {
        let rule = portal.call(
            .post, "/rules",
            #"{"name": "Still", "enabled": true, "alert": "Bitte nachfragen", "conditions": [{"kind": "silent", "days": 3}]}"#,
            as: .lena)
        #expect(rule.status == 201, "\(rule.text)")
        #expect(make(#""rule_ids": ["\#(rule.id)"]"#).status == 201)
        try portal.wait(awake: 1)
        try RuleRun.tick(portal.services)
        #expect(portal.call(.get, "/alerts", as: .ada).list.isEmpty)
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.wait(awake: 4)
        try RuleRun.tick(portal.services)
        #expect(portal.call(.get, "/alerts", as: .ada).list.count == 1)
        #expect(portal.get("/alerts", as: .ada).text.contains("Bitte nachfragen"))
        #expect(portal.call(.get, "/rules/\(rule.id)/firings", as: .lena).list.isEmpty)
    }

    @Test func `PR-17 a protocol that goes between choosing and putting it is not put`() throws {
        let id = portal.call(.post, "/protocols", #"{"name": "P", \#(Self.before)}"#, as: .ada).id
        let body = #"{"protocol_id": "\#(id)", "follow": true}"#
        let (late, hasComeToWrite) = portal.interleaving({
            #expect(portal.call(.delete, "/protocols/\(id)", as: .ada).status == 204)
        }) { portal.call(.put, "/patients/\(pia)/protocol", body, as: .ada) }
        #expect(hasComeToWrite && late.status == 422 && late.wrongFields == ["protocol_id"])
        #expect(plan().isEmpty)
    }

    @Test
    func `PR-17, PR-21 handed over, the plan stays and the leaving therapist's changes touch it no more`()
        throws
    {
        let id = portal.call(.post, "/protocols", #"{"name": "P", \#(Self.before)}"#, as: .ada).id
        let body = #"{"protocol_id": "\#(id)", "follow": true}"#
        #expect(portal.call(.put, "/patients/\(pia)/protocol", body, as: .ada).status == 200)
        let handed = portal.call(
            .post, "/patients/C000001/hand-over", #"{"email": "ben@example.org"}"#, as: .uma)
        #expect(handed.status == 204, "\(handed.text)")
        let rules = {
            portal.call(.get, "/patients/\(pia)/delivery-rules", as: .ben).list.filter {
                $0["attributes"]?["protocol_id"] == .string(id)
            }.count
        }
        #expect(rules() == 1)
        #expect(portal.change(.patch, "/protocols/\(id)", #"{"plan": []}"#, as: .ada).status == 200)
        #expect(rules() == 1)
        let none = #"{"protocol_id": null, "follow": true}"#
        #expect(portal.call(.put, "/patients/\(pia)/protocol", none, as: .ben).status == 200 && rules() == 0)
    }

    @Test func `PR-17 another lead's protocol is not found, and a study that is over ends its own`() throws {
        let id = make(Self.before).id
        #expect(portal.call(.get, "/protocols/\(id)", as: .leo).status == 404)
        #expect(portal.call(.get, "/protocols/\(id)", as: .ada).status == 404)
        #expect(make(Self.before, as: .leo).wrongFields == ["study_id"])
        #expect(desk.enrol(.pia, in: study).status == 201 && plan().count == 1)
        try portal.services.records.writeUnaudited(.madeUp) { [study, portal] in
            try $0.run("UPDATE studies SET is_running = 0, archived_at = \(portal.now) WHERE id = \(study)")
        }
        try ProtocolPlanner.run(portal.services)
        #expect(plan().isEmpty)
        #expect(try portal.audit().contains("protocol.followed"))
    }

    @Test func `ST-5 a protocol of one arm acts on its participants, and on those who come into it`() throws {
        let groups = StudyDesk.groups.replacing(
            #""no_interventions""#, with: #"{"key": "later", "title": {"de": "Warteliste"}}"#)
        let items = portal.call(
            .post, "/studies/\(study)/questionnaires", #"{"questionnaire_key": "wellbeing-5"}"#, as: .lena)
        #expect(items.status == 201)
        #expect(portal.change(.put, "/studies/\(study)/groups", groups, as: .lena).status == 200)
        #expect(make(#"\#(Self.before), "arms": ["never"]"#).wrongFields == ["arms"])
        let made = make(#"\#(Self.before), "arms": ["later"]"#)
        #expect(made.status == 201 && made.attributes["arms"] == .array([.string("later")]), "\(made.text)")
        #expect(portal.get("/protocols", as: .lena).text.contains("nur Warteliste"))
        #expect(portal.get("/protocols/new", as: .lena).text.contains("study:\(study)/later"))
        // The group stays as long as the protocol is for it alone.
        let renamed = portal.change(
            .put, "/studies/\(study)/groups", groups.replacing("later", with: "waiting"), as: .lena)
        #expect(renamed.status == 422 && renamed.wrongFields == ["arms"], "\(renamed.text)")
        let removed = portal.change(.delete, "/studies/\(study)/groups", as: .lena)
        #expect(removed.status == 409 && removed.json["code"]?.string == "arm_in_use", "\(removed.text)")
        // Pia is the first of her row, in full.
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "full")
        #expect(plan().isEmpty)
        let (account, now) = (portal.cast.accounts[.pia] ?? "", portal.now)
        try portal.services.records.writeUnaudited(.madeUp) {
            [study, services = portal.services] connection in
            let later = try #require(try GroupStore.find(ID(study), connection)?.groups.arms.last)
            let own = try #require(try EnrolmentStore.find(in: ID(study), of: account, connection))
            try GroupStore.set(later, site: nil, therapy: own.therapyID, of: own.id, connection)
            try services.participates(account, at: now, connection)
        }
        #expect(plan().count == 1)
    }

    @Test func `ST-5 a protocol of a study acts once a participant is allocated, not while they wait`() throws
    {
        let item = #"{"questionnaire_key": "wellbeing-5", "is_onetime": true, "baseline": "required"}"#
        #expect(portal.call(.post, "/studies/\(study)/questionnaires", item, as: .lena).status == 201)
        let groups = StudyDesk.groups.replacing(
            #""size": 1"#, with: #""size": 1, "allocated_at": "baseline""#)
        #expect(portal.change(.put, "/studies/\(study)/groups", groups, as: .lena).status == 200)
        #expect(make(Self.before).status == 201)
        #expect(desk.enrol(.pia, in: study).attributes["arm"] == .null && plan().isEmpty)
        portal.wait(seconds: 60)
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 201)
        #expect(plan().count == 1)
    }
}
