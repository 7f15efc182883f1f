public import Foundation
public import Wire

// Studies.
extension Client {
    /// Running studies.
    /// - Parameter code: finds a hidden one.
    public func studies(code: String? = nil) async throws(ClientError) -> [Item<Study>] {
        try await list("/studies?limit=200" + (code.map { "&code=\($0)" } ?? ""))
    }

    public func study(_ id: String) async throws(ClientError) -> Study {
        try await get("/studies/" + id)
    }

    /// The picture of a study, as PNG, JPEG or WebP.
    public func picture(ofStudy id: String) async throws(ClientError) -> Data {
        try await send("GET", "/studies/\(id)/picture").body
    }

    private struct Asking: Encodable {
        let consent_accepted: Bool
        let password: String?
        let code: String?
        let measurements: [String]
        let location: String?
    }

    /// Joins a study, or asks to: the state tells which. The study's consent text must be agreed to before.
    /// - Parameters:
    ///   - code: an invitation, which needs neither password nor approval.
    ///   - measures: own measurements that go to the study, some of those it asks for (`Study.measurements`).
    ///   - isLocated: whether the position goes to it, where it asks for that (`Study.asksLocation`); nil without a
    ///     question.
    public func enrol(
        in study: String, password: String? = nil, code: String? = nil,
        giving measures: [MeasurementSharing.Measure] = [], location isLocated: Bool? = nil
    ) async throws(ClientError) -> Enrolment {
        try one(
            await send(
                "POST", "/studies/\(study)/enrolment",
                Asking(
                    consent_accepted: true, password: password, code: code,
                    measurements: measures.map(\.rawValue),
                    location: isLocated.map { $0 ? "allowed" : "refused" })))
    }

    /// The own codename in a study, and the state of a request.
    public func enrolment(in study: String) async throws(ClientError) -> Enrolment {
        try await get("/studies/\(study)/enrolment")
    }

    private struct Agreeing: Encodable {
        let consent_accepted: Bool
        let consent_version: Int
    }

    /// Agrees to a consent text that is newer than the agreed one (`Enrolment.newestConsentVersion`).
    /// - Parameter version: of the text that was read (`Study.consentVersion`).
    /// - Throws: `ClientError.refused` with 409 when there is an even newer one, which must be read first.
    public func agree(
        toConsent version: Int, ofStudy study: String
    ) async throws(ClientError) -> Enrolment {
        let body = Agreeing(consent_accepted: true, consent_version: version)
        return try one(await send("POST", "/studies/\(study)/enrolment/consent", body))
    }

    /// The consent texts of a study that were agreed to, the newest first.
    public func consents(ofStudy study: String) async throws(ClientError) -> [Item<OwnConsent>] {
        try await list("/my/studies/\(study)/consents?limit=200")
    }

    /// Changes which own measurements go to a study.
    public func give(
        _ measures: [MeasurementSharing.Measure], toStudy study: String
    ) async throws(ClientError) -> Enrolment {
        let body = ["measurements": measures.map(\.rawValue)]
        return try one(await send("PUT", "/studies/\(study)/enrolment/measurements", body))
    }

    /// Changes whether the position goes to a study with its questionnaires.
    public func give(location isAllowed: Bool, toStudy study: String) async throws(ClientError) -> Enrolment {
        let body = ["location": isAllowed ? "allowed" : "refused"]
        return try one(await send("PUT", "/studies/\(study)/enrolment/location", body))
    }

    /// - Parameter removing: whether the answers are erased, too.
    /// - Returns: what proves it later; nil for a request that is withdrawn, and from portals before there were receipts.
    @discardableResult
    public func leave(study: String, removing: Bool) async throws(ClientError) -> LeavingReceipt? {
        let path = "/studies/\(study)/enrolment" + (removing ? "?data=remove" : "")
        let reply = try await send("DELETE", path, headers: ["Prefer": "return=representation"])
        return reply.status == 204 ? nil : try one(reply)
    }

    private struct Refusing: Encodable {
        let consent_version: Int
        let data: String
    }

    /// Refuses a consent text that is newer than the agreed one, which ends taking part. Sent once more it answers the same receipt.
    /// - Parameters:
    ///   - version: of the text that was read (`Study.consentVersion`).
    ///   - removing: whether the answers are erased, too.
    /// - Returns: what proves it later; nil for a request that is withdrawn.
    /// - Throws: `ClientError.refused` with 409 when there is an even newer text, or when this one was agreed to on another device.
    @discardableResult
    public func refuse(
        consent version: Int, ofStudy study: String, removing: Bool
    ) async throws(ClientError) -> LeavingReceipt? {
        let body = Refusing(consent_version: version, data: removing ? "remove" : "keep")
        let path = "/studies/" + study + "/enrolment/refusal"
        let reply = try await send("POST", path, body)
        return reply.status == 204 ? nil : try one(reply)
    }

    /// What a receipt says; without signing in.
    public func receipt(_ number: String) async throws(ClientError) -> LeavingReceipt {
        try await get("/receipts/" + Self.query(number))
    }

    public func myStudies() async throws(ClientError) -> [Item<Study>] {
        try await list("/my/studies?limit=200")
    }

    /// The questionnaires of the own studies, baseline first.
    public func studyQuestionnaires() async throws(ClientError) -> [Item<StudyQuestionnaire>] {
        try await list("/my/questionnaires?limit=200")
    }

    /// The times at which a questionnaire of a study prompts.
    public func notificationPlan(_ id: String) async throws(ClientError) -> NotificationPlan {
        try await get("/my/questionnaires/\(id)/notification-plan")
    }

    /// Changes these times, where the study allows it.
    public func putNotificationPlan(
        _ id: String, _ plan: NotificationPlan
    ) async throws(ClientError) -> NotificationPlan {
        try one(await send("PUT", "/my/questionnaires/\(id)/notification-plan", plan))
    }

    /// What was noted with buttons, without an end or begun in the last seven days, the latest first.
    public func events() async throws(ClientError) -> [Item<StudyEvent>] {
        try await list("/my/events?limit=200")
    }

    /// A moment, or a span, noted with the button of a questionnaire.
    public struct NotedEvent: Encodable, Sendable, Equatable {
        /// Of `studyQuestionnaires`.
        public var itemID: String
        public var startedAt: Instant
        /// Nil for a moment, and for a span that goes on.
        public var endedAt: Instant?
        /// IANA.
        public var timezone: String

        public init(itemID: String, startedAt: Instant, endedAt: Instant? = nil, timezone: String) {
            self.itemID = itemID
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.timezone = timezone
        }
    }

    /// Notes an event; the same again is harmless, other times correct it until a sheet names it.
    public func putEvent(
        _ id: String, of item: String, from start: Instant, until end: Instant? = nil, timezone: String
    ) async throws(ClientError) -> StudyEvent {
        let body = NotedEvent(itemID: item, startedAt: start, endedAt: end, timezone: timezone)
        return try one(await send("PUT", "/my/events/" + id, body))
    }

    /// Takes away an event that no sheet names.
    public func removeEvent(_ id: String) async throws(ClientError) {
        _ = try await send("DELETE", "/my/events/" + id)
    }

    /// The own level beside the others'.
    public func feedback() async throws(ClientError) -> [Item<Feedback>] {
        try await list("/my/feedback?limit=200")
    }
}
