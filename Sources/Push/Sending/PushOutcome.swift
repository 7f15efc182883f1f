import Outbound
import Wire

/// The result of sending a message (RFC 8030, 5).
enum PushOutcome: Equatable {
    case accepted
    /// The relay no longer knows this subscription.
    case gone
    /// The relay refuses us, whatever the message.
    case refused(status: Int)
    /// To be tried again.
    case later(Instant)
    /// To be tried again after too many messages: of all senders' or for this device. Relays answer 429 for both.
    case busy(until: Instant)
    /// The relay takes no messages at all until the time it named.
    case closed(until: Instant)
    /// This message is not taken, or leads elsewhere.
    case hopeless

    /// Seconds until the next try, one after the other.
    private static let pauses: [Int64] = [5, 15, 45, 120, 300]
    /// The most seconds a relay can ask for.
    private static let longestRest: Int64 = 3600

    init(_ result: Result<OutboundReply, OutboundError>, of message: DuePushMessage, _ now: Instant) {
        let next = now.adding(seconds: Self.pauses[min(message.tries, Self.pauses.count - 1)])
        switch result {
        case .success(let reply): self = Self.of(reply, now, otherwise: next)
        case .failure(let error):
            if let begun = error.begun {
                // The status is enough: a relay that has taken a message would take it twice.
                self = Self.of(begun, now, otherwise: next)
            } else {
                // A name with an internal address today may change tomorrow; a window is too short for that.
                self = error.kind == .refused ? .hopeless : .later(next)
            }
        }
    }

    private static func of(_ reply: OutboundReply, _ now: Instant, otherwise next: Instant) -> PushOutcome {
        let asked = reply.headers["retry-after"].flatMap { rest($0, now) }
        return switch reply.status {
        case 200...299: .accepted
        case 404, 410: .gone
        case 401, 403: .refused(status: reply.status)
        case 429: .busy(until: asked ?? next)
        case 503: asked.map { .closed(until: $0) } ?? .later(next)
        case 500...599: .later(asked ?? next)
        default: .hopeless
        }
    }

    /// Seconds or a date (RFC 9110, 10.2.3); nil for any other text.
    private static func rest(_ header: String, _ now: Instant) -> Instant? {
        let asked = Int64(header) ?? HTTPDate.read(header).map { $0.seconds - now.seconds }
        return asked.map { now.adding(seconds: min(max($0, 1), longestRest)) }
    }
}
