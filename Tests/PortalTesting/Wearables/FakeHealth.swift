import Foundation
import HTTP
import JSON
import Locks
import Records
import Scheduling
import Secrets
import Wire

@testable import Outbound
@testable import WearableLinks
@testable import Web

/// Google's authorization server and its Health API in this process, after their public documents: consent with PKCE,
/// refresh tokens that change with each use, partial scopes, paging, filters, and every possible fault. Its clock is
/// that of the portal under test.
final class FakeHealth: Sendable {
    /// A fault of the calls for data.
    enum Fault: Sendable {
        case none
        case status(Int, [String: String])
        case html, redirect, tooLong, timeout, unreachable, insecure, brokenJSON, endless
        /// One data type is not allowed.
        case forbidden(String)
        /// One data type fails.
        case failing(String)
    }

    struct State: Sendable {
        var codes: [String: Grant] = [:]
        /// By access token.
        var access: [String: (user: Int, until: Instant, scopes: [String])] = [:]
        /// By refresh token: only the newest of a family is valid.
        var refresh: [String: (user: Int, scopes: [String])] = [:]
        var revoked: [String] = []
        var tokenCalls = 0
        /// Moments of calls for data, by user.
        var calls: [Int: [Instant]] = [:]
        var fault = Fault.none
        var tokenFault: Int?
        var rotates = true
        var consentSeconds: Int?
        var pageSize = 10_000
        /// Overrides of the seed's data: user, type, date.
        var changed: [String: Double?] = [:]
        /// Every secret there ever was.
        var secrets: [String] = []
        var lastTag = 0
        var filters: [String] = []
    }

    struct Grant: Sendable {
        let user: Int
        let challenge: String
        let redirect: String
        let scopes: [String]
    }

    static let clientID = "clinic-client", clientSecret = "clinic-secret-canary"
    static let hookSecret = "hook-secret-0123456789"
    let state = Lock(State())
    let clock: Clock
    let zone: Zone

    init(_ clock: Clock, zone: Zone = Zone("Europe/Vienna")) {
        self.clock = clock
        self.zone = zone
    }

    /// The provider for the portal, with this instead of the network.
    func configured(quota: ProviderQuota? = nil) -> ConfiguredProvider {
        var table = WearableProvider.googleHealth
        if let quota { table = table.with(quota) }
        return ConfiguredProvider(
            table, addresses: table.addresses, clientID: Self.clientID, clientSecret: Self.clientSecret,
            hookSecret: Self.hookSecret
        ) { [self] request, _ in answer(request) }
    }

    private func secret(_ word: String, _ state: inout State) -> String {
        state.lastTag += 1
        let secret = "\(word)-canary-\(state.lastTag)-\(Token().text)"
        state.secrets.append(secret)
        return secret
    }

    // MARK: Consent

    /// A person's actions on the page of consent.
    /// - Returns: the address their browser goes to then.
    func consent(_ address: String, as user: Int, scopes: [String]? = nil) -> String {
        guard let query = address.split(separator: "?").last, let form = Form(encoded: query.utf8),
            form["client_id"] == Self.clientID, form["response_type"] == "code",
            form["code_challenge_method"] == "S256", form["access_type"] == "offline",
            form["prompt"] == "consent", let challenge = form["code_challenge"],
            let redirect = form["redirect_uri"], let asked = form["scope"], let tag = form["state"]
        else { return "" }
        let granted = scopes ?? asked.split(separator: " ").map(String.init)
        let code = state.withLock { state -> String in
            let code = secret("code", &state)
            state.codes[code] = Grant(user: user, challenge: challenge, redirect: redirect, scopes: granted)
            return code
        }
        return redirect + "?state=\(percentEncoded(tag))&code=\(percentEncoded(code))"
    }

    /// The tokens of a finished link, for tests of the next steps.
    func tokens(for user: Int, scopes: [String]? = nil) -> LinkTokens {
        let all = scopes ?? WearableProvider.googleHealth.scopes.map(\.name)
        return state.withLock { state in give(user, all, &state) }
    }

    private func give(_ user: Int, _ scopes: [String], _ state: inout State) -> LinkTokens {
        let tokens = LinkTokens(access: secret("access", &state), refresh: secret("refresh", &state))
        state.access[tokens.access] = (user, clock.now.adding(seconds: 3_600), scopes)
        state.refresh[tokens.refresh] = (user, scopes)
        return tokens
    }

    // MARK: Answering

    func answer(_ request: OutboundRequest) -> Result<OutboundReply, OutboundError> {
        guard let parts = URLComponents(string: request.url) else { return .success(Self.reply(400, "{}")) }
        let table = WearableProvider.googleHealth.addresses
        return state.withLock { state -> Result<OutboundReply, OutboundError> in
            if request.url == table.token { return .success(token(request, &state)) }
            if request.url == table.revoke { return .success(revoke(request, &state)) }
            return data(request, parts, &state)
        }
    }

