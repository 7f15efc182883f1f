import HTTP
import Records
import Testing

@testable import Portal
@testable import PortalTesting
@testable import Therapies
@testable import Web

/// RP-201: a form that was opened earlier puts nothing back.
@Suite struct StaleFormTests {
    /// Forms in which the test must find something to put back; others join by themselves.
    private static let known: Set<String> = [
        "POST /patients/:patient/note", "POST /patients/:patient/therapy-dates", "POST /profile",
        "POST /admin/accounts/:account", "POST /interventions/:intervention", "POST /sounds/:sound",
        "POST /patients/:patient/emergency-contact", "POST /admin/settings", "POST /studies/:study/edit",
        "POST /my/settings/profile", "POST /patients/:patient/hand-over",
        "POST /my/studies/:study/measurements", "POST /my/studies/:study/questionnaires/:item/times",
        "POST /sounds/categories/:category",
    ]

    @Test(
        arguments: FormSentTwiceTests.routes.filter { !WriteSamples.writesNothing.contains($0) })
    func `RP-201 no form of any page puts back what was changed since it was drawn`(name: String) throws {
        let route = try #require(Routes.all.list.first { "\($0.method.rawValue) \($0.pattern)" == name })
        guard var sample = WriteSamples.all[name] else { return }
        let portal = try TestPortal()
        let stage = Stage(portal)
        let person = sample.person(route)
        try sample.prepare(stage)
        let typed = try sample.typed(stage)
        let (address, filled) = try stage.form(sample, route, isPrepared: true)
        sample.typed = { _ in [:] }
        let earlier = try stage.form(sample, route, isPrepared: true).fields
        guard portal.post(address, filled, as: person).status == 303 else { return }
        let stored = try stage.form(sample, route, isPrepared: true).fields
        // What the form wrote over, and shows now.
        let changed = typed.filter { field, value in
            Self.values(field, stored) == [value] && Self.values(field, earlier) != [value]
        }
        if Self.known.contains(name) { #expect(!changed.isEmpty, "\(stored)") }
        if changed.isEmpty { return }
        let answer = portal.post(address, earlier, as: person)
        #expect([303, 409, 412, 422].contains(answer.status), "\(answer.status)")
        let last = try stage.form(sample, route, isPrepared: true).fields
        for (field, value) in changed {
            #expect(Self.values(field, last) == [value], "\(field) was put back, \(answer.status)")
        }
    }

    /// The values of a field; that before a box says only that the box is there.
    private static func values(_ name: String, _ fields: [(String, String)]) -> [String] {
        let all = fields.filter { $0.0 == name }.map(\.1)
        return all.count > 1 && all.first?.isEmpty == true ? Array(all.dropFirst()) : all
    }

    // MARK: Two tabs

    private let portal: TestPortal
    private let pia: String
    init() throws {
        portal = try TestPortal()
        pia = "/patients/\(portal.cast.therapies[.pia] ?? "")"
    }

    /// A form as a tab shows it now, with what is typed into it.
    private func tab(_ page: String, _ action: String, _ typed: [String: String], as person: Person = .ada)
        throws
        -> [(String, String)]
    {
        try #require(FilledForm.read(portal.get(page, as: person).text, action: action, typed: typed)).fields
    }

    private func shown(_ page: String, _ action: String, _ field: String, as person: Person = .ada) throws
        -> String?
    {
        try tab(page, action, [:], as: person).last { $0.0 == field }?.1
    }

    @Test func `RP-201 a tab that changes the alias leaves the note of another tab`() throws {
        let note = "Notfallkontakt: Schwester, 0660 1234567"
        let (one, two) = (
            try tab(pia, pia + "/note", ["note": note]), try tab(pia, pia + "/note", ["alias": "Frau P"])
        )
        #expect(portal.post(pia + "/note", one, as: .ada).status == 303)
        #expect(portal.post(pia + "/note", two, as: .ada).status == 303)
        #expect(try shown(pia, pia + "/note", "note") == note)
        #expect(try shown(pia, pia + "/note", "alias") == "Frau P")
    }

    @Test func `RP-201 one field changed in two tabs is shown with both, and then saved`() throws {
        let (one, two) = (
            try tab(pia, pia + "/note", ["note": "Aus dem ersten"]),
            try tab(pia, pia + "/note", ["note": "Aus dem zweiten"])
        )
        #expect(portal.post(pia + "/note", one, as: .ada).status == 303)
        let answer = portal.post(pia + "/note", two, as: .ada)
        #expect(answer.status == 412)
        #expect(answer.text.contains("Aus dem ersten") && answer.text.contains("Aus dem zweiten"))
        #expect(answer.text.contains("<title>Fehler: "))
        #expect(try shown(pia, pia + "/note", "note") == "Aus dem ersten")
        let again = try #require(FilledForm.read(answer.text, action: pia + "/note")).fields
        #expect(portal.post(pia + "/note", again, as: .ada).status == 303)
        #expect(try shown(pia, pia + "/note", "note") == "Aus dem zweiten")
    }

    @Test func `RP-201 an end saved elsewhere leaves the begin of the therapy`() throws {
        let dates = pia + "/therapy-dates"
        let (one, two) = (
            try tab(pia, dates, ["therapy_started_on": "2026-01-15"]),
            try tab(pia, dates, ["therapy_ends_on": "2027-03-01"])
        )
        #expect(portal.post(dates, one, as: .ada).status == 303)
        #expect(portal.post(dates, two, as: .ada).status == 303)
        #expect(try shown(pia, dates, "therapy_started_on") == "2026-01-15")
        #expect(try shown(pia, dates, "therapy_ends_on") == "2027-03-01")
    }

    @Test func `RP-201 a role that was taken away stays away`() throws {
        let lena = "/admin/accounts/\(portal.cast.accounts[.lena] ?? "")"
        let earlier = try tab(lena, lena, ["site": "Graz"], as: .uma)
        #expect(earlier.contains { $0 == ("roles", "lead") })
        let roles = #"{"roles": ["therapist"]}"#
        let path = String(lena.dropFirst("/admin".count))
        let leo = #"{"email": "leo@example.org"}"#
        _ = portal.call(.post, path + "/studies/hand-over", leo, as: .uma)
        #expect(portal.change(.patch, path, roles, as: .uma).status == 200)
        #expect(portal.post(lena, earlier, as: .uma).status == 303)
        let now = try tab(lena, lena, [:], as: .uma)
        #expect(now.filter { $0.0 == "roles" }.map(\.1) == ["therapist"])
        #expect(now.contains { $0 == ("site", "Graz") })
        // Roles changed in both are asked about.
        let other = earlier.filter { $0.0 != "roles" } + [("roles", "lead"), ("roles", "admin")]
        let answer = portal.post(lena, other, as: .uma)
        #expect(answer.status == 412 && answer.text.contains("field__stored"))
    }

    @Test func `RP-201 what is changed between reading and writing stays, too`() throws {
        let note = #"{"note": "Dazwischen"}"#
        let fields = try tab(pia, pia + "/note", ["alias": "Frau P"])
        let (portal, path) = (portal, String(pia))
        let (answer, hasComeToWrite) = portal.interleaving(
            { _ = portal.change(.patch, path, note, as: .ada) },
            { portal.post(path + "/note", fields, as: .ada) })
        #expect(hasComeToWrite && answer.status == 303)
        #expect(try shown(pia, pia + "/note", "note") == "Dazwischen")
        #expect(try shown(pia, pia + "/note", "alias") == "Frau P")
    }
}
