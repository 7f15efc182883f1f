import JSON
import Wire

/// Why a call failed.
public enum ClientError: Error, Sendable {
    /// Without an answer. Whether the request arrived is unknown; sending the same again is harmless.
    case unreachable(String)
    /// The portal refused.
    case refused(Refusal)
    /// An answer that this library does not understand.
    case unreadable(String)

    /// The refusal, where it is one.
    public var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension Error {
    /// The HTTP status with which the portal itself refused; nil for everything else, also for servers in front of it.
    var status: Int? {
        guard let refusal = (self as? ClientError)?.refusal, refusal.isFromPortal else { return nil }
        return refusal.status
    }
}

/// The portal's refusal, in the caller's language.
public struct Refusal: Sendable, Equatable {
    public let status: Int
    public let message: String
    /// The code of the sentence, the same in every language; nil when the answer is not a portal's.
    public let code: String?
    /// By field, places inside with dots; may be empty.
    public let errors: [String: [String]]
    /// Seconds to wait before the next try, where the portal names them.
    public let retryAfter: Int?
    /// With the right password of an unconfirmed address: for the calls of the registration.
    public let registrationToken: String?
    /// Whether the portal itself answered, and not a server in front of it.
    public let isFromPortal: Bool

    public init(
        status: Int, message: String, code: String? = nil, errors: [String: [String]] = [:],
        retryAfter: Int? = nil, registrationToken: String? = nil, isFromPortal: Bool = true
    ) {
        self.status = status
        self.message = message
        self.code = code
        self.errors = errors
        self.retryAfter = retryAfter
        self.registrationToken = registrationToken
        self.isFromPortal = isFromPortal
    }

    /// Whether a repetition is pointless: the portal itself refuses it, and neither because it is busy nor because
    /// the person must sign in. Servers in front of a portal (a redirect, a gate, a page of a host) decide nothing.
    /// Browsers judge by the same table (`Tests/Scripts/verdicts.json`).
    public var isFinal: Bool {
        isFromPortal && (400...499).contains(status) && ![401, 408, 425, 429].contains(status)
            && code != "foreign_form"
    }

    private struct Document: Decodable {
        struct Meta: Decodable { let registration_token: String? }
        let message: String
        let errors: [String: [String]]
        let code: String?
        let meta: Meta?
    }

    /// A server in front of the portal may answer in its own format: then only the status counts.
    init(_ reply: ServerReply) {
        let document = try? JSONReader.value(Document.self, from: reply.body)
        self.init(
            status: reply.status, message: document?.message ?? "", code: document?.code,
            errors: document?.errors ?? [:],
            retryAfter: reply.headers["retry-after"].flatMap { Int($0) },
            registrationToken: document?.meta?.registration_token, isFromPortal: document != nil)
    }
}
