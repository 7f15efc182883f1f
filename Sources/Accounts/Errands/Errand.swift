import Database
import HTTP
import JSON
import Records
import Secrets
import Web
import Wire

/// A visitor's purpose before they had an account: a pairing code, a page. It survives the registration and the
/// confirming mail, in the same browser, for a day.
///
/// Sealed under a key from the browser's cookie, of which the database has only a hash.
package struct Errand: Sendable, Equatable {
    /// Eight digits as typed; not looked up yet.
    package var code: String?
    /// The page to continue with.
    package var next: String?

    package init(code: String? = nil, next: String? = nil) {
        self.code = code
        self.next = next
    }

    static let hours: Int64 = 24

    /// The errand kept for the browser of a request; nil without one.
    package static func of(_ request: Request, _ services: Services) -> Errand? {
        guard let token = browser(request, services) else { return nil }
        // A browser without an errand is no failure, and neither is an errand that cannot be read any more.
        return try? services.records.read { try ErrandStore.find(token, now: services.clock.now, $0) }
    }

    /// The cookie a request came with.
    package static func browser(_ request: Request, _ services: Services) -> Token? {
        request.cookie(Identification(services: services).cookieName).flatMap { Token($0) }
    }

    /// Keeps it for a browser, instead of an earlier one.
    package func keep(for browser: Token, now: Instant, _ connection: borrowing Connection) throws {
        guard let key = Self.key(of: browser) else { return }
        let members = [
            code.map { JSON.Member("code", .string($0)) }, next.map { JSON.Member("next", .string($0)) },
        ]
        let bytes = try JSONWriter.bytes(of: JSON.object(members.compactMap(\.self)))
        try ErrandStore.save(
            Seal.close(bytes, with: key, place: Self.place), for: browser,
            until: now.adding(seconds: Self.hours * 3600), connection)
    }

    static let place = "errands"

    static func key(of browser: Token) -> SecretKey? {
        SecretKey(Digest.plain(Array("errand \(browser.text)".utf8)))
    }

    init(opening sealed: [UInt8], of browser: Token) throws {
        guard let key = Self.key(of: browser) else { throw SealBroken() }
        let json = try JSON.parse(try Seal.open(sealed, with: key, place: Self.place))
        self.init(code: json["code"]?.string, next: json["next"]?.string)
    }
}
