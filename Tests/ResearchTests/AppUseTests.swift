import Database
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import Identity
@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Studies
@testable import Web

/// ST-11: on which days people use the app, and on what.
@Suite struct AppUseTests {
    let portal: TestPortal
    let desk: StudyDesk
    let life: TherapyLife

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        life = TherapyLife(portal: portal)
    }

    func days(of person: Person) throws -> [String] {
        let account = portal.cast.accounts[person] ?? ""
        return try portal.services.records.read { connection in
            try AppUseStore.all(of: account, connection).map { "\($0.day.text) \($0.platform)" }
        }
    }

    @Test func `ST-11 a local day and a platform are one row, however often the app synchronises`() throws {
        for _ in 0..<3 {
            #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
            #expect(portal.get("/my", as: .pia).status == 200)
            portal.wait(seconds: 30)
        }
        #expect(try days(of: .pia) == ["2026-11-20 browser", "2026-11-20 other"])
        // Half past eleven at night in UTC is the next day in Vienna.
        try life.wait(until: try #require(Instant("2026-11-20T23:30:00Z")))
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(try days(of: .pia).last == "2026-11-21 other")
        #expect(try days(of: .pia).count == 3)
        // Nothing of staff, nor of those who never came.
        #expect(portal.get("/patients", as: .ada).status == 200)
        #expect(try days(of: .ada).isEmpty && days(of: .quinn).isEmpty)
    }

    @Test func `ST-11 a day is written once, by reading or by writing, and no other request writes for it`()
        throws
    {
        let writes = { try portal.count("app_use") }
        let sent = portal.change(.put, "/my/privacy", #"{"research_consent": true}"#, as: .pia)
        #expect(sent.status == 200)
        #expect(try writes() == 1)
        let before = try lastUse()
        portal.wait(seconds: 3600)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(try lastUse() == before && writes() == 1)
        try portal.services.records.writeUnaudited(.madeUp) { try $0.run("DELETE FROM app_use") }
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(try writes() == 0)
    }

    private func lastUse() throws -> Int64? {
        let account = portal.cast.accounts[.pia] ?? ""
        return try portal.services.records.read { connection in
            try connection.value(
                "SELECT max(last_used_at) FROM credentials WHERE kind = 'token' AND account_id = \(account)")
        }
    }

    @Test func `ST-11 days are kept for 24 months, are in the copy of own data, and go with the account`()
        throws
    {
        let account = portal.cast.accounts[.pia] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            for day in ["2024-11-19", "2024-11-20", "2025-01-01"] {
                try AppUseStore.note(try #require(LocalDate(day)), on: "ios", of: account, connection)
            }
        }
        Housekeeping.run(portal.services)
        #expect(try days(of: .pia) == ["2024-11-20 ios", "2025-01-01 ios"])
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["app_use"]?.array ?? []
        #expect(copy.first?["day"] == .string("2024-11-20") && copy.first?["platform"] == .string("ios"))
        #expect(copy.last?["day"] == .string("2026-11-20"))
        let leap = try #require(LocalDate("2028-02-29"))
        #expect(AppUseStore.first(keptOn: leap).text == "2026-02-28")
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        #expect(try portal.count("app_use") == 0)
    }

    @Test
    func `ST-11 IO-20 it is exported with research consent alone, and of the time of the participation`()
        throws
    {
        let account = portal.cast.accounts[.pia] ?? ""
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try AppUseStore.note(try #require(LocalDate("2026-11-19")), on: "ios", of: account, connection)
        }
        let study = desk.begin()
        life.agree(.pia, false)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let rows = { try desk.text(study, "use").split(separator: "\r\n").dropFirst().map(String.init) }
        #expect(try rows().isEmpty)
        #expect(try !desk.text(study, "participants").contains("other"))
        life.agree(.pia, true)
        let told = try rows()
        #expect(told.count == 1 && told[0].hasSuffix(",2026-11-20,other"))
        #expect(try desk.text(study, "participants").contains(",other\r\n"))
        #expect(portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .pia).status == 204)
        try portal.wait(awake: 1)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(try rows() == told)
    }

    @Test func `ST-11 the privacy text names it in both languages`() throws {
        #expect(portal.get("/info/privacy", as: .nobody).text.contains("24 Monate lang"))
        let english = portal.get("/info/privacy", as: .nobody, ["Accept-Language": "en"]).text
        #expect(english.contains("the day and the kind of device, nothing finer"))
    }
}
