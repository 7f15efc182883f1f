import Foundation
import JSON
import Wire

/// The answer of a provider's token address (RFC 6749, 5).
struct TokenAnswer: Sendable {
    let access: String
    /// Nil when the former one stays valid.
    let refresh: String?
    let accessSeconds: Int64
    /// Nil when the provider names no end.
    let consentSeconds: Int64?
    /// The granted scopes, which may be fewer than requested; nil when the provider does not say.
    let scopes: [String]?

    /// The provider's id of the person; nil when it does not say.
    let user: String?

    /// - Throws: `LinkFault`.
    private init(_ json: JSON, _ dialect: ProviderDialect) throws {
        guard let access = json["access_token"]?.string, Self.isPlain(access) else {
            throw LinkFault.noJSON
        }
        let refresh = json["refresh_token"]?.string
        guard refresh.map(Self.isPlain) != false else { throw LinkFault.noJSON }
        self.access = access
        self.refresh = dialect.isLasting ? "" : refresh
        let seconds = Self.seconds(json["expires_in"], 60...Self.longest) ?? 3_600
        accessSeconds = dialect.isLasting ? seconds : min(seconds, 86_400)
        consentSeconds =
            dialect.isLasting ? seconds : Self.seconds(json["refresh_token_expires_in"], 60...Self.longest)
        scopes = json["scope"]?.string.map { text in
            text.split(separator: dialect.separator).map(String.init)
        }
        let named = dialect.user.flatMap { json[$0] }
        let text = named?.string ?? named?.number.flatMap { Int64(exactly: $0) }.map(String.init)
        user = text.flatMap { Self.isPlain($0) ? $0 : nil }
    }

    /// Ten years, in seconds.
    private static let longest: Int64 = 315_360_000

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 8_192 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f }
    }

    private static func seconds(_ json: JSON?, _ range: ClosedRange<Int64>) -> Int64? {
        let value = json?.number ?? json?.string.flatMap(Double.init)
        guard let value, value.isFinite, value > 0 else { return nil }
        return Int64(min(max(value, Double(range.lowerBound)), Double(range.upperBound)))
    }

    // MARK: Requests

    /// Tokens for the code of a return.
    /// - Throws: `LinkFault`.
    static func exchange(
        _ code: String, verifier: String, redirect: String, _ provider: ConfiguredProvider, at now: Instant
    ) throws -> TokenAnswer {
        let form = [
            ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier),
            ("redirect_uri", redirect),
        ]
        return try ask(provider, form, at: now)
    }

    /// - Throws: `LinkFault`.
    static func renew(
        _ refresh: String, _ provider: ConfiguredProvider, at now: Instant
    ) throws -> TokenAnswer {
        // There is nothing to renew with: the person must be asked again.
        if refresh.isEmpty { throw LinkFault.consentEnded }
        return try ask(provider, [("grant_type", "refresh_token"), ("refresh_token", refresh)], at: now)
    }

    private static func ask(
        _ provider: ConfiguredProvider, _ form: [(String, String)], at now: Instant
    ) throws -> TokenAnswer {
        let dialect = provider.provider.dialect
        var form = dialect.wishes.map { ($0.name, $0.value) } + form
        var headers: [(String, String)] = []
        if dialect.isBasic {
            let pair = Data("\(provider.clientID):\(provider.clientSecret)".utf8)
            headers.append(("Authorization", "Basic \(pair.base64EncodedString())"))
        } else {
            form += [("client_id", provider.clientID), ("client_secret", provider.clientSecret)]
        }
        let reply = try provider.ask(provider.addresses.token, form, headers: headers)
        return try TokenAnswer(dialect.tokens(reply, now), dialect)
    }

    /// - Returns: nil when the provider has revoked them, else the fault that prevented it.
    static func revoke(_ tokens: LinkTokens, _ provider: ConfiguredProvider, at now: Instant) -> LinkFault? {
        do {
            try provider.provider.revocation.end(tokens, provider, now)
            return nil
        } catch {
            return error as? LinkFault ?? .failed
        }
    }
}
