import HTTP
import JSON
import Outbound
import Wire

/// A provider's deviations from RFC 6749 and plain HTTP.
struct ProviderDialect: Sendable {
    /// Whether our name and secret go in a header instead of the body (RFC 6749, 2.3.1).
    var isBasic = false
    /// Additional fields of every token request.
    var wishes: [(name: String, value: String)] = []
    /// Separates the names of scopes.
    var separator: Character = " "
    /// Whether a token is valid until it ends or is revoked, without anything to renew it with.
    var isLasting = false
    /// The member of a token answer with the person's id.
    var user: String?
    /// The seconds within which a code must be exchanged, where that is too short to read a page calmly.
    var codeSeconds: Int?
    /// Reads a token answer.
    /// - Throws: `LinkFault`.
    var tokens: @Sendable (OutboundReply, _ now: Instant) throws -> JSON = PlainAnswer.tokens
    /// Reads a data answer.
    /// - Throws: `LinkFault`.
    var data: @Sendable (OutboundReply, _ now: Instant) throws -> JSON = PlainAnswer.data
}

/// Answers whose status is that of HTTP.
enum PlainAnswer {
    @Sendable static func tokens(_ reply: OutboundReply, at now: Instant) throws -> JSON {
        let json = try? JSON.parse(reply.body)
        switch json?["error"]?.string {
        case "invalid_grant"? where (400...401).contains(reply.status): throw LinkFault.consentEnded
        case "invalid_client"?, "unauthorized_client"?: throw LinkFault.client
        default: break
        }
        if let fault = LinkFault(reply, at: now) {
            // Here neither concerns a token of the person.
            throw [.refused, .forbidden].contains(fault) ? LinkFault.client : fault
        }
        guard let json else { throw LinkFault.noJSON }
        return json
    }

    @Sendable static func data(_ reply: OutboundReply, at now: Instant) throws -> JSON {
        if let fault = LinkFault(reply, at: now) { throw fault }
        switch try? JSON.parse(reply.body) {
        case .object(let members)?: return .object(members)
        case .array(let values)?: return .array(values)
        default: throw LinkFault.noJSON
        }
    }
}

/// How a permission is revoked.
struct ProviderRevocation: Sendable {
    /// - Throws: `LinkFault` for the fault that prevented it.
    let end: @Sendable (LinkTokens, ConfiguredProvider, _ now: Instant) throws -> Void

    /// After RFC 7009.
    static let refreshInBody = ProviderRevocation { tokens, provider, now in
        try isEnded(provider.ask(provider.addresses.revoke, [("token", tokens.refresh)]), at: now)
    }

    static let accessInQuery = ProviderRevocation { tokens, provider, now in
        let query = "access_token=\(percentEncoded(tokens.access))"
        try isEnded(provider.ask("\(provider.addresses.revoke)?\(query)", []), at: now)
    }

    private static func isEnded(_ reply: OutboundReply, at now: Instant) throws {
        // An invalid one cannot be revoked, and need not be.
        if (try? JSON.parse(reply.body))?["error"]?.string == "invalid_token" { return }
        if let fault = LinkFault(reply, at: now) { throw fault }
    }
}
