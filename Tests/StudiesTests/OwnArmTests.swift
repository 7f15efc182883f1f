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

/// ST-5: arms of a study's own, with ratios.
@Suite struct OwnArmTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    static let arms = """
        [{"key": "drug", "title": {"de": "Wirkstoff", "en": "Drug"}, "ratio": 2},
         {"key": "waiting", "title": {"de": "Warteliste", "en": "Waiting list"}, "interventions": false},
         {"key": "leaflet", "title": {"de": "Faltblatt"}, "app": false}]
        """
    static let groups = StudyDesk.groups.replacing(#"["full", "no_interventions"]"#, with: arms)
        .replacing(#""sample_size": 4"#, with: #""sample_size": 40"#)

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
    }

    private var path: String { "/studies/\(study)/groups" }

    private func set(_ body: String = groups) -> Response { portal.change(.put, path, body, as: .lena) }

    private func shown() -> JSON? { portal.call(.get, path, as: .lena).attributes["arms"] }

    private func gives(_ therapist: Person = .ada, to patient: Person) -> Int {
        portal.call(
            .post, "/patients/\(portal.cast.therapies[patient]?.text ?? "")/interventions",
            #"{"kind": "question", "text": "Wie war es?"}"#, as: therapist
        ).status
    }

    @Test func `ST-5 an arm of the study's own is drawn by its ratio, and acts as it says`() throws {
        let made = set()
        #expect(made.status == 200, "\(made.text)")
        let full = """
            [{"key":"drug","title":{"de":"Wirkstoff","en":"Drug"},"app":true,"interventions":true,"ratio":2},
            {"key":"waiting","title":{"de":"Warteliste","en":"Waiting list"},"app":true,"interventions":false,"ratio":1},
            {"key":"leaflet","title":{"de":"Faltblatt","en":null},"app":false,"interventions":false,"ratio":1}]
            """
        #expect(try shown() == JSON.parse(Array(full.utf8)))
        // What was shown may be sent again.
        let again = StudyDesk.groups.replacing(#"["full", "no_interventions"]"#, with: full)
            .replacing(#""sample_size": 4"#, with: #""sample_size": 40"#)
        #expect(set(again).status == 200)
        let drawn = { (person: Person) in desk.enrol(person, in: study).attributes["arm"]?.string }
        // Nora has no therapist, Pia's works in Ulm: each row begins anew.
        #expect(drawn(.nora) == "drug" && drawn(.pia) == "drug" && drawn(.quinn) == "drug")
        #expect(gives(to: .pia) == 201)
        let list = portal.call(.get, "/studies/\(study)/participants", as: .lena).list
        #expect(list.compactMap { $0["attributes"]?["arm"]?.string } == ["drug", "drug", "drug"])
        let json = try desk.export(study, "json")["participants"]?.array ?? []
        #expect(json.compactMap { $0["arm"]?.string } == ["drug", "drug", "drug"])
        for page in ["groups", "participants", "results", "compliance"] {
            let text = portal.get("/studies/\(study)/\(page)", as: .lena).text
            #expect(page == "compliance" || text.contains("Wirkstoff"), "\(page)")
        }
    }

    @Test func `ST-5 an arm without interventions, and one without the app, act as the house's do`() throws {
        let waiting = """
            [{"key": "waiting", "title": {"de": "Warteliste"}, "interventions": false},
             {"key": "leaflet", "title": {"de": "Faltblatt"}, "app": false}]
            """
        #expect(set(Self.groups.replacing(Self.arms, with: waiting)).status == 200)
        let pia = desk.enrol(.pia, in: study)
        #expect(pia.attributes["arm"]?.string == "waiting" && gives(to: .pia) == 409)
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .pia)
        #expect(gives(to: .pia) == 201)
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "waiting" && gives(to: .pia) == 409)
        // The first in the row of those without a therapist waits; the second one has no app.
        #expect(desk.enrol(.nora, in: study).attributes["arm"]?.string == "waiting")
        let quinn = desk.enrol(.quinn, in: study)
        let other = quinn.attributes["arm"]?.string
        #expect(other == "waiting")
        let paper = portal.call(
            .post, "/studies/\(study)/participants",
            #"{"consented_on": "\#(portal.now.text.prefix(10))", "consent_version": 1}"#, as: .lena)
        #expect(paper.status == 201, "\(paper.text)")
        let flow = try portal.services.records.read { [study] connection in
            let stored = try #require(try GroupStore.find(ID(study), connection))
            return try GroupFlowStore.flows(of: ID(study), stored, connection)
        }
        #expect(flow.map(\.arm.rawValue) == ["waiting", "leaflet"])
        #expect(flow.reduce(0) { $0 + $1.flow.total } == 4)
    }

    @Test func `ST-5 the three strings stay what they are on the wire`() throws {
        let mixed = #"["full", {"key": "no_app", "app": false, "ratio": 3}]"#
        #expect(set(Self.groups.replacing(Self.arms, with: mixed)).status == 200)
        let stored = """
            ["full",{"key":"no_app","title":null,"app":false,"interventions":false,"ratio":3}]
            """
        #expect(try shown() == JSON.parse(Array(stored.utf8)))
        let plain = #"[{"key": "full"}, {"key": "no_interventions", "interventions": false, "ratio": 1}]"#
        #expect(set(Self.groups.replacing(Self.arms, with: plain)).status == 200)
        #expect(shown() == .array([.string("full"), .string("no_interventions")]))
        let columns = try portal.services.records.read { connection in
            try connection.all("SELECT arms, arm_list FROM study_designs") { row in
                (try row[0] as String, try row[1] as String?)
            }
        }
        #expect(columns.map(\.0) == ["full no_interventions"] && columns.map(\.1) == [nil])
    }

    static let wrong: [(arms: String, field: String)] = [
        (#"[{"key": "drug", "title": {"de": "W"}}]"#, "arms"),
        (#"[{"key": "a", "title": {"de": "A"}}, {"key": "a", "title": {"de": "B"}}]"#, "arms"),
        (#"["full", {"key": "full"}]"#, "arms"),
        (#"["full", {"title": {"de": "B"}}]"#, "arms.1.key"),
        (#"["full", {"key": "B c", "title": {"de": "B"}}]"#, "arms.1.key"),
        (#"["full", {"key": "b"}]"#, "arms.1.title"),
        (#"["full", {"key": "b", "title": {"de": "B"}, "ratio": 0}]"#, "arms.1.ratio"),
        (
            #"["full", {"key": "b", "title": {"de": "B"}, "app": false, "interventions": true}]"#,
            "arms.1.interventions"
        ),
        (#"["full", {"key": "no_app", "title": {"de": "B"}}]"#, "arms.1.key"),
        (#"["full", {"key": "b", "title": {"de": "B"}, "size": 2}]"#, "arms.1.size"),
        (#"["full", 7]"#, "arms"),
    ]

    @Test(arguments: wrong.indices) func `ST-5 a wrong arm names its field and sets nothing`(index: Int) {
        let wrong = Self.wrong[index]
        let refused = set(Self.groups.replacing(Self.arms, with: wrong.arms))
        #expect(refused.status == 422 && refused.json["errors"]?[wrong.field] != nil, "\(refused.text)")
        #expect(portal.call(.get, path, as: .lena).status == 404)
    }

    @Test func `ST-5 thirteen arms are too many, and a block takes the sum of the ratios`() {
        let many = (1...13).map { #"{"key": "a\#($0)", "title": {"de": "A\#($0)"}}"# }
        #expect(set(Self.groups.replacing(Self.arms, with: "[\(many.joined(separator: ","))]")).status == 422)
        let twelve = "[\(many.prefix(12).joined(separator: ","))]"
        #expect(set(Self.groups.replacing(Self.arms, with: twelve)).status == 200)
        let blocks = Self.groups.replacing("alternating", with: "randomised")
        let refused = set(blocks.replacing(#""size": 1"#, with: #""size": 6"#))
        #expect(refused.status == 422 && refused.text.contains("Vielfaches von 4"))
        #expect(set(blocks.replacing(#""size": 1"#, with: #""size": 8"#)).status == 200)
    }

    @Test func `ST-5 once somebody is in, an arm may be called otherwise and nothing else of it changes`() {
        #expect(set().status == 200)
        #expect(desk.enrol(.nora, in: study).status == 201)
        for (old, new) in [
            (#""ratio": 2"#, #""ratio": 3"#), (#""app": false"#, #""app": true"#), ("waiting", "wait"),
        ] {
            #expect(set(Self.groups.replacing(old, with: new)).status == 422, "\(new)")
        }
        #expect(set(Self.groups.replacing("Wirkstoff", with: "Verum")).status == 200)
        #expect(portal.get(path, as: .lena).text.contains("Verum"))
    }

    @Test func `ST-5 somebody who enrols while a lead changes the arms is in, and the change is refused`() {
        #expect(set().status == 200)
        let seen = portal.revision(on: path, as: .lena)
        #expect(desk.enrol(.nora, in: study).status == 201)
        let form = form(["group_1_ratio": "5"]) + [seen]
        let refused = portal.post(path, form, as: .lena)
        #expect(refused.status == 422 && refused.text.contains("stehen fest"))
        #expect(portal.call(.get, path, as: .lena).attributes["allocated"] == .number(1))
    }

    @Test func `ST-5 of a change of the arms and an enrolment at once both see what the other has done`() {
        #expect(set().status == 200)
        let waiting = Self.groups.replacing(
            Self.arms, with: #"[{"key": "waiting", "title": {"de": "Warteliste"}}, "full"]"#)
        let (enrolled, hasWritten) = portal.interleaving({ _ = set(waiting) }) { desk.enrol(.pia, in: study) }
        #expect(hasWritten && enrolled.attributes["arm"]?.string == "waiting")
        let other = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: other)
        let put = { (body: String) in portal.change(.put, "/studies/\(other)/groups", body, as: .lena) }
        #expect(put(Self.groups).status == 200)
        let (refused, _) = portal.interleaving({ _ = desk.enrol(.nora, in: other) }) {
            put(Self.groups.replacing(#""ratio": 2"#, with: #""ratio": 3"#))
        }
        #expect(refused.status == 409 && refused.json["code"]?.string == "groups_fixed", "\(refused.text)")
        let stored = portal.call(.get, "/studies/\(other)/groups", as: .lena).attributes
        #expect(stored["arms"]?.array?.first?["ratio"] == .number(2) && stored["allocated"] == .number(1))
    }

    @Test func `ST-5 groups and access on request do not meet, also where two leads write at once`() {
        let request = { @Sendable in
            portal.change(.patch, "/studies/\(study)", #"{"access": "request"}"#, as: .lena)
        }
        let (refused, _) = portal.interleaving({ _ = set() }, request)
        #expect(refused.status == 422 && refused.json["errors"]?["access"] != nil, "\(refused.text)")
        #expect(portal.change(.delete, path, as: .lena).status == 204)
        let (late, _) = portal.interleaving({ _ = request() }) { set() }
        #expect(late.status == 422 && late.json["errors"]?["allocation"] != nil, "\(late.text)")
        #expect(portal.call(.get, path, as: .lena).status == 404)
    }

    private func form(_ more: [String: String] = [:]) -> [(String, String)] {
        let fields = [
            "allocation": "alternating", "size": "1", "sample_size": "40",
            "outcome_1": "wellbeing-5/wellbeing", "outcome_1_day": "28", "outcome_1_primary": "true",
            "group_1_key": "drug", "group_1_title_de": "Wirkstoff", "group_1_title_en": "Drug",
            "group_1_app": "true", "group_1_interventions": "true", "group_1_ratio": "2",
            "group_2_key": "waiting", "group_2_title_de": "Warteliste", "group_2_app": "true",
        ].merging(more) { $1 }
        return fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    @Test func `ST-5 the form says the same, keeps what was typed and the order that a call gave`() throws {
        let refused = portal.post(path, form(["group_2_key": "Waiting List"]), as: .lena)
        #expect(refused.status == 422 && refused.text.contains("value=\"Waiting List\""))
        #expect(refused.text.contains("href=\"#group_2_key\""))
        #expect(portal.post(path, form(), as: .lena).status == 303)
        #expect(shown()?.array?.map { $0["key"]?.string } == ["drug", "waiting"])
        let mixed = Self.groups.replacing(
            Self.arms,
            with:
                #"[{"key": "waiting", "title": {"de": "Warteliste"}}, "full", {"key": "drug", "title": {"de": "W"}}]"#
        )
        #expect(set(mixed).status == 200)
        let seen = portal.revision(on: path, as: .lena)
        #expect(portal.post(path, form(["arm_full": "true"]) + [seen], as: .lena).status == 303)
        #expect(shown()?.array?.map { $0.string ?? $0["key"]?.string } == ["waiting", "full", "drug"])
    }
}
