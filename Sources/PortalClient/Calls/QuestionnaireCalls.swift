public import Wire

/// A filled-in questionnaire as sent. The same sheet gives the same bytes, so it may be sent again.
public struct AnswerSheet: Codable, Sendable, Equatable {
    /// A daily planned by the phone itself, because it was offline for long.
    public struct OwnDaily: Codable, Sendable, Equatable {
        public var questionnaireID: String
        public var availableFrom: Instant
        public var dueAt: Instant

        public init(questionnaireID: String, availableFrom: Instant, dueAt: Instant) {
            self.questionnaireID = questionnaireID
            self.availableFrom = availableFrom
            self.dueAt = dueAt
        }
    }

    public var assignmentID: String?
    public var daily: OwnDaily?
    /// In a study: its id and the version that was shown.
    public var studyID: String?
    public var questionnaireID: String?
    /// In a study: what it is about, where that was noted with a button.
    public var eventID: String?
    public var startedAt: Instant
    public var completedAt: Instant
    /// IANA.
    public var timezone: String
    public var answers: Answers
    /// When each question was answered last.
    public var answeredAt: [String: Instant]?

    public init(
        assignmentID: String?, daily: OwnDaily? = nil, startedAt: Instant, completedAt: Instant,
        timezone: String, answers: Answers, answeredAt: [String: Instant]? = nil
    ) {
        self.assignmentID = assignmentID
        self.daily = daily
        self.startedAt = startedAt
        self.completedAt = completedAt
        self.timezone = timezone
        self.answers = answers
        self.answeredAt = answeredAt
    }
}

/// A sheet as the portal returns it.
public typealias SentSheet = Contribution<Ordered<Answer>>

// Questionnaires and answers.
extension Client {
    /// Open and coming ones, in order of their deadline.
    public func assignments() async throws(ClientError) -> [Item<Assignment>] {
        try await list("/my/assignments?limit=200")
    }

    /// One assignment, also a daily whose window has not begun.
    public func assignment(_ id: String) async throws(ClientError) -> Assignment {
        try await get("/my/assignments/" + id)
    }

    private struct Seen: Encodable {
        let notified_at, opened_at: Instant?
    }

    /// Reports when the device notified of an assignment, and when it was opened.
    public func reportAssignment(
        _ id: String, notified: Instant? = nil, opened: Instant? = nil
    ) async throws(ClientError) -> Assignment {
        let report = Seen(notified_at: notified, opened_at: opened)
        return try one(await send("PATCH", "/my/assignments/" + id, report))
    }

    /// In the client's language.
    public func questionnaire(_ id: String) async throws(ClientError) -> Questionnaire {
        try await get("/questionnaires/" + id)
    }

    /// The plan of dailies.
    /// - Parameter days: 1 to 7.
    public func dailies(days: Int = 7) async throws(ClientError) -> [Item<Daily>] {
        try await list("/my/dailies?limit=200&days=\(days)")
    }

    public func sendSheet(_ id: String, _ sheet: AnswerSheet) async throws(ClientError) -> SentSheet {
        try one(await send("PUT", "/my/contributions/" + id, sheet))
    }

    public func contributions() async throws(ClientError) -> [Item<SentSheet>] {
        try await list("/my/contributions?limit=200")
    }

    public func contribution(_ id: String) async throws(ClientError) -> SentSheet {
        try await get("/my/contributions/" + id)
    }

    /// Half-filled answers of an assignment or a questionnaire.
    public func draft(of subject: String) async throws(ClientError) -> Tagged<Draft<Ordered<Answer>>> {
        try tagged(await send("GET", "/my/drafts/" + subject))
    }

    private struct HalfFilled: Encodable { let answers: [String: Answer?] }

    /// - Parameters:
    ///   - takenBack: questions whose answer was taken back.
    ///   - etag: of the state it is based on; nil for a new draft.
    public func putDraft(
        of subject: String, _ answers: Answers, takenBack: Set<String> = [], seen etag: String?
    ) async throws(ClientError) -> Tagged<Draft<Ordered<Answer>>> {
        let headers = etag.map { ["If-Match": $0] } ?? [:]
        let gone = takenBack.filter { answers[$0] == nil }.map { ($0, nil as Answer?) }
        let all = answers.mapValues { $0 as Answer? }.merging(gone) { given, _ in given }
        return try tagged(
            await send("PUT", "/my/drafts/" + subject, headers: headers, HalfFilled(answers: all)))
    }

    public func sensorSettings() async throws(ClientError) -> SensorSettings {
        try await get("/my/sensor-settings")
    }

    public func setSensors(_ settings: SensorSettings) async throws(ClientError) -> SensorSettings {
        try one(await send("PUT", "/my/sensor-settings", settings))
    }
}

// Notifications.
extension Client {
    public func notificationSettings() async throws(ClientError) -> NotificationSettings {
        try await get("/my/notification-settings")
    }

    public func setNotifications(
        _ settings: NotificationSettings
    ) async throws(ClientError) -> NotificationSettings {
        try one(await send("PUT", "/my/notification-settings", settings))
    }

    /// The notifications to show, in order of time, at most 64.
    public func notifications() async throws(ClientError) -> [Item<Wire.Notification>] {
        try await list("/my/notifications")
    }
}
