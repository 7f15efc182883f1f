import Database
import HTTP
import JSON
import Records
import Testing
import Therapies
import Web
import Wire

@testable import PortalTesting

/// PR-22 and PR-33: the clinic at a glance, for a role of its own: safety by therapist, outcome for the whole house.
@Suite struct ClinicViewTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func appoint(_ person: Person, _ roles: String) -> Response {
        portal.call(
            .patch, "/accounts/\(portal.cast.accounts[person] ?? "")", #"{"roles": [\#(roles)]}"#, as: .uma)
    }

    private func counts(of name: String, as person: Person = .ben) -> JSON? {
        portal.call(.get, "/clinic", as: person).list.compactMap { $0["attributes"] }.first {
            $0["therapist"]?.string?.contains(name) == true
        }
    }

    @Test func `PR-22 the administrator gives the right, and nobody else sees the clinic`() {
        for person in [Person.ada, .lena, .ben, .pia] {
            #expect(portal.call(.get, "/clinic", as: person).status == 403)
            #expect(portal.call(.get, "/clinic/house", as: person).status == 403)
        }
        #expect(appoint(.ben, #""therapist", "clinic_lead""#).status == 200)
        #expect(portal.call(.get, "/clinic", as: .ben).status == 200)
        #expect(portal.get("/clinic", as: .ben).status == 200)
        #expect(portal.call(.get, "/accounts", as: .uma).text.contains("clinic_lead"))
    }

    @Test func `PR-33 it counts what is left lying by therapist, and names no patient and no answer`() throws
    {
        #expect(appoint(.ben, #""clinic_lead""#).status == 200)
        let ada = try #require(counts(of: "Ada"))
        let running = portal.call(.get, "/patients", as: .ada).list.count {
            $0["attributes"]?["state"] != .string("ended")
        }
        #expect(ada["running"] == .number(Double(running)))
        #expect(ada["unseen"] == .number(0) && ada["uncovered_from"] == .null)
        // An answer that has to be seen counts once it is older than a day.
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            _ = try connection.run(
                "UPDATE contributions SET must_be_seen = 1, received_at = \(now.adding(seconds: -82_800))")
        }
        #expect(counts(of: "Ada")?["unseen"] == .number(0))
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            _ = try connection.run(
                "UPDATE contributions SET received_at = \(now.adding(seconds: -90_000)) WHERE must_be_seen = 1"
            )
        }
        #expect(counts(of: "Ada")?["unseen"] != .number(0))
        // The clinic's own limit holds here too.
        let limit = portal.change(.put, "/settings", #"{"unseen_mail_hours": 48}"#, as: .uma)
        #expect(limit.status == 200)
        #expect(counts(of: "Ada")?["unseen"] == .number(0))
        #expect(portal.get("/clinic", as: .ben).text.contains("länger als 48 Stunden"))
        #expect(portal.change(.put, "/settings", #"{"unseen_mail_hours": null}"#, as: .uma).status == 200)
        let absence = #"{"from": "2026-11-23", "until": "2026-11-27"}"#
        #expect(portal.call(.post, "/absences", absence, as: .ada).status == 201)
        #expect(counts(of: "Ada")?["uncovered_from"] == .string("2026-11-23"))
        let page = portal.get("/clinic", as: .ben).text
        #expect(page.contains("Ada Lindner") && page.contains("ab 23.11.2026") && !page.contains("C000001"))
        #expect(!portal.call(.get, "/clinic", as: .ben).text.contains("C000001"))
        // Without being a therapist nothing of a file opens.
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.get, "/patients/\(pia)", as: .ben).status == 403)
    }

    @Test func `PR-33 therapies without a session for four weeks are counted once they are as old`() throws {
        #expect(appoint(.ben, #""clinic_lead""#).status == 200)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            _ = try connection.run("UPDATE therapies SET created_at = \(now)")
        }
        #expect(counts(of: "Ada")?["without_session"] == .number(0))
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            _ = try connection.run("UPDATE therapies SET created_at = \(now.adding(days: -60))")
        }
        let running = try #require(counts(of: "Ada")?["running"]?.number)
        // Pia had a session within the four weeks.
        #expect(counts(of: "Ada")?["without_session"] == .number(running - 1))
    }

    @Test func `PR-33 outcome is told for the whole house, from five therapies on, and never by therapist`()
        throws
    {
        #expect(appoint(.ben, #""clinic_lead""#).status == 200)
        let few = portal.call(.get, "/clinic/house", as: .ben).attributes
        #expect(few["figures"] == .null)
        #expect(portal.get("/clinic", as: .ben).text.contains("ab 5 laufenden Therapien"))
        var running = Int(few["running"]?.number ?? 0)
        while running < 5 {
            #expect(portal.call(.post, "/patients", #"{"note": "neu"}"#, as: .ada).status == 201)
            running += 1
        }
        let pia = portal.cast.therapies[.pia] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try TherapyStore.noteActivity(in: pia, at: now, connection)
        }
        let house = portal.call(.get, "/clinic/house", as: .ben).attributes
        // Quinn is paired and never wrote.
        #expect(house["running"] == .number(5) && house["figures"]?["silent"] == .number(1))
        try portal.wait(awake: 9)
        let later = portal.call(.get, "/clinic/house", as: .ben).attributes["figures"]
        #expect(later?["silent"] == .number(2))
        let row = try #require(counts(of: "Ada"))
        for name in ["silent", "worsened", "dailies", "assignments"] { #expect(row[name] == nil) }
    }

    @Test func `PR-33 a cover is the only step from there, for all therapies, and not for oneself`() throws {
        #expect(appoint(.ben, #""therapist", "clinic_lead""#).status == 200)
        #expect(appoint(.lena, #""lead", "therapist""#).status == 200)
        let ada = portal.cast.accounts[.ada] ?? ""
        #expect(
            portal.call(
                .post, "/absences", #"{"from": "2026-11-23", "until": "2026-11-27"}"#, as: .ada
            ).status == 201)
        let page = portal.get(
            "/clinic/covers/new?therapist=\(ada)&from=2026-11-23&until=2026-11-27", as: .ben)
        #expect(page.status == 200 && page.text.contains(#"value="2026-11-27""#))
        #expect(!page.text.contains("C000001"))
        let body = { (email: String) in
            """
            {"therapist_id": "\(ada)", "colleague_email": "\(email)", "from": "2026-11-23",
             "until": "2026-11-27", "access": "read"}
            """
        }
        #expect(
            portal.call(.post, "/clinic/covers", body("ben@example.org"), as: .ben).wrongFields
                == ["colleague_email"])
        #expect(
            portal.call(.post, "/clinic/covers", body("ada@example.org"), as: .ben).wrongFields
                == ["colleague_email"])
        #expect(portal.call(.post, "/clinic/covers", body("lena@example.org"), as: .ada).status == 403)
        #expect(portal.call(.post, "/clinic/covers", body("lena@example.org"), as: .ben).status == 204)
        #expect(counts(of: "Ada")?["uncovered_from"] == .null)
        let given = portal.call(.get, "/covers", as: .ada).list.first?["attributes"]
        #expect(given?["colleague"]?.string?.contains("Lena") == true)
        // Aliases are the therapist's to share.
        #expect(given?["shares_alias"] == .bool(false))
    }

    @Test func `PR-33 the first steps say that staff representatives may have a say`() {
        #expect(portal.get("/welcome", as: .uma).text.contains("Personalvertretung"))
        #expect(!portal.get("/welcome", as: .ada).text.contains("Personalvertretung"))
    }
}
