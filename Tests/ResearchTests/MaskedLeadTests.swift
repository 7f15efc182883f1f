import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Research
@testable import Studies
@testable import Web

/// ST-5: leads who must not learn the arm of a participant.
@Suite struct MaskedLeadTests {
    let trial: MaskedTrial
    var portal: TestPortal { trial.portal }
    var study: String { trial.study }

    init() throws { trial = try MaskedTrial() }

    /// What is open to masked leads. Written out, so that a new route is closed to them until it stands here.
    private static let open: Set<String> = [
        "GET /studies/:study", "GET /studies/:study/picture", "GET /studies/:study/participants",
        "GET /studies/:study/participants/:codename",
        "GET /studies/:study/participants/:codename/paper/:item",
        "POST /studies/:study/participants/:codename/paper/:item",
        "GET /studies/:study/participants/:codename/unmasking",
        "POST /studies/:study/participants/:codename/unmasking", "GET /studies/:study/export",
        "POST /studies/:study/export", "GET /studies/:study/exports/:export",
        "GET /studies/:study/exports/:export/file", "GET /api/v1/studies/:study",
        "GET /api/v1/studies/:study/picture", "GET /api/v1/studies/:study/participants",
        "POST /api/v1/studies/:study/participants/:codename/contributions",
        "POST /api/v1/studies/:study/participants/:codename/unmasking", "GET /api/v1/studies/:study/export",
    ]

