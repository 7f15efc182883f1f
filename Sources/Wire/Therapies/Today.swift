/// A therapist's day at a glance.
public struct Today: Documented, Decodable {
    public static let type = "today"

    public struct Visit: Codable, Sendable {
        public var sessionID: String
        public var patientID: String
        public var codename: String
        public var alias: String?
        public var startsAt: Instant
        /// Changes, new answers and due items, in words.
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
    }

    /// A patient's new answers since the caller last opened their file.
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
    }

    /// Answers that must be seen.
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
    }

    /// An answer that has to be seen, with what belongs to it: one for each question.
    public struct RiskAnswer: Codable, Sendable {
        public var contributionID: String
        public var patientID: String
        public var questionKey: String
        public var question: String
        public var answer: String
        /// The answers to the same question before, the latest first.
        public var earlier: [EarlierAnswer]
        /// The reactions that fired on it.
        public var reasons: [String]
        public var unseenSince: Instant
        /// Null while it waits; an acknowledged one is listed as long as that can be undone.
        public var acknowledgedAt: Instant?
        public var acknowledgedBy: String?

        public init(
            contributionID: String, patientID: String, questionKey: String, question: String, answer: String,
            earlier: [EarlierAnswer], reasons: [String], unseenSince: Instant, acknowledgedAt: Instant?,
            acknowledgedBy: String?
        ) {
            self.contributionID = contributionID
            self.patientID = patientID
            self.questionKey = questionKey
            self.question = question
            self.answer = answer
            self.earlier = earlier
            self.reasons = reasons
            self.unseenSince = unseenSince
            self.acknowledgedAt = acknowledgedAt
            self.acknowledgedBy = acknowledgedBy
        }
    }

    /// An earlier answer to a question.
    public struct EarlierAnswer: Codable, Sendable {
        public var at: Instant
        public var answer: String

        public init(at: Instant, answer: String) {
            self.at = at
            self.answer = answer
        }
    }

    /// What waits of the patients of a colleague for whom the caller stands in today.
    public struct StandIn: Codable, Sendable {
        public var therapist: String
        /// The end of the cover.
        public var until: Instant
        public var sessions: [Visit]
        public var news: [News]

        public init(therapist: String, until: Instant, sessions: [Visit], news: [News]) {
            self.therapist = therapist
            self.until = until
            self.sessions = sessions
            self.news = news
        }
    }

    public var date: LocalDate
    public var mustBeSeen: [Unseen]
    public var riskAnswers: [RiskAnswer]
    public var sessions: [Visit]
    /// The next day with sessions, within a week; null without one.
    public var nextDate: LocalDate?
    public var nextSessions: [Visit]
    public var news: [News]
    /// The number of waiting alerts; those of one reaction for one patient count as one.
    public var alerts: Int
    public var standIns: [StandIn]

    public init(
        date: LocalDate, mustBeSeen: [Unseen], riskAnswers: [RiskAnswer], sessions: [Visit],
        nextDate: LocalDate?, nextSessions: [Visit], news: [News], alerts: Int, standIns: [StandIn]
    ) {
        self.date = date
        self.mustBeSeen = mustBeSeen
        self.riskAnswers = riskAnswers
        self.sessions = sessions
        self.nextDate = nextDate
        self.nextSessions = nextSessions
        self.news = news
        self.alerts = alerts
        self.standIns = standIns
    }

    public static let example = Today(
        date: LocalDate(daysSince1970: 20_782), mustBeSeen: [],
        riskAnswers: [
            RiskAnswer(
                contributionID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
                patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", questionKey: "q5",
                question: "Kam Ihnen der Gedanke, nicht mehr leben zu wollen?", answer: "mehrmals (2)",
                earlier: [EarlierAnswer(at: .example, answer: "nie (0)")],
                reasons: ["Gedanken, nicht mehr leben zu wollen: mehrmals (2)"], unseenSince: .example,
                acknowledgedAt: nil, acknowledgedBy: nil)
        ], sessions: [], nextDate: nil, nextSessions: [],
        news: [
            News(
                patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480", alias: "Frau Winter",
                lines: ["Wohlbefinden: 48 von 100, −16 seit der letzten Sitzung"])
        ], alerts: 1,
        standIns: [StandIn(therapist: "Ben Brandt", until: .example, sessions: [], news: [])])
}
