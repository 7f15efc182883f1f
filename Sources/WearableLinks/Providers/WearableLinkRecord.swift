import Database
import Foundation
import Records
import Wire

/// A link as stored.
package struct WearableLinkRecord: Sendable, FromRow {
    package enum State: String, Sendable, SQLConvertible {
        case live
        case needsConsent = "needs_consent"
    }

    /// For this link alone: linking again makes another id.
    package let id: ID<WearableLinkRecord>
    package let account: ID<Account>
    package let provider: String
    package let state: State
    private let sealedTokens: [UInt8]?
    package let scopes: [String]
    /// The end of its access token.
    let accessUntil: Instant
    package let consentUntil: Instant?
    /// Counts whenever its tokens change.
    let version: Int
    let renewingUntil: Instant?
    let isIdentified: Bool
    /// When it was linked, or permitted again.
    let linkedAt: Instant
    package let lastPullAt: Instant?
    let nextPullAt: Instant
    let restUntil: Instant?
    let failures: Int
    package let problem: String?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        account = try row["account_id"]
        provider = try row["provider"]
        state = try row["state"]
        sealedTokens = try row["tokens"]
        let scopes: String = try row["scopes"]
        self.scopes = scopes.split(separator: " ").map(String.init)
        accessUntil = try row["access_until"]
        consentUntil = try row["consent_until"]
        version = try row["version"]
        renewingUntil = try row["renewing_until"]
        let lookup: [UInt8]? = try row["user_lookup"]
        isIdentified = lookup != nil
        linkedAt = try row["linked_at"]
        lastPullAt = try row["last_pull_at"]
        nextPullAt = try row["next_pull_at"]
        restUntil = try row["rest_until"]
        failures = try row["failures"]
        problem = try row["problem"]
    }

    /// Nil while the person must be asked again.
    /// - Throws: `SealBroken`.
    func tokens(_ key: PersonKey) throws -> LinkTokens? {
        guard let sealedTokens else { return nil }
        let text = try key.openBytes(sealedTokens, from: WearablePlace.tokens(id))
        return try JSONDecoder().decode(LinkTokens.self, from: Data(text))
    }

    package var wire: Wearable {
        Wearable(
            provider: provider, state: state.rawValue, scopes: scopes,
            missing: WearableProvider.named(provider)?.missing(granted: scopes) ?? [],
            expiresAt: consentUntil, lastPullAt: lastPullAt,
            problem: problem)
    }
}

/// The tokens for a provider. Sealed, as a whole.
struct LinkTokens: Codable, Sendable, Equatable {
    var access: String
    /// Empty where there is nothing to renew with.
    var refresh: String
    /// The provider's id of the person; nil when it does not say.
    var user: String?

    func sealed(_ key: PersonKey, _ id: ID<WearableLinkRecord>) throws -> [UInt8] {
        key.seal(bytes: Array(try JSONEncoder().encode(self)), for: WearablePlace.tokens(id))
    }
}

/// The places of sealed fields.
enum WearablePlace {
    static func tokens(_ id: ID<WearableLinkRecord>) -> SealContext {
        SealContext("wearable_links", id, "tokens")
    }
    static func verifier(_ state: [UInt8]) -> SealContext {
        SealContext("wearable_requests", hex(state), "verifier")
    }
    static func code(_ state: [UInt8]) -> SealContext { SealContext("wearable_requests", hex(state), "code") }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0, radix: 16) }.joined(separator: ".")
    }
}
