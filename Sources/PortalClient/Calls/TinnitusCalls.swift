public import Wire

// Profiles that go on, and matching a tinnitus.
extension Client {
    private struct Changes: Encodable {
        let answers: [String: Answer?]
        let answered_at: [String: Instant]?
    }

    /// The own profiles, as they are by now.
    public func profiles() async throws(ClientError) -> [Item<ProfileAnswers<[String: Answer?]>>] {
        try await list("/my/profiles?limit=200")
    }

    /// A profile as it is by now: null for what was removed.
    /// - Parameter id: of what offers it: an assignment, or a questionnaire of a study.
    public func profileAnswers(
        _ id: String
    ) async throws(ClientError) -> Tagged<ProfileAnswers<[String: Answer?]>> {
        try tagged(await send("GET", "/my/profiles/" + id))
    }

    /// Gives, changes or removes answers; what is not named stays as it is. Of each question the later one counts.
    /// - Parameters:
    ///   - answers: nil removes one.
    ///   - times: when they were given, where that was not now.
    ///   - etag: of the state that was seen; what was changed meanwhile is refused then. Nil takes every state.
    public func changeProfile(
        _ id: String, _ answers: [String: Answer?], at times: [String: Instant] = [:],
        ifMatch etag: String? = nil
    ) async throws(ClientError) -> Tagged<ProfileAnswers<[String: Answer?]>> {
        let changes = Changes(answers: answers, answered_at: times.isEmpty ? nil : times)
        return try tagged(
            await send("PATCH", "/my/profiles/" + id, headers: etag.map { ["If-Match": $0] } ?? [:], changes))
    }

    /// Sends a run of matching; the same again is harmless.
    /// - Parameter id: made by the device.
    public func putTinnitusMatch(
        _ id: String, _ match: TinnitusMatch
    ) async throws(ClientError) -> TinnitusMatch {
        try one(await send("PUT", "/my/tinnitus-matches/" + id, match))
    }

    /// The newest runs, with what all of them say together.
    public func tinnitusMatches() async throws(ClientError) -> TinnitusMatches {
        try Self.read(TinnitusMatches.self, await send("GET", "/my/tinnitus-matches?limit=200"))
    }
}
