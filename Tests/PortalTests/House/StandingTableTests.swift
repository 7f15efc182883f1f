import Database
import Foundation
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// PR-32: what the table of standings says is what routes let through, what pages draw and what the document tells.
@Suite struct StandingTableTests {
    /// How Ben gets each standing in Pia's file, and the sharing ticked for it. Clinic leads open no file.
    struct Case: Sendable, CustomTestStringConvertible {
        let standing: Standing
        let isShared: Bool
        var testDescription: String { "\(standing.rawValue)\(isShared ? " shared" : "")" }
        var rights: Set<StandingRight> {
            isShared ? standing.rights.union(standing.sharable) : standing.rights
        }
    }

    static let cases: [Case] = Standing.allCases.filter { $0 != .owner }.flatMap { standing in
        (standing.sharable.isEmpty ? [false] : [false, true]).map { Case(standing: standing, isShared: $0) }
    }

    private func give(_ entry: Case, _ portal: TestPortal) throws {
        let file = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let member = { (role: String, words: Bool) in
            portal.call(
                .post, file + "/members",
                #"{"email": "ben@example.org", "role": "\#(role)", "shares_words": \#(words)}"#, as: .ada)
        }
        let cover = { (access: String) in
            portal.call(
                .post, "/covers",
                """
                {"colleague_email": "ben@example.org", "patients": "all", "from": "2026-11-20",
                 "until": "2026-11-22", "access": "\(access)", "shares_alias": \(entry.isShared)}
                """, as: .ada)
        }
        switch entry.standing {
        case .owner: break
        case .secondTherapist: #expect(member("therapist", entry.isShared).status == 201)
        case .coverAct: #expect(cover("act").status == 201)
        case .coverRead: #expect(cover("read").status == 201)
        case .supervisor: #expect(member("supervisor", false).status == 201)
        case .supervisorWithWords: #expect(member("supervisor", true).status == 201)
        case .clinicLead:
            try portal.services.records.writeUnaudited(.madeUp) { [cast = portal.cast] connection in
                try connection.run(
                    """
                    INSERT INTO account_roles (account_id, role)
                    VALUES (\(cast.accounts[.ben] ?? ""), 'clinic_lead')
                    """)
            }
        }
        #expect(portal.call(.patch, file, #"{"alias": "Kanari", "note": "Zeisig"}"#, as: .ada).status == 200)
        // The agenda is what pages show of the words; the note is edited by the owner alone.
        #expect(portal.post(file + "/briefing", [("questions", "Zeisig")], as: .ada).status == 303)
    }

    private static let required = Dictionary(
        uniqueKeysWithValues: StandingRight.rules.map { ($0.rule, $0.right) })

    private func ask(_ route: Route, _ portal: TestPortal) -> Response {
        let path = AccessMatrixTests.path(of: route, portal.cast)
        if route.surface == .api {
            return portal.call(
                route.method, String(path.dropFirst("/api/v1".count)), route.method.isSafe ? nil : "{}",
                as: .ben)
        }
        return route.method == .get ? portal.get(path, as: .ben) : portal.post(path, as: .ben)
    }

    /// Whether the access rule of a route lets Ben through, asked as the pipeline asks it.
    private func isAdmitted(_ route: Route, _ portal: TestPortal) throws -> Bool {
        let path = AccessMatrixTests.path(of: route, portal.cast)
        let target = try #require(Target(path))
        let match = try Routes.all.match(route.method, target.path)
        let token = portal.cast.sessions[.ben] ?? TestPortal.anonymous
        let request = Request(
            method: route.method, target: target, headers: ["Cookie": "sid=\(token)"], peer: "192.0.2.1")
        let actor = try portal.pipeline.identification.actor(of: request, on: .portal, now: portal.now)
        do {
            try match.route.admits(actor, match.places, portal.services, portal.now)
            return true
        } catch { return false }
    }

    @Test(arguments: cases) func `PR-32 every route of a file lets through whom the table names`(
        entry: Case
    ) throws {
        let portal = try TestPortal()
        try give(entry, portal)
        var counts = (passing: 0, refused: 0)
        for route in Routes.all.list {
            guard let right = Self.required[route.rule] else { continue }
            let name = "\(route.method.rawValue) \(route.pattern)"
            let mayPass = entry.rights.contains(right)
            #expect(try isAdmitted(route, portal) == mayPass, "\(name)")
            if mayPass { counts.passing += 1 } else { counts.refused += 1 }
            // A refusal is told as what it is, before anything is read; what passes is tried where it changes nothing.
            if !mayPass || route.method.isSafe {
                let status = ask(route, portal).status
                let isRefused = status == 403 || status == 404
                if !mayPass { #expect(isRefused, "\(name) \(status)") }
                #expect(status < 500, "\(name) \(status)")
            }
        }
        #expect(counts.passing > 0 && counts.refused > 0, "\(counts)")
    }

    @Test(arguments: cases) func `PR-32 alias and words are seen by those for whom the table says so`(
        entry: Case
    ) throws {
        let portal = try TestPortal()
        try give(entry, portal)
        let file = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let knows = (alias: entry.rights.contains(.alias), words: entry.rights.contains(.words))
        let data = portal.call(.get, file, as: .ben).attributes
        #expect((data["alias"] == .string("Kanari")) == knows.alias)
        #expect((data["note"] == .string("Zeisig")) == knows.words)
        let pages = [file, file + "/timeline", file + "/briefing", "/search?q=C000001"].map {
            portal.get($0, as: .ben).text
        }
        #expect(pages.contains { $0.contains("Kanari") } == knows.alias)
        #expect(pages.contains { $0.contains("Zeisig") } == knows.words)
        #expect(portal.get("/search?q=Kanari", as: .ben).text.contains(file) == knows.alias)
        #expect(portal.get("/search?q=Zeisig", as: .ben).text.contains(file) == knows.words)
        // Hidden names are hidden from every standing.
        _ = portal.post("/screen", [("names", "hidden"), ("back", "/patients")], as: .ben)
        #expect(!portal.get(file, as: .ben).text.contains("Kanari"))
        #expect(!portal.get("/search?q=Kanari", as: .ben).text.contains(file))
    }

    @Test func `PR-32 what an ended standing shared ends at once, although another one remains`() throws {
        let portal = try TestPortal()
        let file = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        try give(Case(standing: .coverRead, isShared: false), portal)
        let words = #"{"email": "ben@example.org", "role": "supervisor", "shares_words": true}"#
        let member = portal.call(.post, file + "/members", words, as: .ada)
        #expect(portal.call(.get, file, as: .ben).attributes["note"] == .string("Zeisig"))
        #expect(portal.call(.delete, file + "/members/\(member.id)", as: .ada).status == 204)
        let left = portal.call(.get, file, as: .ben)
        #expect(left.status == 200 && left.attributes["alias"] == .null && left.attributes["note"] == .null)
    }

    @Test func `PR-32 the document is the table`() throws {
        let document = try String(contentsOfFile: Cast.root + "/docs/standings.md", encoding: .utf8)
        #expect(try document == Operations.standings(in: Cast.root))
        let rules = Set(StandingRight.rules.map(\.rule))
        let files = AccessRule.allCases.filter { $0.rawValue.hasPrefix("caseload") }
        #expect(rules.isSuperset(of: files))
    }

    @Test func `PR-32 a colleague is chosen from the therapists of the clinic`() throws {
        let portal = try TestPortal()
        let file = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        for page in ["/covers", file + "/members"] {
            let text = portal.get(page, as: .ada).text
            let list = try #require(text.firstMatch(of: /(?s)<select[^>]*name="[a-z_]*email".*?<\/select>/))
            let options = String(list.0)
            #expect(options.contains("Ben Steiner") && !options.contains("Lena"), "\(page)")
            #expect(!options.contains("Ada Lindner"), "\(page)")
            // The table that the page tells is the one of the code.
            #expect(text.contains("Supervision mit privaten Worten"), "\(page)")
        }
    }
}
