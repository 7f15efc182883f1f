import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// D1: every route for every kind of caller, against one table of who may pass.
@Suite struct AccessMatrixTests {
    enum Outcome: Equatable { case passes, signIn, forbidden, notFound }

    /// The outcome of each rule for each person, in pages and calls alike.
    static let policy: [AccessRule: [Person: Outcome]] = [
        .anyone: Dictionary(uniqueKeysWithValues: Person.allCases.map { ($0, .passes) }),
        .staff: row(passes: [.ada, .ben, .uma, .lena, .leo], forbidden: [.pia, .quinn, .nora, .tess]),
        .halfway: row(passes: [.half], forbidden: []),
        .admin: row(passes: [.uma], forbidden: [.ada, .ben, .lena, .leo, .pia, .quinn, .nora, .tess]),
        .therapist: row(passes: [.ada, .ben], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess]),
        .caseload: row(
            passes: [.ada], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess], notFound: [.ben]),
        .caseloadReader: row(
            passes: [.ada], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess], notFound: [.ben]),
        .caseloadWatcher: row(
            passes: [.ada], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess], notFound: [.ben]),
        // What no therapist needs for their own patients.
        .caseloadStandIn: row(
            passes: [], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess], notFound: [.ada, .ben]),
        .caseloadOwner: row(
            passes: [.ada], forbidden: [.uma, .lena, .leo, .pia, .quinn, .nora, .tess], notFound: [.ben]),
        .clinicLead: row(passes: [.uma], forbidden: [.ada, .ben, .lena, .leo, .pia, .quinn, .nora, .tess]),
        .author: row(passes: [.ada, .ben, .lena, .leo], forbidden: [.uma, .pia, .quinn, .nora, .tess]),
        .lead: row(passes: [.lena, .leo], forbidden: [.ada, .ben, .uma, .pia, .quinn, .nora, .tess]),
        .team: row(passes: [.uma, .lena, .leo], forbidden: [.ada, .ben, .pia, .quinn, .nora, .tess]),
        .studyLead: row(
            passes: [.lena], forbidden: [.ada, .ben, .uma, .pia, .quinn, .nora, .tess], notFound: [.leo]),
        .studyAssessor: row(
            passes: [.lena], forbidden: [.ada, .ben, .uma, .pia, .quinn, .nora, .tess], notFound: [.leo]),
        .account: row(passes: [.ada, .ben, .uma, .lena, .leo, .pia, .quinn, .nora], forbidden: [.tess]),
        .patient: row(passes: [.pia, .quinn, .nora], forbidden: [.ada, .ben, .uma, .lena, .leo, .tess]),
        .paired: row(passes: [.pia, .quinn], forbidden: [.ada, .ben, .uma, .lena, .leo, .nora, .tess]),
        .registrant: row(passes: [.pia, .quinn, .nora, .tess], forbidden: [.ada, .ben, .uma, .lena, .leo]),
    ]

    static func row(passes: [Person], forbidden: [Person], notFound: [Person] = []) -> [Person: Outcome] {
        var row = Dictionary(uniqueKeysWithValues: Person.allCases.map { ($0, Outcome.signIn) })
        for person in passes { row[person] = .passes }
        for person in forbidden { row[person] = .forbidden }
        for person in notFound { row[person] = .notFound }
        return row
    }

    static let rules = Set(Routes.all.list.filter(\.method.isSafe).map(\.rule)).sorted {
        $0.rawValue < $1.rawValue
    }
    static let writing = Routes.all.list.filter { !$0.method.isSafe }.map {
        "\($0.method.rawValue) \($0.pattern)"
    }

    /// What only reads leaves nothing behind, so that one portal does for all routes of a rule.
    @Test(arguments: rules) func `D1 only those read whom the policy names`(rule: AccessRule) throws {
        let portal = try portal()
        for route in Routes.all.list where route.method.isSafe && route.rule == rule {
            try check(route, portal)
        }
    }

    @Test(arguments: writing) func `D1 only those write whom the policy names`(name: String) throws {
        let route = try #require(Routes.all.list.first { "\($0.method.rawValue) \($0.pattern)" == name })
        try check(route, portal())
    }

    private func portal() throws -> TestPortal {
        let portal = try TestPortal()
        // An appointment that there is a file of.
        try portal.services.records.writeUnaudited(.madeUp) {
            [cast = portal.cast, keys = portal.services.keys] connection in
            try connection.run(
                "UPDATE therapy_sessions SET appointment_id = \(cast.assignment) WHERE id = \(cast.session)")
            // A reader who is no therapist any more: that gives no further access.
            try connection.run(
                """
                INSERT INTO therapy_members (id, therapy_id, account_id, role, added_at)
                VALUES (\(cast.assignment), \(cast.therapies[.pia] ?? ""), \(cast.accounts[.lena] ?? ""),
                    'supervisor', 0)
                """)
            let pia: ID<Therapy> = cast.therapies[.pia] ?? ""
            try connection.run(
                """
                INSERT INTO phone_contacts (id, therapy_id, at, made_at) VALUES (\(cast.assignment), \(pia), 1, 1)
                """)
            try connection.run(
                """
                INSERT INTO emergency_openings (id, therapy_id, account_id, reason, opened_at)
                VALUES (\(cast.assignment), \(pia), \(cast.accounts[.ben] ?? ""), 'risk', 1)
                """)
            // The author's letter, by the id that stands for everything else.
            let therapy = try #require(try TherapyStore.find(pia, connection))
            let letter = ID<LetterRecord>(cast.assignment)
            let sealed = try LetterDraft(kind: .gp, title: "Brief", text: "Text").sealed(
                try therapy.key(keys), for: letter)
            try LetterStore.insert(
                letter, sealed, in: pia, by: therapy.therapistID, at: Instant(milliseconds: 1), connection)
        }
        let contact = #"{"name": "Maria Tal", "phone": "+43 1 234 56 78", "knows": true}"#
        let pia = portal.cast.therapies[.pia]?.text ?? ""
        #expect(portal.call(.put, "/patients/\(pia)/emergency-contact", contact, as: .ada).status == 200)
        return portal
    }

    private func check(_ route: Route, _ portal: TestPortal) throws {
        let name = "\(route.method.rawValue) \(route.pattern)"
        let policy = try #require(Self.policy[route.rule])
        for person in Person.allCases {
            let response = ask(route, person, portal)
            var expected = try #require(policy[person])
            if route.surface == .portal && ![.anyone, .halfway].contains(route.rule) && !hasSession(person) {
                expected = .signIn
            }
            #expect(
                response.status < 500, "\(name) \(person) \(response.status) \(response.text.prefix(200))")
            // Without signing in there is a page of its own, without personal data (FD-58).
            if name == "GET /", expected == .signIn {
                #expect(response.status == 200 && response.text.contains("href=\"/login\""), "\(person)")
                #expect(!response.text.contains("C000001"), "\(person)")
                continue
            }
            #expect(
                outcome(response, route, person) == expected,
                "\(name) \(person) \(response.status) \(response.text.prefix(200))")
        }
    }

    private func hasSession(_ person: Person) -> Bool {
        [.ada, .ben, .uma, .lena, .leo, .pia, .quinn, .nora, .tess].contains(person)
    }

    private func ask(_ route: Route, _ person: Person, _ portal: TestPortal) -> Response {
        let target = Self.path(of: route, portal.cast)
        if route.surface == .api {
            let path = String(target.dropFirst("/api/v1".count))
            return portal.call(route.method, path, route.method.isSafe ? nil : "{}", as: person)
        }
        return route.method == .get ? portal.get(target, as: person) : portal.post(target, as: person)
    }

    /// The route with Pia's things in its places.
    static func path(of route: Route, _ cast: Cast) -> String {
        let places = [
            "patient": cast.therapies[.pia]?.text ?? "", "contribution": cast.contribution,
            "assignment": cast.assignment, "subject": cast.assignment, "appointment": cast.assignment,
            "number": "1", "protocol": cast.assignment, "planned": cast.assignment,
            "battery": cast.assignment, "contact": cast.assignment, "letter": cast.assignment, "token": "x",
            "file": "x",
            "rule": cast.rule, "intervention": cast.intervention, "pause": cast.pause,
            "device": cast.assignment, "opening": cast.assignment, "member": cast.assignment,
            "match": cast.assignment,
            "sheet": cast.quarantined,
            "instrument": "between-sessions", "scale": "intensity",
            "questionnaire": cast.questionnaire, "session": cast.session, "code": cast.openCode,
            "name": "mark.svg", "study": cast.study, "item": cast.studyItem, "codename": "S123456",
            "sound": cast.assignment, "category": cast.assignment, "listening": cast.assignment,
            "hash": "x", "upload": cast.assignment, "type": "steps", "date": "2026-11-01",
            "entry": cast.assignment, "source": "manual",
        ]
        return route.pattern.description.split(separator: "/", omittingEmptySubsequences: false).map { part in
            part.hasPrefix(":") ? places[String(part.dropFirst())] ?? "x" : String(part)
        }.joined(separator: "/")
    }

    /// A caller with access may still be told that the body is wrong, or that the thing is not theirs.
    private func outcome(_ response: Response, _ route: Route, _ person: Person) -> Outcome {
        if response.status == 303, response.headers["Location"]?.hasPrefix("/login") == true,
            route.pattern.description != "/logout"
        {
            return .signIn
        }
        let isWrongAccess =
            response.json["message"]?.string == "Dafür fehlt Ihrem Konto die Berechtigung."
            || response.json["message"]?.string?.hasPrefix("Das geht erst, wenn Ihr Konto") == true
            || response.json["message"]?.string?.hasPrefix("Bitte bestätigen Sie zuerst") == true
        switch response.status {
        case 401: return .signIn
        case 403: return route.surface == .api && !isWrongAccess ? .passes : .forbidden
        // Of Ada's own patient there is no such thing.
        case 404 where route.pattern.description.contains(":planned") && person == .ada: return .passes
        case 404
        where [.caseload, .caseloadReader, .caseloadWatcher, .caseloadStandIn, .caseloadOwner].contains(
            route.rule):
            return .notFound
        // Leo leads, but not this study; of Lena's there may be no such thing.
        case 404 where [.studyLead, .studyAssessor].contains(route.rule) && person == .leo: return .notFound
        default: return .passes
        }
    }

    @Test func `D2 somebody else's things answer exactly like things that do not exist`() throws {
        let portal = try TestPortal()
        let pia = portal.cast.therapies[.pia] ?? ""
        let missing = "11111111-2222-4333-8444-555555555555"
        for end in [
            "", "/timeline", "/contributions/\(portal.cast.contribution)", "/assignments", "/sessions",
        ] {
            let foreign = portal.call(.get, "/patients/\(pia)\(end)", as: .ben)
            let none = portal.call(.get, "/patients/\(missing)\(end)", as: .ben)
            #expect(foreign.status == 404 && foreign.bytes == none.bytes, "\(end)")
        }
        let foreign = portal.get("/patients/\(pia)", as: .ben)
        let none = portal.get("/patients/\(missing)", as: .ben)
        #expect(foreign.status == 404 && none.status == 404)
        #expect(foreign.steady.replacing(pia.text, with: missing) == none.steady)
        // Ben's own patient does not open Ada's sheet either.
        let quinn = portal.cast.therapies[.quinn] ?? ""
        let sheet = portal.call(
            .get, "/patients/\(quinn)/contributions/\(portal.cast.contribution)", as: .ben)
        #expect(sheet.status == 404)
        #expect(portal.call(.get, "/my/contributions/\(portal.cast.contribution)", as: .quinn).status == 404)
        #expect(portal.call(.get, "/questionnaires/\(portal.cast.questionnaire)", as: .quinn).status == 404)
        #expect(portal.call(.get, "/questionnaires/\(portal.cast.questionnaire)", as: .pia).status == 200)
    }
}
