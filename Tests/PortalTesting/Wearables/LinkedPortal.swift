import Foundation
import HTTP
import Identity
import JSON
import Outbound
import Records
import Testing
import Wire

@testable import WearableLinks
@testable import Web

/// A portal whose provider is the fake one.
func linkedPortal(quota: ProviderQuota? = nil) throws -> (TestPortal, FakeHealth) {
    let portal = try TestPortal { $0.requestsPerMinute = 0 }
    let health = FakeHealth(portal.services.clock)
    portal.services.part(WearableSignal.self).set(health.configured(quota: quota))
    return (portal, health)
}

/// A link after consent.
@discardableResult
func link(
    _ portal: TestPortal, _ health: FakeHealth, _ person: Person, user: Int, scopes: [String]? = nil
) throws -> WearableLinkRecord {
    try link(portal, health, portal.cast.accounts[person] ?? "", user: user, scopes: scopes)
}

@discardableResult
func link(
    _ portal: TestPortal, _ health: FakeHealth, _ account: ID<Account>, user: Int, scopes: [String]? = nil
) throws -> WearableLinkRecord {
    let all = scopes ?? WearableProvider.googleHealth.scopes.map(\.name)
    let tokens = health.tokens(for: user, scopes: all)
    let services = portal.services
    let id: ID<WearableLinkRecord> = services.chance.id()
    let now = portal.now
    return try services.records.writeUnaudited(.madeUp) { connection in
        let record = try #require(try AccountStore.find(account, connection))
        let new = NewWearableLink(
            id: id, account: account, provider: "google_health",
            tokens: try tokens.sealed(try record.key(services.keys), id), scopes: all,
            accessUntil: now.adding(seconds: 3_600), consentUntil: nil)
        try WearableLinkStore.save(new, at: now, connection)
        return try #require(try WearableLinkStore.find("google_health", of: account, connection))
    }
}

/// The present link.
func present(_ portal: TestPortal, _ account: ID<Account>) throws -> WearableLinkRecord? {
    try portal.services.records.read { try WearableLinkStore.find("google_health", of: account, $0) }
}

/// Links as an app of Pia's does: asks, comes back, confirms.
/// - Returns: the address of the provider's page, and the answer to the confirmation.
func linkOverCalls(_ portal: TestPortal, _ provider: String) -> (asked: String, confirmed: Response) {
    let path = "/my/wearables/\(provider)"
    let asked = portal.call(.post, path + "/link", as: .pia).attributes["authorize_url"]?.string ?? ""
    let state = asked.firstMatch(of: /state=([^&]+)/).map { String($0.1) } ?? ""
    #expect(portal.get("/wearables/callback?code=a-code&state=\(state)", as: .nobody).status == 303)
    return (asked, portal.call(.post, path + "/confirmation", as: .pia))
}

/// Pia's link to a provider in the API.
func wearable(_ portal: TestPortal, _ provider: String) -> JSON? {
    portal.call(.get, "/my/wearables", as: .pia).list.compactMap { $0["attributes"] }
        .first { $0["provider"]?.string == provider }
}

/// A day of Pia's.
func measured(_ portal: TestPortal, _ type: String, _ date: String) -> JSON? {
    portal.call(.get, "/my/measurement-days?type=\(type)&from=2026-10-20&to=2026-11-20", as: .pia).list
        .compactMap { $0["attributes"] }.first { $0["date"]?.string == date }
}

/// A provider whose answers a test makes up, request by request.
func madeUp(
    _ provider: WearableProvider, _ answer: @escaping @Sendable (OutboundRequest) -> OutboundReply
) -> ConfiguredProvider {
    ConfiguredProvider(
        provider, addresses: provider.addresses, clientID: "\(provider.name)-client",
        clientSecret: "\(provider.name)-secret", hookSecret: nil
    ) { request, _ in .success(answer(request)) }
}