    static func reply(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> OutboundReply {
        OutboundReply(status: status, headers: headers, body: Array(body.utf8))
    }

    private func token(_ request: OutboundRequest, _ state: inout State) -> OutboundReply {
        state.tokenCalls += 1
        if let status = state.tokenFault { return Self.reply(status, "<html>") }
        guard let form = Form(encoded: request.body), form["client_id"] == Self.clientID,
            form["client_secret"] == Self.clientSecret
        else { return Self.reply(401, #"{"error": "invalid_client"}"#) }
        let invalid = Self.reply(400, #"{"error": "invalid_grant"}"#)
        let granted: (user: Int, scopes: [String])
        if form["grant_type"] == "authorization_code" {
            // A code is valid once.
            state.secrets.append(form["code_verifier"] ?? "")
            guard let grant = state.codes.removeValue(forKey: form["code"] ?? ""),
                form["redirect_uri"] == grant.redirect,
                Token.base64url(Digest.sha256(Array((form["code_verifier"] ?? "").utf8))) == grant.challenge
            else { return invalid }
            granted = (grant.user, grant.scopes)
        } else {
            guard let known = state.refresh[form["refresh_token"] ?? ""] else { return invalid }
            if state.rotates { state.refresh[form["refresh_token"] ?? ""] = nil }
            granted = known
        }
        let tokens = give(granted.user, granted.scopes, &state)
        let end = state.consentSeconds.map { #", "refresh_token_expires_in": \#($0)"# } ?? ""
        return Self.reply(
            200,
            """
            {"access_token": "\(tokens.access)", "refresh_token": "\(tokens.refresh)", "expires_in": 3599,
             "token_type": "Bearer", "scope": "\(granted.scopes.joined(separator: " "))"\(end)}
            """)
    }

    private func revoke(_ request: OutboundRequest, _ state: inout State) -> OutboundReply {
        let token = Form(encoded: request.body)?["token"] ?? ""
        guard state.refresh.removeValue(forKey: token) != nil else {
            return Self.reply(400, #"{"error": "invalid_token"}"#)
        }
        state.revoked.append(token)
        return Self.reply(200, "{}")
    }

    private func data(
        _ request: OutboundRequest, _ parts: URLComponents, _ state: inout State
    ) -> Result<OutboundReply, OutboundError> {
        let bearer = request.headers.first { $0.0 == "Authorization" }?.1.dropFirst("Bearer ".count)
        guard let bearer, let known = state.access[String(bearer)], known.until > clock.now else {
            return .success(Self.reply(401, "{}"))
        }
        state.calls[known.user, default: []].append(clock.now)
        let type = parts.path.split(separator: "/").dropFirst(4).first.map(String.init) ?? ""
        switch state.fault {
        case .none: break
        case .status(let status, let headers): return .success(Self.reply(status, "{}", headers))
        case .html: return .success(Self.reply(200, "<!DOCTYPE html><p>canary-body"))
        case .brokenJSON: return .success(Self.reply(200, #"{"dataPoints": [{"#))
        case .redirect:
            return .success(Self.reply(302, "", ["location": "https://other.example.org/canary"]))
        case .tooLong: return .failure(OutboundError(kind: .tooLong, reason: ""))
        case .timeout: return .failure(OutboundError(kind: .timeout, reason: ""))
        case .unreachable: return .failure(OutboundError(kind: .unknownHost, reason: ""))
        case .insecure: return .failure(OutboundError(kind: .tls, reason: ""))
        case .endless: return .success(Self.reply(200, #"{"dataPoints": [], "nextPageToken": "x"}"#))
        case .forbidden(let forbidden) where forbidden == type:
            return .success(Self.reply(403, "{}"))
        case .failing(let failing) where failing == type: return .success(Self.reply(500, "{}"))
        case .forbidden, .failing: break
        }
        if parts.path.hasSuffix("/identity") {
            return .success(Self.reply(200, #"{"healthUserId": "canary-user-\#(known.user)"}"#))
        }
        let json =
            parts.path.hasSuffix(":dailyRollUp")
            ? rollUp(type, request.body, known.user, state)
            : points(type, parts, known.user, &state)
        return .success(Self.reply(json == nil ? 400 : 200, json ?? "{}"))
    }
}

extension WearableProvider {
    func with(_ quota: ProviderQuota) -> WearableProvider {
        WearableProvider(
            name: name, title: title, source: source, addresses: addresses, wishes: wishes, scopes: scopes,
            quota: quota, dialect: dialect, revocation: revocation, enrol: enrol,
            streams: streams, identify: identify, named: named)
    }
}
