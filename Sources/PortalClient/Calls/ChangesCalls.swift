public import Wire

// Changed lists, and feedback to the team.
extension Client {
    /// The changed lists, in one call instead of list by list.
    /// - Parameter etag: of the answer before; the same gives `.unchanged`.
    public func changes(unless etag: String? = nil) async throws(ClientError) -> Fetched<Changes> {
        let reply = try await send(
            "GET", "/my/changes", headers: etag.map { ["If-None-Match": $0] } ?? [:])
        return reply.status == 304 ? .unchanged : .fresh(try tagged(reply))
    }

    private struct Said: Encodable {
        let text: String
        let reply_to: String?
    }

    /// Sends feedback to the project's team.
    /// - Parameter address: for an answer.
    public func sendFeedback(_ text: String, replyTo address: String? = nil) async throws(ClientError) {
        _ = try await send("POST", "/feedback", Said(text: text, reply_to: address))
    }
}