    @Test func `ST-5 of all routes of a study masked leads get those that are written out, and no other`()
        throws
    {
        let places = [
            ":study": study, ":codename": trial.codenames[0], ":item": trial.item,
            ":account": portal.cast.accounts[.lena]?.text ?? "", ":key": "t1",
            ":export": portal.services.chance.uuid(), ":sheet": portal.services.chance.uuid(),
        ]
        var seen: Set<String> = []
        for route in Routes.all.list {
            let pattern = route.pattern.description
            let parts = pattern.split(separator: "/").map(String.init)
            guard let at = parts.firstIndex(of: ":study"), at > 0, parts[at - 1] == "studies",
                !parts.contains("my"), !parts.contains("enrolment"), !parts.contains("admin")
            else { continue }
            let name = "\(route.method.rawValue) \(pattern)"
            let path = "/" + parts.map { places[$0] ?? $0 }.joined(separator: "/")
            let isCall = path.hasPrefix("/api/v1")
            let query = isCall && path.hasSuffix("/export") ? "?format=csv&masked=true" : ""
            let answer =
                isCall
                ? portal.call(
                    route.method, String(path.dropFirst("/api/v1".count)) + query,
                    route.method == .get || route.method == .delete ? nil : "{}", as: .leo)
                : route.method == .get
                    ? portal.get(path, as: .leo) : portal.post(path, as: .leo)
            if Self.open.contains(name) {
                seen.insert(name)
                #expect(answer.status != 403 && answer.status < 500, "\(name): \(answer.status)")
            } else {
                #expect(answer.status == 403, "\(name): \(answer.status)")
                #expect(
                    isCall
                        ? answer.json["code"]?.string == "masked"
                        : answer.text.contains("Mitarbeit in dieser Studie ist verblindet"), "\(name)")
            }
        }
        #expect(seen == Self.open)
    }

    @Test func `ST-5 nothing that masked leads may read names an arm, or differs by it`() throws {
        try trial.answer()
        let codename = trial.codenames[0]
        let pages = [
            "/studies", "/studies/\(study)", "/studies/\(study)/participants",
            "/studies/\(study)/participants/\(codename)", "/studies/\(study)/export",
            "/studies/\(study)/participants/\(codename)/paper/\(trial.item)",
            "/studies/\(study)/participants/\(codename)/unmasking", "/protocols", "/start", "/",
        ]
        for page in pages {
            let answer = portal.get(page, as: .leo)
            #expect(answer.status < 400 || answer.status == 404, "\(page) \(answer.status)")
            #expect(!trial.tells(answer.text), "\(page)")
        }
        for call in ["/studies", "/studies/\(study)", "/studies/\(study)/participants"] {
            let answer = portal.call(.get, call, as: .leo)
            #expect(answer.status == 200 && !trial.tells(answer.text), "\(call) \(answer.text)")
        }
        let told = portal.call(.get, "/studies/\(study)/participants", as: .leo).list.compactMap {
            $0["attributes"]
        }
        #expect(told.count == 2)
        for one in told {
            for name in ["arm", "prompted", "answered", "unseen", "paused", "last_activity_at", "crossed_at"]
            {
                #expect(one[name] == .null, "\(name)")
            }
            #expect(one["allocation_state"]?.string == "allocated")
        }
        // Both participants have the same page but for their names, also where one of them has no app.
        for trial in [trial, try MaskedTrial(other: #", "app": false"#)] {
            let both = trial.codenames.map { codename in
                trial.portal.get("/studies/\(trial.study)/participants/\(codename)", as: .leo).text
                    .replacing(codename, with: "").split(separator: "\n").filter {
                        !$0.contains("form_token")
                    }
            }
            #expect(both[0] == both[1])
        }
        // The tabs lead to what is open.
        let page = portal.get("/studies/\(study)", as: .leo).text
        #expect(page.contains("/participants\"") && page.contains("/export\""))
        for tab in ["groups", "results", "compliance", "questionnaires", "invitations", "edit"] {
            #expect(!page.contains("/studies/\(study)/\(tab)"), "\(tab)")
        }
    }

    @Test func `ST-5 a masked lead enters paper, but nothing that is asked of one arm`() throws {
        let body = { (key: String) in
            """
            {"questionnaire_key": "\(key)", "completed_at": "\(portal.now.text)",
             "answers": \(StudyDesk.wellbeing)}
            """
        }
        for codename in trial.codenames {
            let path = "/studies/\(study)/participants/\(codename)/contributions"
            #expect(portal.call(.post, path, body("wellbeing-5"), as: .leo).status == 204)
            let refused = portal.call(.post, path, body("mood"), as: .leo)
            #expect(refused.status == 422, "\(refused.text)")
            let page = portal.get(
                "/studies/\(study)/participants/\(codename)/paper/\(trial.moodItem)", as: .leo)
            #expect(page.status == 404)
        }
        let verum = "/studies/\(study)/participants/\(trial.codenames[0])/paper/\(trial.moodItem)"
        #expect(portal.get(verum, as: .lena).status == 200)
    }

    @Test func `ST-5 leads tell who is masked, and only taking them out and in again changes it`() throws {
        let path = "/studies/\(study)/leads"
        let leads = portal.call(.get, path, as: .lena).list.compactMap { $0["attributes"] }
        #expect(leads.first { $0["email"]?.string == "leo@example.org" }?["masked"] == .bool(true))
        #expect(leads.first { $0["email"]?.string == "lena@example.org" }?["masked"] == .bool(false))
        #expect(portal.get("/studies/\(study)", as: .lena).text.contains("verblindet"))
        let open = portal.call(.post, path, #"{"email": "leo@example.org"}"#, as: .lena)
        #expect(open.status == 409 && open.json["code"]?.string == "lead_known", "\(open.text)")
        let form = portal.post("/studies/\(study)/leads", [("email", "leo@example.org")], as: .lena)
        #expect(form.status == 422 && form.text.contains("ist in der Studie verblindet"))
        #expect(form.text.contains("leo@example.org"))
        let same = portal.call(.post, path, #"{"email": "leo@example.org", "masked": true}"#, as: .lena)
        #expect(same.status == 201 && same.attributes["masked"] == .bool(true))
        let own = portal.call(.post, path, #"{"email": "lena@example.org", "masked": true}"#, as: .lena)
        #expect(own.status == 409)
        // The last lead who is not masked stays.
        let lena = portal.cast.accounts[.lena]?.text ?? ""
        #expect(portal.call(.delete, "\(path)/\(lena)", as: .lena).json["code"]?.string == "last_lead")
        #expect(!portal.get("/studies/\(study)", as: .lena).text.contains("/leads/\(lena)/removal"))
        let leo = portal.cast.accounts[.leo]?.text ?? ""
        #expect(portal.call(.delete, "\(path)/\(leo)", as: .lena).status == 204)
        #expect(
            portal.post("/studies/\(study)/leads", [("email", "leo@example.org")], as: .lena).status == 303)
        #expect(portal.get("/studies/\(study)/groups", as: .leo).status == 200)
        let log = try portal.audit()
        #expect(log.contains("study.masked_lead_added") && log.contains("study.lead_removed"))
    }

    @Test func `ST-5 studies that are handed over keep who is masked, and one lead who is not`() throws {
        let path = { (person: Person) in
            "/accounts/\(portal.cast.accounts[person]?.text ?? "")/studies/hand-over"
        }
        // Lena's studies would be left to Leo alone, who is masked.
        let refused = portal.call(.post, path(.lena), #"{"email": "leo@example.org"}"#, as: .uma)
        #expect(refused.status == 409 && refused.json["code"]?.string == "last_lead", "\(refused.text)")
        #expect(portal.get("/studies/\(study)/groups", as: .lena).status == 200)
        // Nor may her account lose its role.
        let closed = portal.change(
            .patch, "/accounts/\(portal.cast.accounts[.lena]?.text ?? "")", #"{"roles": ["therapist"]}"#,
            as: .uma)
        #expect(closed.status == 409 && closed.json["code"]?.string == "last_lead", "\(closed.text)")
        try trial.desk.takeIn(.ada)
        // A lead who cannot sign in any more leads nothing.
        let ada = portal.cast.accounts[.ada]?.text ?? ""
        let leads = "/studies/\(study)/leads"
        #expect(portal.call(.post, leads, #"{"email": "ada@example.org"}"#, as: .lena).status == 201)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] in
            try $0.run("UPDATE accounts SET disabled_at = \(now) WHERE id = \(ada)")
        }
        #expect(portal.call(.post, path(.lena), #"{"email": "leo@example.org"}"#, as: .uma).status == 409)
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("UPDATE accounts SET disabled_at = NULL WHERE id = \(ada)")
        }
        #expect(portal.call(.delete, "\(leads)/\(ada)", as: .lena).status == 204)
        #expect(portal.call(.post, path(.leo), #"{"email": "ada@example.org"}"#, as: .uma).status == 204)
        #expect(portal.get("/studies/\(study)", as: .leo).status == 404)
        #expect(portal.get("/studies/\(study)", as: .ada).status == 200)
        #expect(portal.get("/studies/\(study)/groups", as: .ada).status == 403)
        // Of a study of both, the one who takes over stays as they are.
        #expect(portal.call(.post, path(.ada), #"{"email": "lena@example.org"}"#, as: .uma).status == 204)
        #expect(portal.get("/studies/\(study)/groups", as: .lena).status == 200)
    }

    @Test func `ST-5 a lead who is masked in between has neither learned nor written anything`() throws {
        let leads = "/studies/\(study)/leads"
        let lena = portal.cast.accounts[.lena]?.text ?? ""
        try trial.desk.takeIn(.ada)
        let mask: @Sendable () -> Void = { [portal] in
            #expect(portal.call(.delete, "\(leads)/\(lena)", as: .ada).status == 204)
            let body = #"{"email": "lena@example.org", "masked": true}"#
            #expect(portal.call(.post, leads, body, as: .ada).status == 201)
        }
        let unmask = {
            #expect(portal.call(.delete, "\(leads)/\(lena)", as: .ada).status == 204)
            #expect(portal.call(.post, leads, #"{"email": "lena@example.org"}"#, as: .ada).status == 201)
        }
        #expect(portal.call(.post, leads, #"{"email": "ada@example.org"}"#, as: .lena).status == 201)
        let invited = portal.interleaving(mask) {
            portal.call(.post, "/studies/\(study)/invitations", #"{"amount": 2}"#, as: .lena)
        }
        #expect(invited.hasComeToWrite && invited.response.json["code"]?.string == "masked")
        unmask()
        let file = portal.interleaving(mask) {
            portal.call(.get, "/studies/\(study)/export?format=csv", as: .lena)
        }
        #expect(file.hasComeToWrite && file.response.status == 409, "\(file.response.text)")
        #expect(!trial.tells(file.response.text))
        unmask()
        // A file that was made before is not fetched masked.
        let form = [("format", "csv"), ("password", Cast.password)]
        let begun = portal.post("/studies/\(study)/export", form, as: .lena)
        portal.services.exports.wait()
        mask()
        let link = begun.headers["Location"] ?? ""
        #expect(link.hasPrefix("/studies/\(study)/exports/"), "\(begun.status)")
        #expect(portal.get(link + "/file", as: .lena).status == 403)
    }

    @Test func `ST-5 protocols of a study, which name arms, are closed to its masked leads`() {
        let made = portal.call(
            .post, "/protocols",
            """
            {"name": "Plan", "scope": "study", "study_id": "\(study)", "arms": ["verumxyz"], "follow": false,
             "plan": [{"occasion": "before_session", "questionnaire_key": "wellbeing-5"}]}
            """, as: .lena)
        #expect(made.status == 201, "\(made.text)")
        #expect(portal.call(.get, "/protocols/\(made.id)", as: .lena).text.contains("verumxyz"))
        #expect(portal.call(.get, "/protocols/\(made.id)", as: .leo).status == 404)
        #expect(portal.call(.get, "/protocols", as: .leo).list.isEmpty)
        for page in ["/protocols", "/protocols/new"] {
            #expect(!trial.tells(portal.get(page, as: .leo).text), "\(page)")
        }
    }

    @Test func `ST-5 masked leads cannot have known an allocation`() throws {
        #expect(trial.desk.enrol(.nora, in: study).status == 201)
        let log = portal.call(.get, "/studies/\(study)/allocations?limit=100", as: .lena).list
        let known = log.compactMap { $0["attributes"]?["known_by"]?.array }.flatMap {
            $0.compactMap(\.string)
        }
        #expect(known.contains("lena@example.org") && !known.contains("leo@example.org"))
    }
}

/// A trial whose arms have telling names, with Pia in the first and Quinn in the second one, and Leo as its masked lead.
struct MaskedTrial {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String
    /// Asked of all, and of the first arm alone.
    let item: String
    let moodItem: String
    /// Of Pia and Quinn.
    let codenames: [String]

    static let arms = """
        [{"key": "verumxyz", "title": {"de": "Verumtitel", "en": "Verumtitel"}},
         {"key": "shamxyz", "title": {"de": "Shamtitel", "en": "Shamtitel"}OTHER}]
        """

    /// - Parameter other: more of the second arm.
    init(other: String = "") throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        try StudyDesk.publishMood(portal)
        study = desk.begin()
        item = desk.add("wellbeing-5", to: study)
        let groups = StudyDesk.groups
            .replacing(#"["full", "no_interventions"]"#, with: Self.arms.replacing("OTHER", with: other))
            .replacing(#""sample_size": 4"#, with: #""sample_size": 40"#)
            // Both are in one row, so they are in different arms.
            .replacing(
                #""email": "ada@example.org"}"#,
                with: #""email": "ada@example.org"}, {"name": "Ulm", "email": "ben@example.org"}"#)
        let made = portal.change(.put, "/studies/\(study)/groups", groups, as: .lena)
        #expect(made.status == 200, "\(made.text)")
        moodItem = desk.add("mood", to: study, #", "arms": ["verumxyz"]"#)
        let leo = portal.call(
            .post, "/studies/\(study)/leads", #"{"email": "leo@example.org", "masked": true}"#, as: .lena)
        #expect(leo.status == 201, "\(leo.text)")
        codenames = [Person.pia, .quinn].map { [desk, study] person in
            let enrolled = desk.enrol(person, in: study)
            #expect(enrolled.status == 201, "\(enrolled.text)")
            return enrolled.attributes["codename"]?.string ?? ""
        }
    }

    /// Whether a text names an arm.
    func tells(_ text: String) -> Bool {
        ["verumxyz", "shamxyz", "Verumtitel", "Shamtitel", "verumxyz".uppercased()].contains {
            text.contains($0)
        }
    }

    /// One sheet of each, and one of what the first arm is asked.
    func answer() throws {
        for (codename, key) in [
            (codenames[0], "wellbeing-5"), (codenames[1], "wellbeing-5"), (codenames[0], "mood"),
        ] {
            let entered = portal.call(
                .post, "/studies/\(study)/participants/\(codename)/contributions",
                """
                {"questionnaire_key": "\(key)", "completed_at": "\(portal.now.text)",
                 "answers": \(StudyDesk.wellbeing)}
                """, as: .lena)
            #expect(entered.status == 204, "\(entered.text)")
        }
    }

    /// A masked file.
    func file(_ format: String, as person: Person = .leo) throws -> String {
        let answer = portal.call(.get, "/studies/\(study)/export?format=\(format)&masked=true", as: person)
        #expect(answer.status == 200, "\(format) \(answer.text)")
        return String(decoding: try answer.streamed(), as: UTF8.self)
    }
}
