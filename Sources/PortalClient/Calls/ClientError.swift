import Foundation
import Wire

/// Why a call brought nothing.
public enum ClientError: Error, Sendable {
    /// No answer came. Whether the request arrived is not known; sending the same again is harmless.
    case unreachable(String)
    /// The portal said no.
    case refused(Refusal)
    /// An answer that this library does not understand.
    case unreadable(String)

    /// The refusal, where it is one.
    public var refusal: Refusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}

extension Error {
    /// The HTTP status with which the portal itself refused; nil for everything else, also for what stands before it.
    var status: Int? {
        guard let refusal = (self as? ClientError)?.refusal, refusal.isFromPortal else { return nil }
        return refusal.status
    }
}

/// What the portal says when it refuses, in the caller's language.
public struct Refusal: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    public let message: String
    /// The word that says which sentence it is, in every language the same; nil where something else than a portal spoke.
    public let code: String?
    /// By field, places inside with dots; may be empty.
    public let errors: [String: [String]]
    /// Seconds to wait before the next try, where the portal names them.
    public let retryAfter: Int?
    /// With the right password of an address that is not confirmed yet: for the calls of the registration.
    public let registrationToken: String?
    /// Whether the portal itself said so, and not something that stands before it.
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

    /// Whether the same will never be taken: the portal itself refuses it, and neither because it is busy nor because the
    /// person has to sign in. What stands before a portal (a redirect, a gate, a page of a host) decides nothing.
    public var isFinal: Bool {
        isFromPortal && (400...499).contains(status) && ![401, 408, 425, 429].contains(status)
    }

    private struct Document: Decodable {
        struct Meta: Decodable { let registration_token: String? }
        let message: String
        let errors: [String: [String]]
        let code: String?
        let meta: Meta?
    }

    /// Whatever stands before the portal may answer in words of its own: then only the status counts.
    init(_ reply: Reply) {
        let document = try? JSONDecoder().decode(Document.self, from: reply.body)
        self.init(
            status: reply.status, message: document?.message ?? "", code: document?.code,
            errors: document?.errors ?? [:],
            retryAfter: reply.headers["retry-after"].flatMap { Int($0) },
            registrationToken: document?.meta?.registration_token, isFromPortal: document != nil)
    }
}
