import HTTP
import JSON
import Outbound
import Records
import Wire

/// What a provider's token address answers (RFC 6749, 5).
struct TokenAnswer: Sendable {
    let access: String
    /// Nil where the one before stays good.
    let refresh: String?
    let accessSeconds: Int64
    /// Nil where the provider says no end.
    let consentSeconds: Int64?
    /// What was granted, which may be less than was asked for; nil where the provider does not say.
    let scopes: [String]?

    /// - Throws: `LinkFault`.
    private init(_ result: Result<OutboundReply, OutboundError>, at now: Instant) throws {
        let reply: OutboundReply
        switch result {
        case .success(let answer): reply = answer
        case .failure(let error): throw LinkFault(error)
        }
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
        guard let json, let access = json["access_token"]?.string, Self.isPlain(access) else {
            throw LinkFault.noJSON
        }
        let refresh = json["refresh_token"]?.string
        guard refresh.map(Self.isPlain) != false else { throw LinkFault.noJSON }
        self.access = access
        self.refresh = refresh
        accessSeconds = Self.seconds(json["expires_in"], 60...86_400) ?? 3_600
        consentSeconds = Self.seconds(json["refresh_token_expires_in"], 60...315_360_000)
        scopes = json["scope"]?.string.map { $0.split(separator: " ").map(String.init) }
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 8_192 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    private static func seconds(_ json: JSON?, _ range: ClosedRange<Int64>) -> Int64? {
        let value = json?.number ?? json?.string.flatMap(Double.init)
        guard let value, value.isFinite, value > 0 else { return nil }
        return Int64(min(max(value, Double(range.lowerBound)), Double(range.upperBound)))
    }

    // MARK: Asking

    /// Tokens for the code that somebody came back with.
    /// - Throws: `LinkFault`.
    static func exchange(
        _ code: String, verifier: String, redirect: String, _ provider: ConfiguredProvider, at now: Instant
    ) throws -> TokenAnswer {
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier),
            ("redirect_uri", redirect),
        ]
        return try TokenAnswer(ask(provider, provider.addresses.token, form), at: now)
    }

    /// - Throws: `LinkFault`.
    static func renew(
        _ refresh: String, _ provider: ConfiguredProvider, at now: Instant
    ) throws -> TokenAnswer {
        let form = [("grant_type", "refresh_token"), ("refresh_token", refresh)]
        return try TokenAnswer(ask(provider, provider.addresses.token, form), at: now)
    }

    /// - Returns: nil when the provider has taken them back, else what kept it from that.
    static func revoke(_ tokens: LinkTokens, _ provider: ConfiguredProvider, at now: Instant) -> LinkFault? {
        let revoke = provider.addresses.revoke
        let result =
            switch provider.provider.revocation {
            case .refreshInBody: ask(provider, revoke, [("token", tokens.refresh)], isNamed: false)
            case .accessInQuery:
                ask(provider, "\(revoke)?access_token=\(percentEncoded(tokens.access))", [], isNamed: false)
            }
        switch result {
        case .failure(let error): return LinkFault(error)
        case .success(let reply):
            // One that is no good any more cannot be taken back, and need not be.
            let isKnown = (try? JSON.parse(reply.body))?["error"]?.string != "invalid_token"
            return isKnown ? LinkFault(reply, at: now) : nil
        }
    }

    private static func ask(
        _ provider: ConfiguredProvider, _ url: String, _ form: [(String, String)], isNamed: Bool = true
    ) -> Result<OutboundReply, OutboundError> {
        let name = [("client_id", provider.clientID), ("client_secret", provider.clientSecret)]
        let body = (form + (isNamed ? name : [])).map { "\($0.0)=\(percentEncoded($0.1))" }.joined(
            separator: "&")
        let headers = [
            ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ]
        return provider.send(OutboundRequest(url: url, headers: headers, body: Array(body.utf8)), .tokens)
    }
}
