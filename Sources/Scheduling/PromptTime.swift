public import Wire

/// A moment that belongs to a prompt: when it opens or closes, and whether people may be told ahead. One that was drawn at random
/// measures nothing any more once it is awaited (FD-24).
public struct PromptTime: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// By a person: a fixed time of a schedule, an own time, a window of an assignment. It may be said at once.
        case set
        /// By chance. It may be said from a moment on.
        case random(until: Instant)
    }

    public let at: Instant
    public let kind: Kind

    public init(at: Instant, kind: Kind) {
        self.at = at
        self.kind = kind
    }

    /// A time that may be said.
    public static func set(_ at: Instant) -> PromptTime { PromptTime(at: at, kind: .set) }

    /// A time that is said once it has come.
    public static func random(_ at: Instant) -> PromptTime {
        PromptTime(at: at, kind: .random(until: at))
    }

    /// Whether the minute may be said.
    public func isTold(at now: Instant) -> Bool {
        switch kind {
        case .set: true
        case .random(let moment): moment <= now
        }
    }
}
