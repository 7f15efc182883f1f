public import Wire

// Continued profiles, and matching a tinnitus.
extension Client {
    private struct Changes: Encodable {
        let answers: [String: Answer?]
        let answered_at: [String: Instant]?
    }

    /// The present own profiles.
    public func profiles() async throws(ClientError) -> [Item<ProfileAnswers<[String: Answer?]>>] {
        try await list("/my/profiles?limit=200")
    }

    /// The present answers of a profile: null for removed ones.
    /// - Parameter id: of its assignment, or its questionnaire of a study.
    public func profileAnswers(
        _ id: String
    ) async throws(ClientError) -> Tagged<ProfileAnswers<[String: Answer?]>> {
        try tagged(await send("GET", "/my/profiles/" + id))
    }

    /// Gives, changes or removes answers; unnamed ones stay. The later answer to each question counts.
    /// - Parameters:
    ///   - answers: nil removes one.
    ///   - times: when they were given, where that was not now.
    ///   - etag: of the state it is based on; a change meanwhile is then refused. Nil accepts every state.
    public func changeProfile(
        _ id: String, _ answers: [String: Answer?], at times: [String: Instant] = [:],
        ifMatch etag: String? = nil
    ) async throws(ClientError) -> Tagged<ProfileAnswers<[String: Answer?]>> {
        let changes = Changes(answers: answers, answered_at: times.isEmpty ? nil : times)
        return try tagged(
            await send("PATCH", "/my/profiles/" + id, headers: etag.map { ["If-Match": $0] } ?? [:], changes))
    }

    /// Sends a run of matching; repeating it is harmless.
    /// - Parameter id: made by the device.
    public func putTinnitusMatch(
        _ id: String, _ match: TinnitusMatch
    ) async throws(ClientError) -> TinnitusMatch {
        try one(await send("PUT", "/my/tinnitus-matches/" + id, match))
    }

    /// The newest runs, with the summary of all of them.
    public func tinnitusMatches() async throws(ClientError) -> TinnitusMatches {
        try Self.read(TinnitusMatches.self, await send("GET", "/my/tinnitus-matches?limit=200"))
    }
}
