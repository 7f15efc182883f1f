import Foundation
import Identity
import Locks
import Outbound
import Records
import Testing
import Wire

@testable import PortalTesting
@testable import WearableLinks
@testable import Web

/// FB-1: many callers with an expired token cost one call to the provider, here and in a second program at the same
/// database.
@Suite struct RenewalTests {
    @Test func `W2 fifty at once, thirty rounds: thirty calls for tokens, and no link lost`() throws {
        try RenewalRounds(30).go()
    }

    @Test func `W2 who was killed while renewing keeps the others out for half a minute, no longer`() throws {
        let (portal, health) = try linkedPortal()
        let made = try link(portal, health, .pia, user: 1)
        portal.wait(seconds: 4_000)
        let now = portal.now
        let began = try portal.services.records.writeUnaudited(.madeUp) { connection in
            try WearableLinkStore.beginRenewal(
                of: made, until: now.adding(seconds: 30), at: now, connection)
        }
        #expect(began)
        let again = try portal.services.records.writeUnaudited(.madeUp) { connection in
            try WearableLinkStore.beginRenewal(
                of: made, until: now.adding(seconds: 30), at: now, connection)
        }
        #expect(!again)
        portal.wait(seconds: 31)
        let renewal = TokenRenewal(portal.services)
        let access = try renewal.access(made, health.configured())
        #expect(health.state.withLock { $0.access[access] } != nil)
        #expect(health.state.withLock { $0.tokenCalls } == 1)
    }

    @Test func `W2 a link that ends while its tokens are renewed leaves none behind at the provider`() throws
    {
        let (portal, health) = try linkedPortal()
        let made = try link(portal, health, .pia, user: 1)
        portal.wait(seconds: 4_000)
        let usual = health.configured()
        let services = portal.services
        let ending = ConfiguredProvider(
            usual.provider, addresses: usual.addresses, clientID: FakeHealth.clientID,
            clientSecret: FakeHealth.clientSecret, hookSecret: nil
        ) { request, use in
            let answer = usual.send(request, use)
            if String(decoding: request.body, as: UTF8.self).contains("grant_type=refresh_token") {
                try? services.records.writeUnaudited(.madeUp) { connection in
                    try WearableLinkStore.remove("google_health", of: made.account, connection)
                }
            }
            return answer
        }
        #expect(throws: LinkFault.gone) { try TokenRenewal(services).access(made, ending) }
        let (left, revoked) = health.state.withLock { ($0.refresh.count, $0.revoked.count) }
        #expect(left == 0 && revoked == 1)
    }

    @Test func `W2 tokens that somebody else has renewed are no reason to ask the person`() throws {
        let (portal, health) = try linkedPortal()
        let made = try link(portal, health, .pia, user: 1)
        portal.wait(seconds: 4_000)
        // The provider has the tokens of another renewal, which is filed while ours is refused.
        let usual = health.configured()
        let services = portal.services
        let fresh = health.tokens(for: 1)
        let now = portal.now
        let late = ConfiguredProvider(
            usual.provider, addresses: usual.addresses, clientID: "c", clientSecret: "s", hookSecret: nil
        ) { _, _ in
            try? services.records.writeUnaudited(.madeUp) { connection in
                guard let account = try AccountStore.find(made.account, connection) else { return }
                let sealed = try fresh.sealed(try account.key(services.keys), made.id)
                _ = try WearableLinkStore.setTokens(
                    sealed, accessUntil: now.adding(seconds: 3_600), consentUntil: nil, of: made, connection)
            }
            return .success(FakeHealth.reply(400, #"{"error": "invalid_grant"}"#))
        }
        #expect(try TokenRenewal(services).access(made, late) == fresh.access)
        #expect(try present(portal, made.account)?.state == .live)
    }
}

/// W2 whole.
@Suite struct RenewalSlowTests {
    @Test func `W2 fifty at once, a thousand rounds: a thousand calls for tokens, and no link lost`() throws {
        try RenewalRounds(1_000).go()
    }
}

/// Fifty callers at the same moment, round after round, half of them in a second program at the same database.
private struct RenewalRounds {
    let portal: TestPortal
    let health: FakeHealth
    let rounds: Int

    init(_ rounds: Int) throws {
        (portal, health) = try linkedPortal()
        self.rounds = rounds
    }

    func go() throws {
        let made = try link(portal, health, .pia, user: 1)
        let provider = health.configured()
        let services = portal.services
        // Each program wakes its own waiting callers.
        let here = TokenRenewal(services)
        let there = TokenRenewal(services, try WearableSignal(services.settings))
        for round in 1...rounds {
            portal.wait(seconds: 3_600)
            let tokens = Lock<[String]>([])
            let faults = Lock<[String]>([])
            let group = DispatchGroup()
            for number in 0..<50 {
                group.enter()
                let thread = Thread {
                    do {
                        let token = try (number % 2 == 0 ? here : there).access(made, provider)
                        tokens.withLock { $0.append(token) }
                    } catch {
                        faults.withLock { $0.append("\(error)") }
                    }
                    group.leave()
                }
                thread.start()
            }
            group.wait()
            let (all, wrong) = (tokens.withLock { $0 }, faults.withLock { $0 })
            #expect(all.count == 50 && Set(all).count == 1 && wrong.isEmpty, "round \(round): \(wrong)")
            #expect(health.state.withLock { $0.tokenCalls } == round)
        }
        #expect(try present(portal, made.account)?.state == .live)
    }
}
