/// Every failure of a request that is not this program's fault. Any other error is a defect: 500.
package enum Problem: Error, Sendable {
    case signInRequired
    /// A wrong password or an unknown address, without telling which.
    case wrongCredentials
    /// The password was right, and the second factor is missing or wrong.
    case secondFactor(Message)
    case forbidden(Message)
    case notFound
    /// The same with a sentence of its own.
    case unknown(Message)
    case methodNotAllowed([String])
    /// Bytes in another format than claimed.
    case malformed(Message)
    case unsupportedMediaType
    /// - Parameter limit: in bytes.
    case tooLarge(limit: Int)
    case gone(Message)
    case conflict(Message, FieldErrors = FieldErrors())
    case preconditionFailed
    case preconditionRequired
    /// A part of a file behind its last byte.
    case beyondTheEnd(size: Int)
    case invalid(FieldErrors)
    /// A repeated field of a JSON body; with its place, by line and column.
    case twice(FieldErrors, place: [String: String])
    case tooManyRequests(retryAfter: Int)
    /// Over the limit of an account's day.
    case quota(retryAfter: Int)
    case unavailable(retryAfter: Int)

    package static func invalid(_ field: String, _ key: String, _ values: [String: String] = [:]) -> Problem {
        .invalid(FieldErrors(field, key, values))
    }

    package var status: Int {
        switch self {
        case .malformed: 400
        case .signInRequired, .wrongCredentials, .secondFactor: 401
        case .forbidden: 403
        case .notFound, .unknown: 404
        case .methodNotAllowed: 405
        case .conflict: 409
        case .gone: 410
        case .preconditionFailed: 412
        case .tooLarge: 413
        case .unsupportedMediaType: 415
        case .beyondTheEnd: 416
        case .invalid, .twice: 422
        case .preconditionRequired: 428
        case .tooManyRequests, .quota: 429
        case .unavailable: 503
        }
    }

    package var message: Message {
        switch self {
        case .signInRequired: Message("problems.sign_in_required")
        case .wrongCredentials: Message("problems.wrong_credentials")
        case .secondFactor(let message), .forbidden(let message), .malformed(let message), .gone(let message),
            .unknown(let message):
            message
        case .conflict(let message, _): message
        case .notFound: Message("problems.api_not_found")
        case .methodNotAllowed: Message("problems.method_not_allowed")
        case .unsupportedMediaType: Message("problems.unsupported_media_type")
        case .tooLarge(let limit): Message("problems.too_large", ["limit": Self.size(limit)])
        case .preconditionFailed: Message("problems.precondition_failed")
        case .preconditionRequired: Message("problems.precondition_required")
        case .beyondTheEnd(let size): Message("problems.beyond_the_end", ["size": String(size)])
        case .invalid: Message("problems.invalid")
        case .twice(_, let place): Message("problems.duplicate_key", place)
        case .tooManyRequests: Message("problems.too_many_requests")
        case .quota: Message("problems.quota")
        case .unavailable: Message("problems.unavailable")
        }
    }

    /// `256 KB`, `1 MB`.
    private static func size(_ bytes: Int) -> String {
        bytes < 1024 * 1024 ? "\(bytes / 1024) KB" : "\(bytes / (1024 * 1024)) MB"
    }

    package var errors: FieldErrors {
        switch self {
        case .invalid(let errors), .conflict(_, let errors), .twice(let errors, _): errors
        case .secondFactor(let message): FieldErrors("totp", message)
        default: FieldErrors()
        }
    }

    /// Header fields that belong to the status.
    package var headers: [(String, String)] {
        switch self {
        case .methodNotAllowed(let methods): [("Allow", methods.joined(separator: ", "))]
        case .tooManyRequests(let seconds), .quota(let seconds), .unavailable(let seconds):
            [("Retry-After", String(seconds))]
        case .beyondTheEnd(let size): [("Content-Range", "bytes */\(size)")]
        case .signInRequired, .wrongCredentials, .secondFactor: [("WWW-Authenticate", "Bearer")]
        default: []
        }
    }
}
