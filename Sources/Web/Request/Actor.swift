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

/// Who asks.
package enum Actor: Sendable {
    case nobody
    case person(SignedIn)
    /// Knows the password, and has yet to give the second factor: nobody, but on the one page that asks for it.
    case halfway(SignedIn)

    package var signedIn: SignedIn? {
        if case .person(let person) = self { return person }
        return nil
    }

    /// Somebody who may use what there is: not one in the middle of registering.
    package var member: SignedIn? {
        signedIn.flatMap { $0.credential.kind == .registration ? nil : $0 }
    }

    /// Also somebody who is halfway in.
    package var anybody: SignedIn? {
        if case .halfway(let person) = self { return person }
        return signedIn
    }

    /// What they read, the best first: the language of the page, what their device accepts, and what their account says.
    /// Over the API it is the device that chooses.
    func languages(_ request: Request, page language: Language) -> [Language] {
        let accepted = Language.accepted(by: request.headers["Accept-Language"])
        let own = signedIn.map { [$0.account.language] } ?? []
        let chosen = Surface(request.path) == .api ? [] : [language]
        return (chosen + accepted + own).withoutRepetition()
    }

    /// The same actor as the transaction of a write sees them: roles and therapies may have changed since the request
    /// came in.
    /// - Throws: `Problem.signInRequired` when what they signed in with has ended.
    package func present(at now: Instant, _ connection: borrowing Connection) throws -> Actor {
        guard let earlier = anybody else { return .nobody }
        guard let person = try CredentialStore.signedIn(with: earlier.credential, now: now, connection) else {
            throw Problem.signInRequired
        }
        return person.credential.kind == .halfway ? .halfway(person) : .person(person)
    }
}

/// Finds out who asks: the cookie counts on pages only, the token in calls only.
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
        // What writes notes it in the same transaction: one durable write for a request, not two.
        if request.method.isSafe { noteUse(of: found, request, now) }
        return .person(found)
    }

    static func bearer(_ request: Request) -> String? {
        guard let header = request.headers["Authorization"] else { return nil }
        let parts = header.split(separator: " ")
        return parts.count == 2 && parts[0].lowercased() == "bearer" ? String(parts[1]) : nil
    }

    /// Moves the last use along, now and then: reading pages should not write.
    private func noteUse(of person: SignedIn, _ request: Request, _ now: Instant) {
        let traits = person.credential.kind == .session ? DeviceTraits(request) : nil
        let isFirstFromHome = traits?.isInstalled == true && !person.credential.isInstalled
        guard person.isUseDue(at: now) || isFirstFromHome else { return }
        do {
            try services.records.writeUnaudited(.lastUse) { connection in
                try person.noteUse(at: now, connection)
                if let traits { try CredentialStore.note(traits, of: person.credential.id, connection) }
            }
        } catch {
            // A full disk must not keep anybody from reading.
            services.log.line("warning", "last use not noted", at: now)
        }
    }
}

extension DeviceTraits {
    /// What the manifest begins own pages with where they are installed.
    package static let homeScreen = "app"

    /// What a request tells of the browser that sent it.
    package init(_ request: Request) {
        self.init(
            userAgent: request.headers["User-Agent"], isInstalled: request.query[Self.homeScreen] != nil)
    }
}
