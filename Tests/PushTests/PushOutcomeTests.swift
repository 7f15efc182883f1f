import Testing
import Wire

@testable import Outbound
@testable import PortalTesting
@testable import Push
@testable import Records

/// PW-8: what relays answer, and what is read from it.
@Suite struct PushOutcomeTests {
    private let now = Cast.now

    private func message(
        _ account: String = "a", _ subscription: String = "s", host: String = "relay.example.org",
        tries: Int = 0
    ) -> DuePushMessage {
        DuePushMessage(
            id: "m", kind: .test, subject: PushSubject("x"), expires: now, isMomentary: false, nextTry: now,
            tries: tries,
            subscription: ID(subscription), account: ID(account), host: host, endpoint: [], title: nil,
            language: "de", wrappedKey: [])
    }

    private func outcome(_ status: Int, _ retryAfter: String? = nil, tries: Int = 0) -> PushOutcome {
        let headers = retryAfter.map { ["retry-after": $0] } ?? [:]
        return PushOutcome(
            .success(OutboundReply(status: status, headers: headers, body: [])), of: message(tries: tries),
            now)
    }

    @Test func `PW-8 a rest is told in seconds or as a date, and is neither none nor endless`() {
        let after = { (seconds: Int64) in PushOutcome.busy(until: now.adding(seconds: seconds)) }
        #expect(outcome(429, "120") == after(120))
        #expect(outcome(429, "Fri, 20 Nov 2026 09:02:00 GMT") == after(120))
        #expect(outcome(429, "Fri, 20 Nov 2026 08:00:00 GMT") == after(1))
        #expect(outcome(429, "0") == after(1) && outcome(429, "-5") == after(1))
        #expect(outcome(429, "86400") == after(3600))
        #expect(outcome(429, "Wed, 20 Nov 2126 09:00:00 GMT") == after(3600))
        // An unreadable value counts as none.
        for nothing in [nil, "", "soon", "12 s", "Fri, 20 Foo 2026 09:02:00 GMT", "2026-11-20T09:02:00Z"] {
            #expect(outcome(429, nothing) == after(5), "\(nothing ?? "none")")
        }
        #expect(outcome(429, tries: 2) == after(45))
        #expect(outcome(503, "120") == .closed(until: now.adding(seconds: 120)))
        #expect(outcome(503) == .later(now.adding(seconds: 5)))
        #expect(outcome(500, "120") == .later(now.adding(seconds: 120)))
    }

    @Test func `PW-8 every yes is one, and what leads elsewhere is none`() {
        for status in [200, 201, 202, 204, 207] { #expect(outcome(status) == .accepted) }
        for status in [301, 307, 400, 402, 413, 418] { #expect(outcome(status) == .hopeless) }
        for status in [404, 410] { #expect(outcome(status) == .gone) }
        for status in [401, 403] { #expect(outcome(status) == .refused(status: status)) }
    }

    @Test func `A7 one in a hundred that is told to wait holds up nobody else`() {
        var relays = PushRelays()
        let busy = PushOutcome.busy(until: now.adding(seconds: 2))
        for round in 0..<1000 {
            let outcome = round % 100 == 7 ? busy : .accepted
            #expect(relays.note(outcome, of: message("a", "\(round)"), at: now) == nil)
        }
        // Two in a row are chance, and so are many of one device.
        #expect(relays.note(busy, of: message("a", "1"), at: now) == nil)
        for _ in 0..<5 { #expect(relays.note(busy, of: message("a", "2"), at: now) == nil) }
        #expect(relays.note(busy, of: message("a", "3", host: "other"), at: now) == nil)
        #expect(relays.note(busy, of: message("a", "3"), at: now) == now.adding(seconds: 2))
        // However long it asks for.
        let long = PushOutcome.closed(until: now.adding(seconds: 3600))
        #expect(relays.note(long, of: message(), at: now) == now.adding(seconds: PushRelays.longestRest))
    }

    @Test func `RP-107 five devices refused in a row stop a relay, and nothing else does`() {
        var relays = PushRelays()
        let note = { (device: String, outcome: PushOutcome) in
            _ = relays.note(outcome, of: message("a", device), at: now)
            return !relays.refusedAccounts("relay.example.org").isEmpty
        }
        let refused = PushOutcome.refused(status: 403)
        for _ in 0..<9 { #expect(!note("1", refused)) }
        for device in ["2", "3", "4"] { #expect(!note(device, refused)) }
        // A message that is not taken says nothing of the relay.
        for device in 5..<50 { #expect(!note("\(device)", .hopeless)) }
        #expect(!note("1", .accepted))
        for device in ["1", "2", "3", "4"] { #expect(!note(device, refused)) }
        #expect(note("5", refused))
        // Looked at and resumed it is counted anew.
        #expect(!note("6", refused))
    }
}
