import Identity
import JSON
import Records
import Web
import Wire
import Wording

/// Feedback to the project's team (TYT-4), for pages and call alike.
struct ProjectFeedback {
    private let text: String
    private let replyTo: String?

    /// - Throws: `Problem.invalid`.
    init(_ fields: InputReader) throws {
        text = fields.text("text", required: true, limit: FeedbackMessage.limit, lines: true) ?? ""
        replyTo = fields.email("reply_to", required: false)
        try fields.finish()
    }

    private static let mostWithoutAccount = 5
    private static let mostOfAccount = 30

    /// Stores it, under the installation's key.
    /// - Throws: 429 after too many: without an account five in an hour and address.
    func keep<P>(_ c: Context<P>) throws {
        let account = c.actor.member?.account.id
        let key = account.map { "feedback \($0)" }
        let address = "feedback \(ClientAddress.of(c.request, c.services.settings))"
        try c.services.limiter.count(
            key ?? address, limit: account == nil ? Self.mostWithoutAccount : Self.mostOfAccount,
            seconds: 3600, now: c.now)
        let id: ID<FeedbackMessage> = c.newID()
        let members =
            [JSON.Member("text", .string(text))] + (replyTo.map { [.init("reply_to", .string($0))] } ?? [])
        let bytes = try JSONWriter.bytes(of: JSON.object(members))
        let sealed = c.keys.seal(bytes, for: FeedbackStore.place(id))
        try c.write(.feedbackSent, about: account) { [now = c.now] connection in
            // The account may have been erased a moment ago.
            if let account, try AccountStore.find(account, connection) == nil { throw Problem.signInRequired }
            try FeedbackStore.insert(sealed, id: id, of: account, at: now, connection)
        }
    }
}

extension AuditAction {
    static let feedbackSent = AuditAction(name: "feedback.sent")
}
