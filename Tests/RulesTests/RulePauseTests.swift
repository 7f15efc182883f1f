import HTTP
import JSON
import Testing

@testable import PortalTesting
@testable import Rules

/// Silence beside pauses that were taken away before their end.
@Suite struct RulePauseTests {
    let rules: RuleTests
    var portal: TestPortal { rules.portal }

    init() throws { rules = try RuleTests() }

    private func silence(_ days: Int) -> Response {
        rules.rule(#"{"kind": "silent", "days": \#(days)}"#, #""briefing": "x", "enabled": true"#, rest: 1)
    }

    /// - Parameter place: the patient's own pauses, or the therapist's holidays.
    private func pause(_ from: String, _ to: String, in place: String) -> String {
        let made = portal.call(.post, place, #"{"starts_on": "\#(from)", "ends_on": "\#(to)"}"#, as: .ada)
        #expect(made.status == 201)
        return "\(place)/\(made.id)"
    }

    private func fired(after days: Int64) throws -> Int {
        try portal.wait(awake: days)
        return try RuleRun.tick(portal.services).fired
    }

    @Test(arguments: [true, false])
    func `silence does not count the days of a pause that ended early, but those after it`(isOwn: Bool) throws
    {
        let place = isOwn ? "/patients/\(rules.pia)/pauses" : "/pauses"
        let made = silence(5)
        rules.answer(4, at: "2026-11-20T08:30:00Z")
        let away = pause("2026-11-21", "2026-12-10", in: place)
        #expect(try fired(after: 4) == 0)
        #expect(portal.call(.delete, away, as: .ada).status == 204)
        // Six days after the last answer, two after the pause.
        #expect(try fired(after: 2) == 0)
        #expect(try fired(after: 2) == 0)
        #expect(try fired(after: 1) == 1)
        #expect(try fired(after: 1) == 0)
        let moments = portal.call(.get, "/rules/\(made.id)/dry-run", as: .ada).list.map {
            $0["attributes"]?["at"]
        }
        #expect(moments.first == .string("2026-11-29T09:00:00Z"))
    }

    @Test func `a pause that held for less than a day, or was entered for days gone by, counts as none`()
        throws
    {
        _ = silence(5)
        rules.answer(4, at: "2026-11-20T08:30:00Z")
        let place = "/patients/\(rules.pia)/pauses"
        #expect(try fired(after: 4) == 0)
        // A slip: it would have covered four days.
        let slip = pause("2026-11-20", "2026-12-10", in: place)
        #expect(portal.call(.delete, slip, as: .ada).status == 204)
        let early = pause("2026-11-26", "2026-12-10", in: place)
        #expect(portal.call(.delete, early, as: .ada).status == 204)
        #expect(try fired(after: 1) == 1)
    }
}
