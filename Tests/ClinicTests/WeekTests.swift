import HTTP
import Records
import Testing
import Wire

@testable import PortalTesting

/// PR-14: the week first, today on top, the state set from the list.
@Suite struct WeekTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    var sessions: String { "/patients/\(portal.cast.therapies[.pia] ?? "")/sessions" }

    private func note(_ day: String) -> String {
        portal.call(
            .post, sessions,
            #"{"starts_at": "2026-11-\#(day)T09:00:00+01:00", "ends_at": "2026-11-\#(day)T09:50:00+01:00"}"#,
            as: .ada
        ).id
    }

    @Test func `PR-14 the present week begins with today, and what is over is below`() throws {
        // Today is Friday, the 20th.
        for day in ["18", "21", "24"] { _ = note(day) }
        let page = portal.get("/appointments", as: .ada).text
        let days = page.matches(of: /<h3 class="weekday__title">([^<,]*),/).map { String($0.1) }
        #expect(
            days == [
                "Freitag", "Samstag", "Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag",
            ])
        #expect(page.matches(of: /weekday--past/).count == 4 && page.contains("weekday--today"))
        #expect(page.contains("16.11. bis 22.11.2026"))
        #expect(!page.contains("2026-11-24T"))
        let next = portal.get("/appointments?week=2026-11-25", as: .ada).text
        #expect(next.contains("2026-11-24T") && next.contains("23.11. bis 29.11.2026"))
        #expect(!next.contains("weekday--past") && next.contains("Diese Woche"))
        for wrong in ["x", "2026-13-01", "9999-01-01"] {
            #expect(
                portal.get("/appointments?week=\(wrong)", as: .ada).text.contains("16.11. bis 22.11.2026"))
        }
        #expect(!portal.get("/appointments", as: .ben).text.contains("C000001"))
    }

    @Test func `PR-14 a state is set from the list, and one comes back to it`() throws {
        let id = note("18")
        let state = sessions + "/\(id)/state"
        for (back, lands) in [
            ("/appointments", "/appointments"),
            ("/appointments?week=2026-11-16", "/appointments?week=2026-11-16"),
            ("//evil.example", nil), ("/appointments?week=x", nil), ("/admin", nil),
        ] as [(String, String?)] {
            let answer = portal.post(state, [("state", "missed"), ("back", back)], as: .ada)
            let own = "/patients/\(portal.cast.therapies[.pia] ?? "")/appointments"
            #expect(answer.status == 303 && answer.headers["Location"] == lands ?? own, "\(back)")
        }
        let page = portal.get("/appointments", as: .ada).text
        #expect(page.contains("nicht erschienen") && page.contains(#"action="\#(state)""#))
    }
}
