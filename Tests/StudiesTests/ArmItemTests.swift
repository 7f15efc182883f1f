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

/// ST-5: questionnaires of single arms, and waiting lists that cross over.
@Suite struct ArmItemTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    static let groups = """
        {"allocation": "alternating", "size": 1, "sample_size": 40,
         "arms": ["full", {"key": "later", "title": {"de": "Warteliste"}, "interventions": false, "crosses_after_days": 10}],
         "outcomes": [{"is_primary": true, "questionnaire_key": "wellbeing-5", "scale": "wellbeing", "day": 28}]}
        """

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try StudyDesk.publishMood(portal)
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(portal.change(.put, "/studies/\(study)/groups", Self.groups, as: .lena).status == 200)
    }

    private func keys(_ person: Person) -> [String] {
        portal.call(.get, "/my/questionnaires", as: person).list.compactMap {
            $0["attributes"]?["key"]?.string
        }
    }

    private func mood(as person: Person, _ version: String) -> Response {
        portal.call(
            .put, "/my/contributions/\(portal.services.chance.uuid())",
            """
            {"study_id": "\(study)", "questionnaire_id": "\(version)", "started_at": "\(portal.now.text)",
             "completed_at": "\(portal.now.text)", "timezone": "Europe/Vienna", "answers": \(StudyDesk.wellbeing)}
            """, as: person)
    }

    private func therapyArm(_ person: Person) throws -> String? {
        let therapy = try #require(portal.cast.therapies[person])
        return try portal.services.records.read { connection in
            let arm: String?? = try connection.value("SELECT arm FROM therapies WHERE id = \(therapy)")
            return arm ?? nil
        }
    }

    @Test func `ST-5 a questionnaire of one arm is asked of that arm, and refused from others`() throws {
        let item = desk.add(
            "mood", to: study, #", "arms": ["later"]"# + StudyDesk.daily("08:00", "20:00"))
        // Pia is in full, Quinn, at a site of his own, too; Nora is the first without a site.
        for person in [Person.pia, .quinn] { #expect(desk.enrol(person, in: study).status == 201) }
        try portal.services.records.writeUnaudited(.madeUp) { [study] connection in
            let later = try #require(try GroupStore.find(ID(study), connection)?.groups.arms.last)
            let quinn = try #require(
                try EnrolmentStore.find(in: ID(study), of: portal.cast.accounts[.quinn] ?? "", connection))
            try GroupStore.set(later, site: nil, therapy: quinn.therapyID, of: quinn.id, connection)
        }
        #expect(keys(.pia) == ["wellbeing-5"], "\(keys(.pia))")
        #expect(keys(.quinn) == ["wellbeing-5", "mood"], "\(keys(.quinn))")
        try portal.wait(awake: 2)
        let version = desk.version("mood", .quinn)
        #expect(mood(as: .quinn, version).status == 201)
        let refused = mood(as: .pia, version)
        #expect(refused.status == 409 && refused.text.contains("Ihre Gruppe nicht"), "\(refused.text)")
        let asked = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.reduce(
            into: [String: Double]()
        ) {
            $0[$1["attributes"]?["arm"]?.string ?? ""] = $1["attributes"]?["prompted"]?.number
        }
        #expect(asked["full"] == 0 && asked["later"] ?? 0 > 1, "\(asked)")
        // Which arms are asked is fixed with the first participant.
        let path = "/studies/\(study)/questionnaires/\(item)"
        #expect(portal.change(.patch, path, #"{"arms": null}"#, as: .lena).status == 409)
        #expect(portal.get("/studies/\(study)/questionnaires", as: .lena).text.contains("Warteliste"))
    }

    @Test func `ST-5 arms that a questionnaire names are there, and stay`() {
        let unknown = portal.call(
            .post, "/studies/\(study)/questionnaires",
            #"{"questionnaire_key": "mood", "arms": ["never"]}"#, as: .lena)
        #expect(unknown.status == 422 && unknown.wrongFields == ["arms"], "\(unknown.text)")
        let item = desk.add("mood", to: study, #", "arms": ["later"]"#)
        #expect(
            portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).wrongFields == [
                "arms"
            ])
        #expect(portal.change(.delete, "/studies/\(study)/groups", as: .lena).status == 409)
        let form = portal.get("/studies/\(study)/questionnaires/\(item)", as: .lena).text
        #expect(form.contains("name=\"arm_later\"") && form.contains("Nur für diese Gruppen"))
        // A copy has no groups, and asks everybody.
        _ = portal.post("/studies/\(study)/copy", [], as: .lena)
        let copy = portal.call(.get, "/studies", as: .lena).list.first {
            $0["attributes"]?["name"]?.string?.hasPrefix("stress-26-") == true
        }
        let items = portal.call(.get, "/studies/\(copy?["id"]?.string ?? "")/questionnaires", as: .lena).list
        #expect(items.count == 2 && items.allSatisfy { $0["attributes"]?["arms"] == .null })
    }

    @Test func `ST-5 a waiting list has interventions from its day on, and stays the arm it was`() throws {
        #expect(desk.enrol(.pia, in: study).status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { [study] connection in
            let later = try #require(try GroupStore.find(ID(study), connection)?.groups.arms.last)
            let pia = try #require(
                try EnrolmentStore.find(in: ID(study), of: portal.cast.accounts[.pia] ?? "", connection))
            try GroupStore.set(later, site: "Ulm", therapy: pia.therapyID, of: pia.id, connection)
        }
        #expect(try therapyArm(.pia) == "no_interventions")
        try portal.wait(awake: 9)
        try GroupClock.run(portal.services)
        #expect(try therapyArm(.pia) == "no_interventions")
        try portal.wait(awake: 1)
        try GroupClock.run(portal.services)
        try GroupClock.run(portal.services)
        #expect(try therapyArm(.pia) == "full")
        #expect(try portal.audit().filter { $0 == "enrolment.crossed" }.count == 1)
        let pia = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        #expect(pia?["arm"]?.string == "later" && pia?["crossed_at"]?.string == portal.now.text)
        // Coming back begins nothing anew.
        #expect(portal.call(.delete, "/studies/\(study)/enrolment", as: .pia).status == 204)
        #expect(try therapyArm(.pia) == nil)
        portal.wait(seconds: 60)
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "later")
        #expect(try therapyArm(.pia) == "no_interventions")
        try GroupClock.run(portal.services)
        #expect(try therapyArm(.pia) == "full")
    }

    @Test func `ST-5 only a list that waits can cross over`() {
        for wrong in [
            #"{"key": "later", "title": {"de": "W"}, "crosses_after_days": 10}"#,
            #"{"key": "later", "title": {"de": "W"}, "app": false, "crosses_after_days": 10}"#,
            #"{"key": "later", "title": {"de": "W"}, "interventions": false, "crosses_after_days": 0}"#,
        ] {
            let body = StudyDesk.groups.replacing(#""no_interventions""#, with: wrong)
            let refused = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
            #expect(refused.wrongFields == ["arms.1.crosses_after_days"], "\(refused.text)")
        }
    }
}
