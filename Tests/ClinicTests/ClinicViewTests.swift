import Database
import HTTP
import JSON
import Records
import Testing
import Web
import Wire

@testable import PortalTesting

/// PR-22: the clinic at a glance, for a role of its own.
@Suite struct ClinicViewTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func appoint(_ person: Person, _ roles: String) -> Response {
        portal.call(
            .patch, "/accounts/\(portal.cast.accounts[person] ?? "")", #"{"roles": [\#(roles)]}"#, as: .uma)
    }

    @Test func `PR-22 the administrator gives the right, and nobody else sees the clinic`() {
        for person in [Person.ada, .lena, .ben, .pia] {
            #expect(portal.call(.get, "/clinic", as: person).status == 403)
        }
        #expect(appoint(.ben, #""therapist", "clinic_lead""#).status == 200)
        #expect(portal.call(.get, "/clinic", as: .ben).status == 200)
        #expect(portal.get("/clinic", as: .ben).status == 200)
        #expect(portal.call(.get, "/accounts", as: .uma).text.contains("clinic_lead"))
    }

    @Test func `PR-22 it counts per therapist, and names no patient and no answer`() throws {
        #expect(appoint(.ben, #""clinic_lead""#).status == 200)
        let list = portal.call(.get, "/clinic", as: .ben).list.compactMap { $0["attributes"] }
        let ada = try #require(list.first { $0["therapist"]?.string?.contains("Ada") == true })
        let running = portal.call(.get, "/patients", as: .ada).list.count {
            $0["attributes"]?["state"] != .string("ended")
        }
        #expect(ada["running"] == .number(Double(running)))
        // Who is paired and sent nothing for longer than a week counts; a sheet from Pia takes her out again.
        func silent() -> JSON? {
            portal.call(.get, "/clinic", as: .ben).list.compactMap { $0["attributes"] }.first {
                $0["therapist"]?.string?.contains("Ada") == true
            }?["silent"]
        }
        try portal.wait(awake: 9)
        #expect(silent() == .number(1))
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try connection.run("UPDATE therapies SET last_activity_at = \(now)")
        }
        #expect(silent() == .number(0))
        let page = portal.get("/clinic", as: .ben).text
        #expect(page.contains("Ada Lindner") && !page.contains("C000001"))
        #expect(!portal.call(.get, "/clinic", as: .ben).text.contains("C000001"))
        // Without being a therapist nothing of a file opens.
        let pia = portal.cast.therapies[.pia] ?? ""
        #expect(portal.call(.get, "/patients/\(pia)", as: .ben).status == 403)
    }
}
