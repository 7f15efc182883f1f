import Database
import HTTP
import Identity
import JSON
import Records
import Secrets
import Web
import Wire

/// A visitor's purpose before they had an account: a pairing code, a page. It travels with the form that it led to, by a ticket,
/// and belongs to the account that is made or signed in to from there. A browser without that form is told nothing of it.
package struct Errand: Sendable, Equatable {
    /// Eight digits as typed; not looked up yet.
    package var code: String?
    /// The page to continue with.
    package var next: String?

    package init(code: String? = nil, next: String? = nil) {
        self.code = code
        self.next = next
    }

    /// How long a form may lie open that carries one.
    package static let ticketMinutes: Int64 = 30
    /// How long it stays with an account.
    static let hours: Int64 = 24

    // MARK: On the way

    /// Opens an errand once, by the form that carries it and in the browser that it was given to.
    ///
    /// The errand is sealed under a key from both, of which the database has only a hash.
    package struct Ticket: Sendable {
        /// The value of the form's field.
        package let text: String
        fileprivate let hash: [UInt8]
        private let key: SecretKey?

        private init(_ token: Token, in browser: Token) {
            text = token.text
            hash = Digest.plain(Array("errand's place \(token.text) \(browser.text)".utf8))
            key = SecretKey(Digest.plain(Array("errand \(token.text) \(browser.text)".utf8)))
        }

        /// - Parameter text: as it was sent; nil where a form carries none.
        package init?(_ text: String?, _ request: Request, _ services: Services) {
            let cookie = request.cookie(Identification(services: services).cookieName)
            guard let token = text.flatMap({ Token($0) }), let browser = cookie.flatMap({ Token($0) })
            else { return nil }
            self.init(token, in: browser)
        }

        /// A fresh one; nil for a browser without a cookie.
        package init?(_ request: Request, _ services: Services) {
            self.init(Token().text, request, services)
        }

        /// Keeps an errand for the form.
        package func keep(_ errand: Errand, now: Instant, _ connection: borrowing Connection) throws {
            guard let key else { return }
            try ErrandStore.save(
                Seal.close(errand.bytes(), with: key, place: Errand.place), at: hash,
                until: now.adding(seconds: Errand.ticketMinutes * 60), connection)
        }

        // MARK: To the next page

        private struct Handed: Remembered {
            let ticket: String
            let until: Instant
        }

        private static func name(_ request: Request, _ services: Services) -> String? {
            let cookie = request.cookie(Identification(services: services).cookieName)
            return cookie.flatMap { Token($0) }.map { "errand handed \($0.text)" }
        }

        /// Hands the ticket to the page that is drawn next in this browser, for a minute: no address holds it, so that the
        /// history does not lead to it.
        package func hand(_ request: Request, _ services: Services) throws {
            guard let name = Self.name(request, services) else { return }
            let handed = Handed(ticket: text, until: services.clock.now.adding(seconds: 60))
            try services.memory.change(name, now: services.clock.now) { $0 = handed }
        }

        /// The ticket that was handed to this page; the next one gets none.
        static func handed(_ request: Request, _ services: Services) throws -> Ticket? {
            guard let name = name(request, services),
                try services.memory.read(name, as: Handed.self, now: services.clock.now) != nil
            else { return nil }
            let taken = try services.memory.change(name, now: services.clock.now) {
                (handed: inout Handed?) -> String? in
                defer { handed = nil }
                return handed?.ticket
            }
            return Ticket(taken, request, services)
        }

        // MARK: The errand

        /// The errand that waits; nil when it was taken, or its time is over.
        package func errand(_ services: Services) -> Errand? {
            let now = services.clock.now
            // An errand that cannot be read any more is none.
            return try? services.records.read { try find(now: now, $0) }
        }

        fileprivate func find(now: Instant, _ connection: borrowing Connection) throws -> Errand? {
            guard let key, let sealed = try ErrandStore.find(hash, now: now, connection) else { return nil }
            return try Errand(bytes: Seal.open(sealed, with: key, place: Errand.place))
        }

        /// Takes it out: a second account gets nothing.
        func take(now: Instant, _ connection: borrowing Connection) throws -> Errand? {
            let errand = try find(now: now, connection)
            try ErrandStore.remove(hash, connection)
            return errand
        }
    }

    static let place = "errands"

    // MARK: Of an account

    /// Makes it an account's, instead of an earlier one.
    package func give(
        to account: ID<Account>, under key: PersonKey, _ keys: Keyring, now: Instant,
        _ connection: borrowing Connection
    ) throws {
        try ErrandStore.save(
            key.seal(bytes: bytes(), for: Self.context(of: account)), at: keys.lookup(errandOf: account),
            until: now.adding(seconds: Self.hours * 3600), connection)
    }

    /// An account's; nil without one.
    package static func of(_ account: AccountRecord, _ services: Services) -> Errand? {
        let now = services.clock.now
        let hash = services.keys.lookup(errandOf: account.id)
        // One that cannot be read any more is none: signing in goes on without it.
        guard let sealed = try? services.records.read({ try ErrandStore.find(hash, now: now, $0) }),
            let bytes = try? account.key(services.keys).openBytes(sealed, from: context(of: account.id))
        else { return nil }
        return try? Errand(bytes: bytes)
    }

    /// Done, or of no use.
    package static func forget(
        of account: ID<Account>, _ keys: Keyring, _ connection: borrowing Connection
    ) throws {
        try ErrandStore.remove(keys.lookup(errandOf: account), connection)
    }

    private static func context(of account: ID<Account>) -> SealContext {
        SealContext("errands", account, "errand")
    }

    // MARK: As bytes

    private func bytes() throws -> [UInt8] {
        let members = [
            code.map { JSON.Member("code", .string($0)) }, next.map { JSON.Member("next", .string($0)) },
        ]
        return try JSONWriter.bytes(of: JSON.object(members.compactMap(\.self)))
    }

    private init(bytes: [UInt8]) throws {
        let json = try JSON.parse(bytes)
        self.init(code: json["code"]?.string, next: json["next"]?.string)
    }
}
