import Foundation
import Identity
import Records
import Testing
import Wire

@testable import WearableLinks
@testable import Web

/// A portal whose provider is the fake one.
func linkedPortal(quota: ProviderQuota? = nil) throws -> (TestPortal, FakeHealth) {
    let portal = try TestPortal { $0.requestsPerMinute = 0 }
    let health = FakeHealth(portal.services.clock)
    portal.services.part(WearableDesk.self).set(health.configured(quota: quota))
    return (portal, health)
}

/// A link as it stands after somebody has consented.
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

/// The link as it is now.
func present(_ portal: TestPortal, _ account: ID<Account>) throws -> WearableLinkRecord? {
    try portal.services.records.read { try WearableLinkStore.find("google_health", of: account, $0) }
}
