/// The day of a therapist at a glance.
public struct Today: Documented, Decodable {
    public static let type = "today"

    public struct Visit: Codable, Sendable {
        public var sessionID: String
        public var patientID: String
        public var codename: String
        public var alias: String?
        public var startsAt: Instant
        /// What moved, what came in, what is due: in words.
        public var summary: [String]

        public init(
            sessionID: String, patientID: String, codename: String, alias: String?, startsAt: Instant,
            summary: [String]
        ) {
            self.sessionID = sessionID
            self.patientID = patientID
            self.codename = codename
            self.alias = alias
            self.startsAt = startsAt
            self.summary = summary
        }

        enum CodingKeys: String, CodingKey {
            case codename, alias, summary
            case sessionID = "session_id"
            case patientID = "patient_id"
            case startsAt = "starts_at"
        }
    }

    /// What came in from somebody since the caller last opened their file.
    public struct News: Codable, Sendable {
        public var patientID: String
        public var codename: String
        public var alias: String?
        public var lines: [String]

        public init(patientID: String, codename: String, alias: String?, lines: [String]) {
            self.patientID = patientID
            self.codename = codename
            self.alias = alias
            self.lines = lines
        }

        enum CodingKeys: String, CodingKey {
            case codename, alias, lines
            case patientID = "patient_id"
        }
    }

    /// Answers that have to be seen.
    public struct Unseen: Codable, Sendable {
        public var patientID: String
        public var contributionID: String
        public var questionnaire: String
        public var answers: [String]

        public init(patientID: String, contributionID: String, questionnaire: String, answers: [String]) {
            self.patientID = patientID
            self.contributionID = contributionID
            self.questionnaire = questionnaire
            self.answers = answers
        }

        enum CodingKeys: String, CodingKey {
            case questionnaire, answers
            case patientID = "patient_id"
            case contributionID = "contribution_id"
        }
    }

    public var date: LocalDate
    public var mustBeSeen: [Unseen]
    public var sessions: [Visit]
    /// The next day with sessions, within a week; null without one.
    public var nextDate: LocalDate?
    public var nextSessions: [Visit]
    public var news: [News]
    /// How many alerts wait; those of one reaction for one patient are one.
    public var alerts: Int

    public init(
        date: LocalDate, mustBeSeen: [Unseen], sessions: [Visit], nextDate: LocalDate?, nextSessions: [Visit],
        news: [News], alerts: Int
    ) {
        self.date = date
        self.mustBeSeen = mustBeSeen
        self.sessions = sessions
        self.nextDate = nextDate
        self.nextSessions = nextSessions
        self.news = news
        self.alerts = alerts
    }

    enum CodingKeys: String, CodingKey {
        case date, sessions, news, alerts
        case mustBeSeen = "must_be_seen"
        case nextDate = "next_date"
        case nextSessions = "next_sessions"
    }

    private static let visit = Schema.object([
        Schema.property("session_id", .id), Schema.property("patient_id", .id),
        Schema.property("codename", .string), Schema.property("alias", .string.orNull),
        Schema.property("starts_at", .time), Schema.property("summary", .list(.string)),
    ])
    public static let schema = Schema.object([
        Schema.property("date", .date),
        Schema.property(
            "must_be_seen",
            .list(
                .object([
                    Schema.property("patient_id", .id), Schema.property("contribution_id", .id),
                    Schema.property("questionnaire", .string), Schema.property("answers", .list(.string)),
                ]))),
        Schema.property("sessions", .list(visit)), Schema.property("next_date", .date.orNull),
        Schema.property("next_sessions", .list(visit)),
        Schema.property(
            "news",
            .list(
                .object([
                    Schema.property("patient_id", .id), Schema.property("codename", .string),
                    Schema.property("alias", .string.orNull), Schema.property("lines", .list(.string)),
                ]))),
        Schema.property("alerts", .integer),
    ])
    public static let example = Today(
        date: LocalDate(daysSince1970: 20_782), mustBeSeen: [], sessions: [], nextDate: nil, nextSessions: [],
        news: [
            News(
                patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", alias: "Frau Winter",
                lines: ["Wohlbefinden: 48 von 100, −16 seit der letzten Sitzung"])
        ], alerts: 1)
}
