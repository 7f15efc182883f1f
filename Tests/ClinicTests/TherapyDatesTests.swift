import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Therapies
@testable import Web

/// PR-3: begin and planned end of a therapy have a form, and what depends on them follows at once.
@Suite struct TherapyDatesTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: String { "/patients/\(portal.cast.therapies[.pia] ?? "")" }

    @Test func `PR-3 a new patient is entered with begin and planned end`() throws {
        let page = portal.get("/patients/new", as: .ada).text
        for name in ["therapy_started_on", "therapy_ends_on"] {
            #expect(page.contains("name=\"\(name)\" type=\"date\""), "\(name)")
        }
        let answer = portal.post(
            "/patients/new",
            [
                ("codename", "AB1234"), ("therapy_started_on", "2026-11-02"),
                ("therapy_ends_on", "2027-06-30"),
            ], as: .ada)
        #expect(answer.status == 303)
        let id = try #require(
            answer.headers["Location"]?.split(separator: "/").dropFirst().first.map { String($0) })
        let patient = portal.call(.get, "/patients/\(id)", as: .ada).attributes
        #expect(patient["therapy_started_on"] == .string("2026-11-02"))
        #expect(patient["therapy_ends_on"] == .string("2027-06-30"))
    }

    @Test func `PR-3 an end before the begin is refused at its field, and what was typed stays`() throws {
        let dates = [("therapy_started_on", "2026-11-20"), ("therapy_ends_on", "2026-11-19")]
        for path in ["/patients/new", pia + "/therapy-dates"] {
            let page = portal.post(path, dates + [("codename", "AB1234")], as: .ada)
            #expect(page.status == 422 && page.text.contains("href=\"#therapy_ends_on\""))
            #expect(page.text.contains("value=\"2026-11-19\"") && page.text.contains("value=\"2026-11-20\""))
        }
        #expect(try portal.changes().isEmpty)
    }

    @Test func `PR-3 the patient's page changes the dates, and empties them`() throws {
        let page = portal.get(pia, as: .ada).text
        #expect(page.contains("action=\"\(pia)/therapy-dates\"") && page.contains("value=\"2026-10-23\""))
        let saved = portal.post(
            pia + "/therapy-dates", [("therapy_started_on", "2026-09-01"), ("therapy_ends_on", "")],
            as: .ada)
        #expect(saved.status == 303)
        let patient = portal.call(.get, pia, as: .ada).attributes
        #expect(patient["therapy_started_on"] == .string("2026-09-01"))
        #expect(patient["therapy_ends_on"] == .null && patient["note"] != .null)
        #expect(
            portal.post(pia + "/therapy-dates", [("therapy_started_on", "2026-10-01")], as: .ben).status
                == 404)
    }

    @Test(arguments: [true, false])
    func `PR-3 numbers and the end battery follow the dates at once`(isForm: Bool) throws {
        let rule = #"{"occasion": "therapy_end", "questionnaire_key": "between-sessions"}"#
        #expect(portal.call(.post, pia + "/delivery-rules", rule, as: .ada).status == 201)
        let asked = { () -> [JSON?] in
            portal.call(.get, pia + "/assignments", as: .ada).list.map { $0["attributes"] }.filter {
                $0?["due_at"]?.string?.hasPrefix("2026-11") == false
            }.map { $0?["due_at"] }
        }
        let change = { (start: String, end: String) -> Int in
            let fields = [("therapy_started_on", start), ("therapy_ends_on", end)]
            if isForm { return portal.post(pia + "/therapy-dates", fields, as: .ada).status }
            let json = fields.map { "\"\($0.0)\": \"\($0.1)\"" }.joined(separator: ", ")
            return portal.call(.patch, pia, "{\(json)}", as: .ada).status
        }
        #expect(asked().isEmpty)
        #expect(change("2026-11-10", "2027-01-15") == (isForm ? 303 : 200))
        #expect(asked() == [.string("2027-01-15T23:00:00Z")])
        let number = { () -> JSON? in
            portal.call(.get, pia + "/sessions", as: .ada).list.first?["attributes"]?["number"]
        }
        #expect(number() == .number(1))
        #expect(change("2026-11-18", "2027-02-01") == (isForm ? 303 : 200))
        #expect(asked() == [.string("2027-02-01T23:00:00Z")])
        #expect(number() == .null)
    }
}

/// The list of past appointments comes in pages.
@Suite struct PastAppointmentsTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    @Test(arguments: [true, false])
    func `past appointments are paged, each on exactly one page`(isOwn: Bool) throws {
        try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
            for week in 1...44 {
                let start = Cast.now.adding(days: Int64(-7 * week))
                let times = InputReader(form: [
                    "starts_at": start.text, "ends_at": start.adding(seconds: 3000).text,
                ])
                try SessionStore.insert(
                    try SessionDraft.read(times, now: Cast.now), id: Randomness.system.id(), therapy: pia,
                    mark: nil, at: start, connection)
            }
        }
        let base = isOwn ? "/patients/\(pia)/appointments" : "/appointments"
        var path: String? = base + "?month=2026-10"
        var seen: [String] = []
        var pages: Int = 0
        while let next = path, pages < 9 {
            let page = portal.get(next, as: .ada).text
            let rows = page.matches(of: /<li class="rows__entry">.*?datetime="([^"]*)"/.dotMatchesNewlines())
            seen += rows.map { String($0.1) }
            #expect(rows.count <= 20 && page.contains("Oktober 2026"))
            path = page.firstMatch(of: /href="([^"#]*)#past" rel="next"/).map {
                String($0.1).replacing("&amp;", with: "&")
            }
            pages += 1
        }
        #expect(pages == 3 && seen.count == 45 && Set(seen).count == 45)
        #expect(portal.get(base + "?page=x", as: .ada).status == 200)
        #expect(portal.get(base + "?page=99", as: .ada).text.contains("rel=\"prev\""))
    }

    @Test func `the call for a patient's appointments is paged as well`() throws {
        for number in 0..<5 {
            let id = "22222222-2222-4222-8222-00000000000\(number)"
            let start = Cast.now.adding(days: Int64(-number))
            let body =
                #"{"title": "Sitzung", "starts_at": "\#(start.text)", "ends_at": "\#(start.adding(seconds: 3000).text)"}"#
            #expect(portal.call(.put, "/my/appointments/\(id)", body, as: .pia).status == 201)
        }
        var path: String? = "/patients/\(pia)/appointments?limit=2"
        var seen: [String] = []
        while let next = path {
            let answer = portal.call(.get, next, as: .ada)
            seen += answer.list.compactMap { $0["id"]?.string }
            path = answer.json["meta"]?["next"]?.string.map { String($0.dropFirst("/api/v1".count)) }
        }
        #expect(seen.count == 5 && Set(seen).count == 5)
    }
}
