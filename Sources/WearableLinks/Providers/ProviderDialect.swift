import HTTP
import JSON
import Outbound
import Records
import Wire

/// What a provider does otherwise than RFC 6749 and plain HTTP have it.
struct ProviderDialect: Sendable {
    /// Whether our name and secret go in a header and not in the body (RFC 6749, 2.3.1).
    var isBasic = false
    /// What every request for tokens says besides.
    var wishes: [(name: String, value: String)] = []
    /// Between the names of scopes.
    var separator: Character = " "
    /// Whether a token is good until it is taken back or ends, and there is nothing to renew it with.
    var isLasting = false
    /// Where the answer with tokens says whose they are.
    var user: String?
    /// For how many seconds a code can be exchanged, where that is too short to read a page in peace.
    var codeSeconds: Int?
    /// What an answer with tokens says.
    /// - Throws: `LinkFault`.
    var tokens: @Sendable (OutboundReply, _ now: Instant) throws -> JSON = PlainAnswer.tokens
    /// What an answer with data says.
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
            // Here neither speaks of a token of the person's.
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

/// How a permission is taken back.
struct ProviderRevocation: Sendable {
    /// - Throws: `LinkFault` for what kept the provider from it.
    let end: @Sendable (LinkTokens, ConfiguredProvider, _ now: Instant) throws -> Void

    /// As RFC 7009 says it.
    static let refreshInBody = ProviderRevocation { tokens, provider, now in
        try isEnded(provider.ask(provider.addresses.revoke, [("token", tokens.refresh)]), at: now)
    }

    static let accessInQuery = ProviderRevocation { tokens, provider, now in
        let query = "access_token=\(percentEncoded(tokens.access))"
        try isEnded(provider.ask("\(provider.addresses.revoke)?\(query)", []), at: now)
    }

    private static func isEnded(_ reply: OutboundReply, at now: Instant) throws {
        // One that is no good any more cannot be taken back, and need not be.
        if (try? JSON.parse(reply.body))?["error"]?.string == "invalid_token" { return }
        if let fault = LinkFault(reply, at: now) { throw fault }
    }
}
