import Outbound
import Wire

/// What became of a message (RFC 8030, 5).
enum PushOutcome: Equatable {
    case accepted
    /// The relay knows this subscription no more.
    case gone
    /// The relay does not want us.
    case refused(status: Int)
    /// Another time.
    case later(Instant)
    case hopeless

    /// Seconds until the next try, one after the other.
    private static let pauses: [Int64] = [5, 15, 45, 120, 300]
    /// A relay that asks for more is asked again after this.
    private static let longestRest: Int64 = 3600

    init(_ result: Result<OutboundReply, OutboundError>, of message: DuePushMessage, _ now: Instant) {
        let pause = Self.pauses[min(message.tries, Self.pauses.count - 1)]
        switch result {
        case .success(let reply):
            switch reply.status {
            case 200...204: self = .accepted
            case 404, 410: self = .gone
            case 400, 401, 403, 413: self = .refused(status: reply.status)
            case 429, 500...599:
                let asked = reply.headers["retry-after"].flatMap { Int64($0) } ?? pause
                self = .later(now.adding(seconds: min(max(asked, 1), Self.longestRest)))
            default: self = .hopeless
            }
        case .failure(let error):
            // A name that leads inward today may lead elsewhere tomorrow; a window is too short for that.
            self = error.kind == .refused ? .hopeless : .later(now.adding(seconds: pause))
        }
    }
}
