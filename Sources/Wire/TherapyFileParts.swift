extension TherapyFile {
    /// A session; note and agenda only where they were asked for.
    public struct Session: Codable, Sendable {
        public var number: Int?
        public var startsAt: Instant
        public var endsAt: Instant
        public var state: String
        public var note: String?
        /// What was taken up in it.
        public var agenda: [String]?

        public init(
            number: Int?, startsAt: Instant, endsAt: Instant, state: String, note: String?, agenda: [String]?
        ) {
            self.number = number
            self.startsAt = startsAt
            self.endsAt = endsAt
            self.state = state
            self.note = note
            self.agenda = agenda
        }

        enum CodingKeys: String, CodingKey {
            case number, state, note, agenda
            case startsAt = "starts_at"
            case endsAt = "ends_at"
        }
        static let schema = Schema.object([
            Schema.optional("number", .integer.orNull), Schema.property("starts_at", .time),
            Schema.property("ends_at", .time), Schema.property("state", .string),
            Schema.optional("note", .string.orNull), Schema.optional("agenda", Schema.list(.string).orNull),
        ])
    }

    /// A questionnaire that was filled in.
    public struct Sheet: Codable, Sendable {
        public struct Score: Codable, Sendable {
            public var scale: String
            public var title: String
            public var value: Double?
            public var answered: Int
            public var items: Int

            public init(scale: String, title: String, value: Double?, answered: Int, items: Int) {
                self.scale = scale
                self.title = title
                self.value = value
                self.answered = answered
                self.items = items
            }
        }
        public struct Line: Codable, Sendable {
            public var question: String
            /// In the words of the questionnaire; nil when it was not answered.
            public var answer: String?

            public init(question: String, answer: String?) {
                (self.question, self.answer) = (question, answer)
            }
        }
        public var id: String
        public var key: String
        public var version: Int
        public var title: String
        public var completedAt: Instant
        public var answered: Int
        public var asked: Int
        public var scores: [Score]
        public var answers: [Line]

        public init(
            id: String, key: String, version: Int, title: String, completedAt: Instant, answered: Int,
            asked: Int, scores: [Score], answers: [Line]
        ) {
            self.id = id
            self.key = key
            self.version = version
            self.title = title
            self.completedAt = completedAt
            self.answered = answered
            self.asked = asked
            self.scores = scores
            self.answers = answers
        }

        enum CodingKeys: String, CodingKey {
            case id, key, version, title, answered, asked, scores, answers
            case completedAt = "completed_at"
        }
        static let schema = Schema.object([
            Schema.property("id", .id), Schema.property("key", .string), Schema.property("version", .integer),
            Schema.property("title", .string), Schema.property("completed_at", .time),
            Schema.property("answered", .integer), Schema.property("asked", .integer),
            Schema.property(
                "scores",
                .list(
                    .object([
                        Schema.property("scale", .string), Schema.property("title", .string),
                        Schema.optional("value", .number.orNull), Schema.property("answered", .integer),
                        Schema.property("items", .integer),
                    ]))),
            Schema.property(
                "answers",
                .list(
                    .object([
                        Schema.property("question", .string), Schema.optional("answer", .string.orNull),
                    ]))),
        ])
    }

    /// What was sent, and what became of it.
    public struct Intervention: Codable, Sendable {
        public var kind: String
        public var text: String
        public var state: String
        public var assignedAt: Instant
        public var openedAt: Instant?
        public var completedAt: Instant?
        public var withdrawnAt: Instant?
        /// Which reaction sent it; nil for one sent by hand.
        public var reason: String?

        public init(
            kind: String, text: String, state: String, assignedAt: Instant, openedAt: Instant?,
            completedAt: Instant?, withdrawnAt: Instant?, reason: String?
        ) {
            self.kind = kind
            self.text = text
            self.state = state
            self.assignedAt = assignedAt
            self.openedAt = openedAt
            self.completedAt = completedAt
            self.withdrawnAt = withdrawnAt
            self.reason = reason
        }

        enum CodingKeys: String, CodingKey {
            case kind, text, state, reason
            case assignedAt = "assigned_at"
            case openedAt = "opened_at"
            case completedAt = "completed_at"
            case withdrawnAt = "withdrawn_at"
        }
        static let schema = Schema.object([
            Schema.property("kind", .string), Schema.property("text", .string),
            Schema.property("state", .string), Schema.property("assigned_at", .time),
            Schema.optional("opened_at", .time.orNull), Schema.optional("completed_at", .time.orNull),
            Schema.optional("withdrawn_at", .time.orNull), Schema.optional("reason", .string.orNull),
        ])
    }

    /// An alert, and how it was seen.
    public struct Alert: Codable, Sendable {
        public var raisedAt: Instant
        public var title: String
        public var reason: String
        public var seenAt: Instant?
        public var remark: String?

        public init(raisedAt: Instant, title: String, reason: String, seenAt: Instant?, remark: String?) {
            self.raisedAt = raisedAt
            self.title = title
            self.reason = reason
            self.seenAt = seenAt
            self.remark = remark
        }

        enum CodingKeys: String, CodingKey {
            case title, reason, remark
            case raisedAt = "raised_at"
            case seenAt = "seen_at"
        }
        static let schema = Schema.object([
            Schema.property("raised_at", .time), Schema.property("title", .string),
            Schema.property("reason", .string), Schema.optional("seen_at", .time.orNull),
            Schema.optional("remark", .string.orNull),
        ])
    }

    /// What is asked without anybody assigning it: since when, and until when.
    public struct Plan: Codable, Sendable {
        public var title: String
        public var occasion: String
        public var madeAt: Instant
        public var stoppedAt: Instant?

        public init(title: String, occasion: String, madeAt: Instant, stoppedAt: Instant?) {
            self.title = title
            self.occasion = occasion
            self.madeAt = madeAt
            self.stoppedAt = stoppedAt
        }

        enum CodingKeys: String, CodingKey {
            case title, occasion
            case madeAt = "made_at"
            case stoppedAt = "stopped_at"
        }
        static let schema = Schema.object([
            Schema.property("title", .string), Schema.property("occasion", .string),
            Schema.property("made_at", .time), Schema.optional("stopped_at", .time.orNull),
        ])
    }

    /// Reached by phone; the sentence only where notes were asked for.
    public struct Call: Codable, Sendable {
        public var at: Instant
        public var note: String?

        public init(at: Instant, note: String?) { (self.at, self.note) = (at, note) }

        static let schema = Schema.object([
            Schema.property("at", .time), Schema.optional("note", .string.orNull),
        ])
    }
}
