import Database
import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Rules
@testable import Therapies
@testable import Web

/// FD-2 and FD-3: a colleague with access to a file sees what waits for the therapist, and no second ground takes
/// away a right of the first.
@Suite struct StandingTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }
    var file: String { "/patients/\(pia)" }

    // MARK: FD-3

    /// What each pair of grounds lets do: what the wire calls it, and whether alerts reach them. Read off the text of PR-20
    /// and PR-21, not off the program.
    static let pairs: [(FileGround, FileGround, access: String, isWatching: Bool)] = [
        (.owner, .owner, "own", true), (.owner, .secondTherapist, "own", true),
        (.owner, .coverAct, "own", true), (.owner, .coverRead, "own", true),
        (.owner, .supervisor, "own", true), (.secondTherapist, .secondTherapist, "act", true),
        (.secondTherapist, .coverAct, "act", true), (.secondTherapist, .coverRead, "act", true),
        (.secondTherapist, .supervisor, "act", true), (.coverAct, .coverAct, "act", true),
        (.coverAct, .coverRead, "act", true), (.coverAct, .supervisor, "act", true),
        (.coverRead, .coverRead, "read", true), (.coverRead, .supervisor, "read", true),
        (.supervisor, .supervisor, "read", false),
    ]

    @Test func `FD-3 the rights of any two grounds are joined, whichever comes first`() {
        let count = FileGround.allCases.count
        #expect(Set(Self.pairs.map { Set([$0.0, $0.1]) }).count == count * (count + 1) / 2)
        for pair in Self.pairs {
            for grounds: Set<FileGround> in [[pair.0, pair.1], [pair.1, pair.0]] {
                let standing = FileStanding(grounds)
                #expect(standing.access == pair.access, "\(grounds)")
                #expect(standing.mayAct == (pair.access != "read"), "\(grounds)")
                #expect(standing.isOwner == (pair.access == "own"), "\(grounds)")
                #expect(standing.isWatching == pair.isWatching, "\(grounds)")
            }
        }
    }

    private func cover(_ access: String, days: Int64 = 2) -> Response {
        let today = LocalDate("2026-11-20")!
        return portal.call(
            .post, "/covers",
            """
            {"colleague_email": "ben@example.org", "patients": ["\(pia)"], "from": "\(today.text)",
             "until": "\(today.adding(days: Int(days)).text)", "access": "\(access)"}
            """, as: .ada)
    }

    private func member(_ role: String) -> Response {
        portal.call(
            .post, file + "/members",
            #"{"email": "ben@example.org", "role": "\#(role)", "shares_words": false}"#,
            as: .ada)
    }

    @Test(arguments: [
        ("read", "supervisor"), ("act", "supervisor"), ("read", "therapist"), ("act", "therapist"),
    ])
    func
        `FD-3 whoever covers and is then added to the file keeps alerts and rights, and loses the cover alone`(
            access: String, role: String
        ) throws
    {
        let rule = """
            {"name": "x", "combine": "all", "rest_days": 1, "alert": "Kein Lebenszeichen", "enabled": true,
             "conditions": [{"kind": "silent", "days": 2}]}
            """
        #expect(portal.call(.post, "/rules", rule, as: .ada).status == 201)
        #expect(cover(access, days: 3).status == 201)
        let added = member(role)
        #expect(added.status == 201)
        try portal.wait(awake: 2)
        #expect(try RuleRun.tick(portal.services).fired > 0)
        let mayAct = access == "act" || role == "therapist"
        let waiting = portal.call(.get, "/alerts?acknowledged=false", as: .ben).list
        #expect(waiting.count == 1)
        #expect(portal.get(file, as: .ben).text.contains("navigation__count\">1<"))
        #expect(portal.get("/", as: .ben).text.contains("Kein Lebenszeichen"))
        #expect(portal.call(.get, file, as: .ben).attributes["access"] == .string(mayAct ? "act" : "read"))
        let assign = #"{"questionnaire_key": "between-sessions"}"#
        let assigned = portal.call(.post, file + "/assignments", assign, as: .ben)
        #expect(assigned.status == (mayAct ? 201 : 404), "\(assigned.text)")
        let alert = try #require(waiting.first?["id"]?.string)
        #expect(portal.call(.post, "/alerts/\(alert)/acknowledge", as: .ben).status == 200)
        // Every ground is told in the list of what is shared.
        let list = portal.get("/patients", as: .ben).text
        #expect(
            list.contains("Vertretung bis")
                && list.contains(role == "therapist" ? "Mitbehandlung" : "Supervision"))
        // The cover ends by itself; what the member may stays.
        try portal.wait(awake: 2)
        let left = portal.call(.get, file, as: .ben).attributes["access"]
        #expect(left == .string(role == "therapist" ? "act" : "read"))
        #expect(!portal.get("/patients", as: .ben).text.contains("Vertretung bis"))
    }

    // MARK: FD-2

    /// An answer of Pia's that has to be seen.
    private func answer() throws -> String {
        let days = TodayTests(portal: portal)
        try days.publish()
        return try days.send(2)
    }

    private static let line = "„Ganz ohne Hoffnung“"

    /// Whether it reaches Ben: on Today, in `GET /today`, beside the navigation of any page.
    private func expect(seen: Bool, mayMark: Bool = false, _ when: String) {
        let today = portal.get("/", as: .ben).text
        #expect(today.contains(Self.line) == seen, "\(when)")
        #expect(today.contains("/seen\"") == mayMark, "\(when)")
        let data = portal.call(.get, "/today", as: .ben).attributes["must_be_seen"]?.array ?? []
        #expect(data.compactMap { $0["patient_id"]?.string } == (seen ? [pia.text] : []), "\(when)")
        for page in ["/", "/patients"] {
            let text = portal.get(page, as: .ben).text
            #expect(text.contains("navigation__count\">1<") == seen, "\(when) \(page)")
        }
    }

    @Test(arguments: ["read", "act"])
    func `FD-2 an answer that has to be seen reaches who covers, from the first day to the last`(
        access: String
    )
        throws
    {
        let id = try answer()
        expect(seen: false, "before")
        #expect(cover(access).status == 201)
        expect(seen: true, mayMark: true, "while covering")
        for page in [file + "/briefing", file + "/contributions/\(id)"] {
            let text = portal.get(page, as: .ben).text
            #expect(text.contains(Self.line) && text.contains("/seen\""), "\(page)")
        }
        // The patient learns as what it was read.
        let log = portal.call(.get, "/my/access-log", as: .pia).list.compactMap { $0["attributes"] }
        #expect(log.contains { $0["action"] == .string("file.viewed_as_cover") })
        #expect(!log.contains { $0["action"] == .string("file.viewed") && $0["by"]?.string == "Ben Steiner" })
        try portal.wait(awake: 2)
        expect(seen: true, mayMark: true, "on the last day")
        try portal.wait(awake: 1)
        expect(seen: false, "after it")
    }

    @Test func `FD-2 it reaches a second therapist, also beside a cover, and not supervision`() throws {
        let id = try answer()
        let supervisor = member("supervisor")
        expect(seen: false, "supervision")
        #expect(cover("read").status == 201)
        expect(seen: true, mayMark: true, "supervision and cover")
        #expect(portal.call(.delete, file + "/members/\(supervisor.id)", as: .ada).status == 204)
        let second = member("therapist")
        expect(seen: true, mayMark: true, "second therapist")
        #expect(portal.post(file + "/contributions/\(id)/seen", [("back", "/")], as: .ben).status == 303)
        portal.wait(seconds: 601)
        expect(seen: false, "seen by one")
        #expect(!portal.get("/", as: .ada).text.contains(Self.line))
        #expect(portal.call(.delete, file + "/members/\(second.id)", as: .ada).status == 204)
    }

    @Test func `FD-2 who has no patients of their own sees it, too`() throws {
        _ = try answer()
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("DELETE FROM therapies WHERE id = \(portal.cast.therapies[.quinn] ?? "")")
        }
        #expect(cover("read").status == 201)
        expect(seen: true, mayMark: true, "while covering")
    }
}
