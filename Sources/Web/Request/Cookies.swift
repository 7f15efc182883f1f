import HTTP
import Identity
import Records
import Secrets
import Wire

/// Every cookie that the portal sets, and how long it lives: no other is made.
package enum CookieKind: CaseIterable, Sendable {
    /// What somebody is signed in with; before that what their forms are bound to.
    case session
    /// The same on a device of their own, where they stay signed in (PW-5).
    case ownDevice
    /// Whose half-filled sheets behind one-time links these are; as long as a link works.
    case linkDraft

    /// How many seconds it lives after its last use; nil until the browser closes.
    package var seconds: Int64? {
        switch self {
        case .session: nil
        case .ownDevice: Credential.stayDays * 86_400
        case .linkDraft: 48 * 3600
        }
    }

    /// - Parameter isSecure: over TLS its name keeps other hosts and plain HTTP from setting it.
    package func name(isSecure: Bool) -> String {
        let name =
            switch self {
            case .session, .ownDevice: "sid"
            case .linkDraft: "sheet"
            }
        return isSecure ? "__Host-" + name : name
    }
}

/// A cookie that goes out with an answer.
package struct NewCookie: Sendable {
    package let kind: CookieKind
    /// Nil for one that the browser has to forget.
    package let value: Token?
    /// When it ends whatever its use; nil for its kind's life alone.
    let end: Instant?

    package init(_ kind: CookieKind, _ value: Token?, until end: Instant? = nil) {
        self.kind = kind
        self.value = value
        self.end = end
    }

    /// - Parameter end: when the session ends whatever its use, where somebody stays signed in; nil elsewhere.
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
