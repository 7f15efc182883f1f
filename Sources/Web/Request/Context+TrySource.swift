import HTTP
import Identity
import Records
import Secrets
import Wire

extension Context {
    /// By what this request's tries of an account's password or code are counted.
    /// - Parameter account: nil for an address without one: then the same is looked up, in vain.
    package func trySource(of account: ID<Account>?) throws -> TrySource {
        if let own = actor.member, own.account.id == account { return .credential(own.credential.id) }
        let isCall = Surface(request.path) == .api
        let browser = isCall ? nil : knownBrowser
        let token = isCall ? Identification.bearer(request).flatMap { Token($0) } : nil
        let account = account ?? ""
        return try read { connection in
            if let browser, try KnownOriginStore.isKnown(browser, of: account, now: now, connection) {
                return .browser(browser.text)
            }
            if let token, let id = try CredentialStore.token(token.hash, of: account, connection) {
                return .credential(id)
            }
            let isKnown = try KnownOriginStore.isKnown(
                address: keys.lookup(address: clientAddress, of: account), of: account, now: now, connection)
            return .address(clientAddress, isKnown: isKnown)
        }
    }

    /// The client's address, for limits.
    package var clientAddress: String { ClientAddress.of(request, services.settings) }

    /// The random id by which this browser may be known to accounts; nil without one.
    package var knownBrowser: Token? {
        request.cookie(CookieKind.known.name(isSecure: services.settings.isSecure)).flatMap { Token($0) }
    }
}
