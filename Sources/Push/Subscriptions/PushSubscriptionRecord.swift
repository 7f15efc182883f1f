import Database
import Foundation
import Identity
import JSON
import Records
import Secrets
import Web
import WebPush
import Wire

/// A device with push messages (IO-25).
package struct PushSubscriptionRecord: Sendable, FromRow {
    package let id: ID<PushSubscriptionRecord>
    package let credentialID: ID<Credential>
    let accountID: ID<Account>
    let host: String
    let sealedEndpoint: [UInt8]
    let sealedTitle: [UInt8]?
    package let wantsPrompts: Bool
    package let wantsChanges: Bool
    let createdAt: Instant
    let lastAcceptedAt: Instant?
    let endedAt: Instant?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        credentialID = try row["credential_id"]
        accountID = try row["account_id"]
        host = try row["host"]
        sealedEndpoint = try row["endpoint"]
        sealedTitle = try row["title"]
        wantsPrompts = try row["wants_prompts"]
        wantsChanges = try row["wants_changes"]
        createdAt = try row["created_at"]
        lastAcceptedAt = try row["last_accepted_at"]
        endedAt = try row["ended_at"]
    }

    /// In the words of the call.
    package var wants: [String] {
        [wantsPrompts ? "prompts" : nil, wantsChanges ? "changes" : nil].compactMap(\.self)
    }

    package func wire(isStopped: Bool) -> PushSubscription {
        PushSubscription(
            endpointHost: host, wants: wants, createdAt: createdAt, lastAcceptedAt: lastAcceptedAt,
            state: endedAt != nil ? "ended" : isStopped ? "stopped" : "live")
    }

    package func title(_ key: PersonKey) throws -> String? {
        try sealedTitle.map { try key.open($0, from: PushPlace.title(id)) }
    }

    var isLive: Bool { endedAt == nil }

    /// In the words of the list of devices; without any it is `off`.
    package var state: String { Self.state(endedAt: endedAt) }

    static func state(endedAt: Instant?) -> String { endedAt == nil ? "on" : "ended" }

    /// Tells a browser whether this is the subscription that it has, and nothing else about it.
    package func mark(_ key: PersonKey) throws -> String? {
        try PushEndpoint(stored: key.openBytes(sealedEndpoint, from: PushPlace.endpoint(id))).map {
            endpoint in
            Base64URL.text(Digest.sha256(Array(endpoint.url.utf8)))
        }
    }
}

enum PushPlace {
    static func endpoint(_ id: ID<PushSubscriptionRecord>) -> SealContext {
        SealContext("push_subscriptions", id, "endpoint")
    }
    static func title(_ id: ID<PushSubscriptionRecord>) -> SealContext {
        SealContext("push_subscriptions", id, "title")
    }
}

/// The address of a device's messages, and the keys that seal them. Stored sealed, as a whole.
struct PushEndpoint: Sendable, Equatable {
    let url: String
    let p256dh: String
    let auth: String

    var receiver: PushReceiver? {
        guard let point = Base64URL.bytes(p256dh), let secret = Base64URL.bytes(auth) else { return nil }
        return PushReceiver(point: point, secret: secret)
    }

    /// The origin by which relays identify senders' tokens: `https://push.example.org`.
    var origin: String {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme, let host = parts.host else {
            return ""
        }
        return "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    var host: String { URLComponents(string: url)?.host ?? "" }

    var bytes: [UInt8] { Array([url, p256dh, auth].joined(separator: "\n").utf8) }

    init(url: String, p256dh: String, auth: String) {
        self.url = url
        self.p256dh = p256dh
        self.auth = auth
    }

    init?(stored bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        guard parts.count == 3 else { return nil }
        self.init(url: parts[0], p256dh: parts[1], auth: parts[2])
    }
}
