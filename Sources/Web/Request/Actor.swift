import Database
import HTTP
import Identity
import Records
import Secrets
import Wire
import Wording

/// Where a request comes in: pages with a cookie, or calls with a token.
package enum Surface: String, Sendable {
    case portal, api

    package init(_ path: [String]) { self = path.first == "api" && path != ["api", "docs"] ? .api : .portal }
}

/// The sender of a request.
package enum Actor: Sendable {
    case nobody
    case person(SignedIn)
    /// Knows the password, not yet the second factor: signed out, except on the page that asks for it.
    case halfway(SignedIn)

    package var signedIn: SignedIn? {
        if case .person(let person) = self { return person }
        return nil
    }

    /// A fully signed-in account, not one in the middle of registering.
    package var member: SignedIn? {
        signedIn.flatMap { $0.credential.kind == .registration ? nil : $0 }
    }

    /// Includes accounts before their second factor.
    package var anybody: SignedIn? {
        if case .halfway(let person) = self { return person }
        return signedIn
    }

    /// The reader's languages, the best first: the page's, the device's, the account's. In the API the device's.
    func languages(_ request: Request, page language: Language) -> [Language] {
        let accepted = Language.accepted(by: request.headers["Accept-Language"])
        let own = signedIn.map { [$0.account.language] } ?? []
        let chosen = Surface(request.path) == .api ? [] : [language]
        return (chosen + accepted + own).withoutRepetition()
    }

    /// The same actor as a write's transaction sees them: roles and therapies may have changed meanwhile.
    /// - Throws: `Problem.signInRequired` when the session or token has ended.
    package func present(at now: Instant, _ connection: borrowing Connection) throws -> Actor {
        guard let earlier = anybody else { return .nobody }
        guard let person = try CredentialStore.signedIn(with: earlier.credential, now: now, connection) else {
            throw Problem.signInRequired
        }
        return person.credential.kind == .halfway ? .halfway(person) : .person(person)
    }
}

/// Identifies the actor: cookies count on pages only, tokens in calls only.
package struct Identification: Sendable {
    package let services: Services

    package var cookieName: String { CookieKind.session.name(isSecure: services.settings.isSecure) }

    package init(services: Services) {
        self.services = services
    }

    package func actor(of request: Request, on surface: Surface, now: Instant) throws -> Actor {
        let text = surface == .portal ? request.cookie(cookieName) : Self.bearer(request)
        guard let token = text.flatMap({ Token($0) }) else { return .nobody }
        let kinds: [Credential.Kind] =
            surface == .portal ? [.session, .halfway, .registration] : [.token, .registration]
        let found = try services.records.read { connection in
            try CredentialStore.signedIn(by: token.hash, kinds: kinds, now: now, connection)
        }
        guard let found else { return .nobody }
        if found.credential.kind == .halfway { return .halfway(found) }
        // Writes note the use in their own transaction: one durable write for a request, not two.
        if request.method.isSafe { noteUse(of: found, request, now) }
        return .person(found)
    }

    static func bearer(_ request: Request) -> String? {
        guard let header = request.headers["Authorization"] else { return nil }
        let parts = header.split(separator: " ")
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    /// Updates the last use now and then: reading a page should not always write.
    private func noteUse(of person: SignedIn, _ request: Request, _ now: Instant) {
        let traits = person.credential.kind == .session ? DeviceTraits(request) : nil
        let isFirstFromHome = traits?.isInstalled == true && !person.credential.isInstalled
        let isDue = person.isUseDue(at: now) || isFirstFromHome
        guard isDue || person.isDayDue(at: now) else { return }
        do {
            try services.records.writeUnaudited(.lastUse) { connection in
                try person.noteDay(at: now, connection)
                guard isDue else { return }
                try person.noteUse(at: now, connection)
                if let traits { try CredentialStore.note(traits, of: person.credential.id, connection) }
            }
        } catch {
            // A full disk must not prevent reading.
            services.log.line("warning", "last use not noted", at: now)
        }
    }
}

extension DeviceTraits {
    /// The manifest's query for pages opened from the home screen.
    package static let homeScreen = "app"

    /// The browser as far as its request describes it.
    package init(_ request: Request) {
        // The forms that begin a session say so (static/js/device.js).
        let isTouched = !request.method.isSafe && Form(body: request)?["touch"] == "true"
        self.init(
            userAgent: request.headers["User-Agent"], isInstalled: request.query[Self.homeScreen] != nil,
            isTouched: isTouched)
    }
}
