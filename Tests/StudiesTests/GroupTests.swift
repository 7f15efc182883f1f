import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Therapies
@testable import Web

/// IO-21: groups, how participants are allocated, and what may not be changed or known.
@Suite struct GroupTests {
    let portal: TestPortal
    let desk: StudyDesk

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
    }

    func controlled(_ body: String = StudyDesk.groups) -> String {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let set = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
        #expect(set.status == 200, "\(set.text)")
        return study
    }

    // MARK: Sequences

    func groups(_ allocation: TrialDesign.Allocation, _ arms: [StudyArm], _ size: Int) -> TrialDesign {
        TrialDesign(allocation: allocation, arms: arms, size: size, sampleSize: 100, outcomes: [])
    }

    @Test func `consecutive cohorts take turns in the order of the arms`() {
        let alternating = groups(.alternating, [.full, .noInterventions, .noApp], 2)
        let arms = (0..<8).map { alternating.arm(at: $0, of: "site/Ulm", seed: 1) }
        #expect(
            arms == [.full, .full, .noInterventions, .noInterventions, .noApp, .noApp, .full, .full])
    }

    @Test func `blocks are balanced, follow from the seed, and differ between sites and seeds`() {
        let random = groups(.randomised, [.full, .noInterventions], 6)
        let sequence = { (site: String, seed: UInt64) in
            (0..<60).map { random.arm(at: $0, of: site, seed: seed) }
        }
        let ulm = sequence("site/Ulm", 42)
        for block in 0..<10 {
            #expect(ulm[(block * 6)..<(block * 6 + 6)].count { $0 == .full } == 3)
        }
        #expect(ulm == sequence("site/Ulm", 42))
        #expect(ulm != sequence("site/Linz", 42) && ulm != sequence("site/Ulm", 43))
        // Over many seeds every place is as often one as the other.
        for place in 0..<6 {
            let share = (0..<2000 as Range<UInt64>).count {
                random.arm(at: place, of: "", seed: $0) == .full
            }
            #expect((900...1100).contains(share), "place \(place): \(share)")
        }
    }

    @Test func `ST-5 ratios come into cohorts and blocks, and a study without them draws as it did before`() {
        let old = groups(.randomised, [.full, .noInterventions], 6)
        let letters = [StudyArm.Key.full: "f", .noInterventions: "n"]
        let drawn = (0..<24).map { letters[old.arm(at: $0, of: "site/Ulm", seed: 42)] ?? "?" }.joined()
        // Reckoned by another program (`Tests/Allocation/recompute.py`).
        #expect(drawn == "fnffnnfnffnnnffnfnfnnnff")
        let drug = StudyArm(key: .init(rawValue: "drug"), title: ["en": "drug"], treatment: .full, ratio: 2)
        let both = [drug, .noInterventions]
        let cohorts = groups(.alternating, both, 2)
        #expect(
            (0..<8).map { cohorts.arm(at: $0, of: "", seed: 1).rawValue.first }.map { $0 == "d" } == [
                true, true, true, true, false, false, true, true,
            ])
        let blocks = groups(.randomised, both, 6)
        for place in stride(from: 0, to: 300, by: 6) {
            let block = (place..<(place + 6)).map { blocks.arm(at: $0, of: "site/Ulm", seed: 9) }
            #expect(block.count { $0 == drug.key } == 4)
        }
        for (design, taken) in [(blocks, 47), (cohorts, 31)] {
            let counted = design.arms(in: taken, of: "x", seed: 9)
            let drugs = (0..<taken).count { design.arm(at: $0, of: "x", seed: 9) == drug.key }
            #expect(counted == [drug.key: drugs, .noInterventions: taken - drugs])
        }
    }

    // MARK: Enrolling

    @Test func `the arm is drawn when somebody enrols, cohort by cohort, until the sample is complete`() {
        let study = controlled(StudyDesk.groups.replacing("\"sample_size\": 4", with: "\"sample_size\": 2"))
        let arm = { (person: Person) -> String? in
            let enrolled = desk.enrol(person, in: study)
            #expect(enrolled.status == 201, "\(enrolled.text)")
            return enrolled.attributes["arm"]?.string
        }
        #expect(arm(.nora) == "full" && arm(.quinn) != nil)
        let full = desk.enrol(.pia, in: study)
        #expect(full.status == 409 && full.text.contains("alle Plätze vergeben"))
        let standing = portal.call(.get, "/studies/\(study)/groups", as: .lena)
        #expect(standing.attributes["allocated"] == .number(2))
        #expect(standing.attributes["seed"] == .null)
    }

    @Test func `the control group gets no interventions until it leaves or the study is over`() throws {
        let arms = #""arms": ["no_interventions", "full"]"#
        let study = controlled(
            StudyDesk.groups.replacing(#""arms": ["full", "no_interventions"]"#, with: arms))
        let enrolled = desk.enrol(.pia, in: study)
        #expect(enrolled.attributes["arm"]?.string == "no_interventions")
        let therapy = portal.cast.therapies[.pia] ?? ""
        let give = {
            portal.call(
                .post, "/patients/\(therapy)/interventions", #"{"kind": "question", "text": "Wie war es?"}"#,
                as: .ada
            ).status
        }
        #expect(give() == 409)
        _ = portal.call(.delete, "/studies/\(study)/enrolment", as: .pia)
        #expect(give() == 201)
        // A returned participant stays in their group and takes no other place.
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "no_interventions" && give() == 409)
        #expect(
            portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes["allocated"] == .number(1))
        _ = portal.change(.patch, "/studies/\(study)", #"{"archived": true}"#, as: .lena)
        Housekeeping.run(portal.services)
        #expect(give() == 201)
    }

    @Test func `each site has its own sequence, and a therapy is in one group only`() throws {
        let study = controlled()
        // Pia's therapist has a site, Nora has none: both begin with the first arm.
        #expect(desk.enrol(.pia, in: study).attributes["arm"]?.string == "full")
        #expect(desk.enrol(.nora, in: study).attributes["arm"]?.string == "full")
        let other = desk.begin(named: "zweite")
        _ = desk.add("wellbeing-5", to: other)
        _ = portal.change(.put, "/studies/\(other)/groups", StudyDesk.groups, as: .lena)
        #expect(desk.enrol(.pia, in: other).status == 409)
        let page = portal.get("/studies/\(study)/groups", as: .lena).text
        #expect(page.contains("Ulm") && page.contains("2 von 4") && page.contains("ohne Standort"))
        let json = try desk.export(study, "json")["participants"]?.array ?? []
        #expect(Set(json.compactMap { $0["arm"]?.string }) == ["full"])
        #expect(json.compactMap { $0["site"]?.string } == ["Ulm"])
    }

    @Test func `of two who come at once into the last place, one comes in`() async throws {
        let study = controlled(StudyDesk.groups.replacing("\"sample_size\": 4", with: "\"sample_size\": 2"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let statuses = await withTaskGroup(of: Int.self) { group in
            for person in [Person.pia, .quinn] { group.addTask { desk.enrol(person, in: study).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [201, 409])
    }

    @Test
    func `access on request and groups do not go together, because whoever accepts would know the next`() {
        let study = controlled()
        let request = portal.change(.patch, "/studies/\(study)", #"{"access": "request"}"#, as: .lena)
        #expect(request.status == 422 && request.json["errors"]?["access"] != nil)
        let other = desk.begin(#"{"access": "request"}"#, named: "zweite")
        _ = desk.add("wellbeing-5", to: other)
        let refused = portal.change(.put, "/studies/\(other)/groups", StudyDesk.groups, as: .lena)
        #expect(refused.status == 422 && refused.json["errors"]?["allocation"] != nil)
    }

    @Test func `groups are named before anybody is in`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(portal.change(.put, "/studies/\(study)/groups", StudyDesk.groups, as: .lena).status == 422)
    }

    @Test func `the arm follows the person: into a therapy that begins later, and back after a mistake`()
        throws
    {
        let arms = #""arms": ["no_interventions", "full"]"#
        let study = controlled(
            StudyDesk.groups.replacing(#""arms": ["full", "no_interventions"]"#, with: arms))
        #expect(desk.enrol(.nora, in: study).attributes["arm"]?.string == "no_interventions")
        let made = portal.call(.post, "/patients", "{}", as: .ada)
        let code = made.attributes["pairing_code"]?["code"]?.string ?? ""
        let pairing = #"{"code": "\#(code)", "birth_date": "1990-01-01", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", pairing, as: .nora).status == 201)
        let give = {
            portal.call(
                .post, "/patients/\(made.id)/interventions", #"{"kind": "question", "text": "Wie?"}"#,
                as: .ada
            ).status
        }
        #expect(give() == 409)
        _ = portal.change(.patch, "/studies/\(study)", #"{"archived": true}"#, as: .lena)
        Housekeeping.run(portal.services)
        #expect(give() == 201)
        _ = portal.change(.patch, "/studies/\(study)", #"{"archived": false, "running": true}"#, as: .lena)
        #expect(give() == 409)
        // Leaving another study changes nothing of it.
        let other = desk.begin(named: "zweite")
        #expect(desk.enrol(.nora, in: other).status == 201)
        for _ in 0..<2 { _ = portal.call(.delete, "/studies/\(other)/enrolment?data=remove", as: .nora) }
        #expect(give() == 409)
        // The therapist did not offer it: their page says nothing of it.
        #expect(!portal.get("/patients/\(made.id)", as: .ada).text.contains("Stress im Alltag"))
    }

    // MARK: What may not be

    static let wrong: [(replaced: String, by: String, field: String)] = [
        (#"["full", "no_interventions"]"#, #"["full"]"#, "arms"),
        (#"["full", "no_interventions"]"#, #"["full", "full"]"#, "arms"),
        (#"["full", "no_interventions"]"#, #"["full", "half"]"#, "arms"),
        (#""alternating""#, #""by hand""#, "allocation"), (#""size": 1"#, #""size": 0"#, "size"),
        (#""sample_size": 4"#, #""sample_size": 1"#, "sample_size"),
        (#""is_primary": true"#, #""is_primary": false"#, "outcomes"),
        (#""scale": "wellbeing""#, #""scale": "mood""#, "outcomes.0.scale"),
        (#""day": 28"#, #""day": 0"#, "outcomes.0.day"),
        ("ada@example.org", "nobody@example.org", "sites.0.email"),
        ("ada@example.org", "pia@example.org", "sites.0.email"),
        (#""alternating", "arms""#, #""randomised", "arms""#, "size"),
    ]

    @Test(arguments: wrong.indices) func `bad input names its field and sets nothing`(index: Int) {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let wrong = Self.wrong[index]
        let body = StudyDesk.groups.replacing(wrong.replaced, with: wrong.by)
        let refused = portal.change(.put, "/studies/\(study)/groups", body, as: .lena)
        #expect(refused.status == 422 && refused.json["errors"]?[wrong.field] != nil, "\(refused.text)")
        #expect(portal.call(.get, "/studies/\(study)/groups", as: .lena).status == 404)
    }

    @Test func `once somebody is in, groups and outcomes are fixed, and the seed is nobody's`() {
        let study = controlled()
        #expect(desk.enrol(.nora, in: study).status == 201)
        for (old, new) in [("28", "56"), (#""size": 1"#, #""size": 2"#), ("alternating", "randomised")] {
            let body = StudyDesk.groups.replacing(old, with: new).replacing(
                #""allocation": "randomised", "arms": ["full", "no_interventions"], "size": 1"#,
                with: #""allocation": "randomised", "arms": ["full", "no_interventions"], "size": 2"#)
            #expect(portal.change(.put, "/studies/\(study)/groups", body, as: .lena).status == 422, "\(new)")
        }
        let larger = StudyDesk.groups.replacing("\"sample_size\": 4", with: "\"sample_size\": 9")
        let changed = portal.change(.put, "/studies/\(study)/groups", larger, as: .lena)
        #expect(changed.status == 200 && changed.attributes["seed"] == .null)
        #expect(portal.call(.delete, "/studies/\(study)/groups", as: .lena).status == 409)
    }

    @Test func `the form says the same, and keeps what was typed`() {
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        let form = [
            // As browsers send boxes: a hidden field, and the box when it is ticked.
            ("allocation", "randomised"), ("arm_full", ""), ("arm_full", "true"),
            ("arm_no_interventions", ""),
            ("arm_no_app", ""), ("arm_no_app", "true"), ("size", "3"),
            ("sample_size", "40"), ("outcome_1", "wellbeing-5/wellbeing"), ("outcome_1_day", "28"),
            ("outcome_1_primary", "true"), ("site_1_name", "Ulm"), ("site_1_email", "ada@example.org"),
        ]
        let refused = portal.post("/studies/\(study)/groups", form, as: .lena)
        #expect(refused.status == 422 && refused.text.contains("Vielfaches von 2"))
        #expect(refused.text.contains("value=\"40\"") && refused.text.contains("value=\"Ulm\""))
        let ticked = refused.text.matches(of: /id="(arm_[a-z_]+)"[^>]* checked/).map { String($0.1) }
        #expect(ticked == ["arm_full", "arm_no_app"])
        let saved = portal.post(
            "/studies/\(study)/groups", form.map { $0.0 == "size" ? ("size", "4") : $0 }, as: .lena)
        #expect(saved.status == 303)
        let stored = portal.call(.get, "/studies/\(study)/groups", as: .lena).attributes
        #expect(stored["arms"] == .array([.string("full"), .string("no_app")]))
        #expect(stored["outcomes"]?.array?.first?["day"] == .number(28))
        #expect(stored["sites"]?.array?.first?["email"]?.string == "ada@example.org")
        let seen = portal.revision(on: "/studies/\(study)/groups", as: .lena)
        #expect(portal.post("/studies/\(study)/groups/removal", [seen], as: .lena).status == 303)
        #expect(portal.call(.get, "/studies/\(study)/groups", as: .lena).status == 404)
    }

    // MARK: Offers and invitations

    @Test
    func `a study offered at pairing is found by the patient alone, and the arm is drawn by their own yes`()
        throws
    {
        let study = controlled()
        _ = portal.change(
            .patch, "/studies/\(study)",
            #"{"is_hidden": true, "access": "password", "password": "geheimnis"}"#,
            as: .lena)
        let made = portal.call(.post, "/patients", #"{"study_id": "\#(study)"}"#, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        let code = made.attributes["pairing_code"]?["code"]?.string ?? ""
        let listed = { portal.call(.get, "/studies", as: .nora).list.map { $0["id"]?.string } }
        #expect(!listed().contains(study))
        let pairing = #"{"code": "\#(code)", "birth_date": "1990-01-01", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", pairing, as: .nora).status == 201)
        #expect(listed().contains(study))
        let shown = portal.call(.get, "/studies/\(study)", as: .nora).attributes
        #expect(shown["offered"] == .bool(true) && shown["access"]?.string == "open")
        // Offered is not enrolled.
        let own = portal.call(.get, "/my/studies", as: .nora).list.map { $0["id"]?.string }
        #expect(!own.contains(study))
        #expect(desk.enrol(.nora, in: study, #"{"consent_accepted": false}"#).status == 422)
        #expect(desk.enrol(.nora, in: study).attributes["arm"]?.string == "full")
        // Quinn's therapist is not named by the leads: not hers to offer.
        let foreign = portal.call(.post, "/patients", #"{"study_id": "\#(study)"}"#, as: .ben)
        #expect(foreign.status == 422 && foreign.json["errors"]?["study_id"] != nil)
    }

    @Test func `RP-214 an invitation is read in the digits of any script, and a letter makes it wrong`() {
        let study = controlled()
        let made = portal.call(.post, "/studies/\(study)/invitations", #"{"amount": 1}"#, as: .lena)
        let code = made.attributes["codes"]?.array?.first?.string ?? ""
        let wide = String(
            String.UnicodeScalarView(
                code.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + 0xFF10) }))
        let found = { (code: String) in
            portal.call(.get, "/studies?code=\(percentEncoded(code))", as: .nora).list.first?["id"]?.string
        }
        #expect(found("\(wide.prefix(5))\u{2013}\(wide.suffix(5))") == study)
        #expect(
            desk.enrol(.nora, in: study, #"{"consent_accepted": true, "code": "\#(code)x"}"#).status == 422)
        #expect(
            desk.enrol(.nora, in: study, #"{"consent_accepted": true, "code": "\#(wide)"}"#).status == 201)
    }

    @Test func `an invitation lets one person in, once, without password and without leave`() throws {
        let study = controlled()
        _ = portal.change(
            .patch, "/studies/\(study)", #"{"is_hidden": true, "access": "request"}"#, as: .lena)
        let made = portal.call(.post, "/studies/\(study)/invitations", #"{"amount": 2}"#, as: .lena)
        let codes = made.attributes["codes"]?.array?.compactMap(\.string) ?? []
        #expect(made.status == 201 && Set(codes).count == 2 && codes.allSatisfy { $0.count == 10 })
        let found = portal.call(.get, "/studies?code=\(codes[0])", as: .nora).list
        #expect(found.first?["id"]?.string == study)
        let body = { (code: String) in #"{"consent_accepted": true, "code": "\#(code)"}"# }
        #expect(desk.enrol(.nora, in: study, body(codes[0])).status == 201)
        let again = desk.enrol(.quinn, in: study, body(codes[0]))
        #expect(again.status == 422 && again.json["errors"]?["code"] != nil)
        #expect(desk.enrol(.quinn, in: study, body(codes[1])).status == 201)
        // Neither in the database nor in the audit log.
        let stored = try portal.services.records.read { connection in
            try connection.all("SELECT lookup FROM study_invitations") { row in try row[0] as [UInt8] }
        }
        #expect(
            stored.count == 2 && !stored.contains { String(decoding: $0, as: UTF8.self).contains(codes[0]) })
        for wrong in [#"{"amount": 0}"#, #"{"amount": 201}"#, #"{}"#, #"{"amount": 1, "days": 0}"#] {
            #expect(portal.call(.post, "/studies/\(study)/invitations", wrong, as: .lena).status == 422)
        }
        let page = portal.post("/studies/\(study)/invitations", [("amount", "3"), ("days", "7")], as: .lena)
        #expect(page.status == 303)
        let shown = portal.get("/studies/\(study)/invitations", as: .lena).text
        #expect(shown.matches(of: /<code>\d{5} \d{5}<\/code>/).count == 3)
        portal.wait(seconds: 700)
        let later = portal.get("/studies/\(study)/invitations", as: .lena).text
        #expect(
            later.matches(of: /<code>\d{5} \d{5}<\/code>/).isEmpty && later.contains("3 offen, 2 verwendet"))
    }

    // MARK: Paper

    @Test func `who has no app fills in paper, which staff enter and everybody sees as such`() throws {
        let arms = #""arms": ["no_app", "full"]"#
        let study = controlled(
            StudyDesk.groups.replacing(#""arms": ["full", "no_interventions"]"#, with: arms))
        let enrolled = desk.enrol(.pia, in: study)
        #expect(enrolled.attributes["arm"]?.string == "no_app")
        // Nor does anything list dailies for them.
        try portal.publish("intersession-daily")
        try portal.services.records.writeUnaudited(.madeUp) {
            [pia = portal.cast.therapies[.pia] ?? ""] connection in
            try connection.run("UPDATE therapies SET arm = 'no_app' WHERE id = \(pia)")
        }
        #expect(portal.call(.get, "/my/dailies", as: .pia).list.isEmpty)
        #expect(
            portal.call(.get, "/my/overview", as: .pia).attributes["open_questionnaires"] == .number(0))
        #expect(
            portal.get("/patients/\(portal.cast.therapies[.pia] ?? "")/deliveries", as: .ada).text.contains(
                "Keine Tagesabfragen"))
        let codename = enrolled.attributes["codename"]?.string ?? ""
        #expect(desk.answer("wellbeing-5", in: study, as: .pia).status == 409)
        #expect(
            portal.call(.get, "/my/assignments", as: .pia).list.allSatisfy {
                $0["attributes"]?["source"]?.string != "study"
            })
        let body = """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """
        let path = "/studies/\(study)/participants/\(codename)/contributions"
        #expect(portal.call(.post, path, body, as: .lena).status == 204)
        let therapy = portal.cast.therapies[.pia] ?? ""
        // The same paper twice is one paper.
        #expect(portal.call(.post, path, body, as: .lena).status == 409)
        let later = body.replacing(portal.now.text, with: portal.now.adding(seconds: 60).text)
        let own = later.replacing(
            "{\"questionnaire_key\"", with: "{\"study_id\": \"\(study)\", \"questionnaire_key\"")
        // A study that the patient has joined on their own is not the therapist's affair.
        #expect(portal.call(.post, "/patients/\(therapy)/contributions", own, as: .ada).status == 422)
        #expect(
            !portal.get("/patients/\(therapy)/contributions/new", as: .ada).text.contains("Stress im Alltag"))
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] in
            try OfferStore.offer(ID(study), to: therapy, at: now, $0)
        }
        #expect(
            portal.get("/patients/\(therapy)/contributions/new", as: .ada).text.contains("Stress im Alltag"))
        let entered = portal.call(.post, "/patients/\(therapy)/contributions", own, as: .ada)
        #expect(entered.status == 201 && entered.attributes["study_id"]?.string == study, "\(entered.text)")
        #expect(entered.attributes["entered_by"]?.string?.contains("Ada") == true)
        let mine = portal.call(.get, "/my/contributions", as: .pia).list.filter {
            $0["attributes"]?["entered_by"]?.string != nil
        }
        #expect(mine.count == 2)
        let occasions = try desk.export(study, "json")["occasions"]?.array ?? []
        #expect(occasions.map { $0["is_paper"] } == [.bool(true), .bool(true)])
        #expect(!(try desk.text(study, "json")).contains("Ada"))
        let future = body.replacing(portal.now.text, with: portal.now.adding(days: 1).text)
        #expect(portal.call(.post, path, future, as: .lena).status == 422)
        let before = body.replacing(portal.now.text, with: portal.now.adding(days: -9).text)
        #expect(portal.call(.post, path, before, as: .lena).status == 422)
        #expect(portal.call(.post, path.replacing(codename, with: "S000000"), body, as: .lena).status == 404)
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        #expect(page.contains("von Papier") && page.contains("auf Papier") && page.contains("Ulm"))
    }

    @Test func `a therapist enters paper for the therapy, and what was open is answered by it`() throws {
        let therapy = portal.cast.therapies[.pia] ?? ""
        let due = #"{"questionnaire_key": "wellbeing-5"}"#
        let assigned = portal.call(.post, "/patients/\(therapy)/assignments", due, as: .ada)
        #expect(assigned.status == 201)
        let form = [
            ("completed_at", "2026-11-20T10:00"), ("answers.enjoyed", "3"), ("answers.calm", "3"),
            ("answers.energy", "2"), ("answers.slept", "4"), ("answers.company", "3"),
        ]
        let path = "/patients/\(therapy)/contributions/new?questionnaire_key=wellbeing-5"
        #expect(portal.get("/patients/\(therapy)/contributions/new", as: .ada).text.contains("wellbeing-5"))
        let half = portal.post(path, Array(form.prefix(2)), as: .ada)
        #expect(half.status == 422 && half.text.contains("2026-11-20T10:00"))
        #expect(portal.post(path, form, as: .ada).status == 303)
        let open = portal.call(.get, "/my/assignments", as: .pia).list.map { $0["id"]?.string }
        #expect(!open.contains(assigned.id))
        #expect(portal.get("/patients/\(therapy)/contributions", as: .ada).text.contains("von Papier"))
        #expect(try portal.audit().contains("contribution.entered"))
        let unpaired = portal.call(.post, "/patients", "{}", as: .ada).id
        let body = """
            {"questionnaire_key": "wellbeing-5", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """
        #expect(portal.call(.post, "/patients/\(unpaired)/contributions", body, as: .ada).status == 201)
        #expect(portal.call(.post, "/patients/\(therapy)/contributions", body, as: .ben).status == 404)
    }
}
