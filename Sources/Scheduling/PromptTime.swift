public import Wire

/// The moment a prompt opens or closes, and whether it may be disclosed ahead. A random prompt measures nothing any
/// more once it is expected (FD-24).
public struct PromptTime: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// Set by a person: a fixed or own time, a window of an assignment. It may be disclosed at once.
        case set
        /// Random. It may be disclosed from a moment on.
        case random(until: Instant)
    }

    public let at: Instant
    public let kind: Kind

    public init(at: Instant, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// A time that may be disclosed.
    public static func set(_ at: Instant) -> PromptTime { PromptTime(at: at, kind: .set) }

    /// A time that is disclosed once it has come.
    public static func random(_ at: Instant) -> PromptTime {
        PromptTime(at: at, kind: .random(until: at))
    }

    public var isRandom: Bool { kind != .set }

    /// Whether the minute may be disclosed.
    public func isTold(at now: Instant) -> Bool {
        switch kind {
        case .set: true
        case .random(let moment): moment <= now
        }
    }
}
