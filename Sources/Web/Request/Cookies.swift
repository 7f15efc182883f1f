import HTTP
import Identity
import Records
import Secrets
import Wire

/// Every cookie that the portal sets, with its lifetime: no other is made.
package enum CookieKind: CaseIterable, Sendable {
    /// The session of an account; before signing in, what forms are bound to.
    case session
    /// The same on an own device, which stays signed in (PW-5).
    case ownDevice
    /// Tells that an account signed in here before: its tries of a password are counted by themselves (RP-205). Opens nothing,
    /// and stays after signing out.
    case known
    /// Ties half-filled sheets behind one-time links to a browser; for as long as a link works.
    case linkDraft

    /// Its lifetime in seconds after its last use; nil until the browser closes.
    package var seconds: Int64? {
        switch self {
        case .session: nil
        case .ownDevice: Credential.stayDays * 86_400
        case .known: KnownOriginStore.days * 86_400
        case .linkDraft: 48 * 3600
        }
    }

    /// - Parameter isSecure: over TLS a prefix of the name keeps other hosts and plain HTTP from setting it.
    package func name(isSecure: Bool) -> String {
        let name =
            switch self {
            case .session, .ownDevice: "sid"
            case .known: "known"
            case .linkDraft: "sheet"
            }
        return isSecure ? "__Host-" + name : name
    }
}

/// A cookie sent with an answer.
package struct NewCookie: Sendable {
    package let kind: CookieKind
    /// Nil for one that the browser must forget.
    package let value: Token?
    /// The end regardless of use; nil for the kind's lifetime alone.
    let end: Instant?

    package init(_ kind: CookieKind, _ value: Token?, until end: Instant? = nil) {
        self.kind = kind
        self.value = value
        self.end = end
    }

    /// - Parameter end: the end of the session regardless of use, on a device that stays signed in; nil elsewhere.
    package static func session(_ token: Token, staysUntil end: Instant? = nil) -> NewCookie {
        NewCookie(end == nil ? .session : .ownDevice, token, until: end)
    }

    var isSession: Bool { kind == .session || kind == .ownDevice }

    /// The header's value, as of now.
    package func header(at now: Instant, isSecure: Bool) -> String {
        let rest = end.map { max(0, $0.seconds - now.seconds) }
        let life = value == nil ? 0 : kind.seconds.map { min($0, rest ?? $0) }
        return SetCookie(
            kind.name(isSecure: isSecure), value?.text ?? "", isSecure: isSecure, seconds: life.map(Int.init)
        ).header
    }
}
