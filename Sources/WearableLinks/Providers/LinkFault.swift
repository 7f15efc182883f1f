import Outbound
import Wire

/// Why a provider gave no data. Holds nothing from the provider, so that its name may be stored, shown and logged.
enum LinkFault: Error, Sendable, Equatable {
    case unreachable, timeout, insecure, tooLong, redirected, noJSON, endless
    /// 401, also with tokens that were just renewed.
    case refused
    /// 403: a permission is missing.
    case forbidden
    /// 429.
    case busy(until: Instant)
    /// Any other unusable answer.
    case failed
    /// Our own name or secret is refused: for the operator to fix.
    case client
    /// The consent has ended, was revoked or replaced.
    case consentEnded
    /// This hour's quota is used up; this is no fault.
    case quotaUsed
    /// The link was ended meanwhile, or its tokens are being renewed.
    case gone

    /// A word for the database, the log, and the sentence `wearables.problem_…`; nil when there is no fault.
    var word: String? {
        switch self {
        case .unreachable: "unreachable"
        case .timeout: "timeout"
        case .insecure: "insecure"
        case .tooLong: "too_long"
        case .redirected: "redirected"
        case .noJSON: "no_json"
        case .endless: "endless"
        case .refused: "refused"
        case .forbidden: "forbidden"
        case .busy: "busy"
        case .failed: "failed"
        case .client: "client"
        case .consentEnded: "consent_ended"
        case .quotaUsed, .gone: nil
        }
    }

    init(_ error: OutboundError) {
        switch error.kind {
        case .timeout: self = .timeout
        case .tls: self = .insecure
        case .tooLong: self = .tooLong
        default: self = .unreachable
        }
    }

    /// Nil for an answer that can be processed.
    init?(_ reply: OutboundReply, at now: Instant) {
        switch reply.status {
        case 200...299: return nil
        case 300...399: self = .redirected
        case 401: self = .refused
        case 403: self = .forbidden
        case 429: self = .busy(until: Self.rest(reply.headers["retry-after"], now))
        case 503 where reply.headers["retry-after"] != nil:
            self = .busy(until: Self.rest(reply.headers["retry-after"], now))
        default: self = .failed
        }
    }

    /// Until the next full hour where the provider names no time.
    static func rest(_ header: String?, _ now: Instant) -> Instant {
        if let header, let seconds = Int64(header), seconds >= 0 {
            return now.adding(seconds: max(shortestRest, min(seconds, longestRest)) + 1)
        }
        if let header, let at = HTTPDate.read(header), at > now {
            let end = min(at.adding(seconds: 1), now.adding(seconds: longestRest))
            return max(end, now.adding(seconds: shortestRest))
        }
        return nextHour(now)
    }

    static func nextHour(_ now: Instant) -> Instant {
        Instant(milliseconds: (now.seconds / 3_600 + 1) * 3_600_000)
    }

    /// In seconds, for providers that name a shorter rest.
    private static let shortestRest: Int64 = 60
    /// Thirty days: a longer rest is an error.
    private static let longestRest: Int64 = 30 * 86_400
}
