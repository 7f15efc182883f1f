import Wire

extension TherapyFile {
    /// A session; note and agenda only on request.
    struct Session: Codable, Sendable {
        var number: Int?
        var startsAt: Instant
        var endsAt: Instant
        var state: String
        var note: String?
        /// The items taken up in it.
        var agenda: [String]?
    }

    /// A filled-in questionnaire.
    struct Sheet: Codable, Sendable {
        struct Score: Codable, Sendable {
            var scale: String
            var title: String
            var value: Double?
            var answered: Int
            var items: Int
        }
        struct Line: Codable, Sendable {
            var question: String
            /// In the words of the questionnaire; nil without an answer.
            var answer: String?
            /// Its number or its yes or no, for a table; nil for answers in words.
            var value: String?
        }
        var id: String
        var key: String
        var version: Int
        var title: String
        var completedAt: Instant
        var answered: Int
        var asked: Int
        var scores: [Score]
        var answers: [Line]
    }

    /// An intervention, and its result.
    struct Intervention: Codable, Sendable {
        var kind: String
        var text: String
        var state: String
        var assignedAt: Instant
        var openedAt: Instant?
        var completedAt: Instant?
        var withdrawnAt: Instant?
        /// The reaction that sent it; nil for one sent by hand.
        var reason: String?
    }

    /// An alert, and when it was acknowledged.
    struct Alert: Codable, Sendable {
        var raisedAt: Instant
        var title: String
        var reason: String
        var seenAt: Instant?
        var remark: String?
    }

    /// An automatic assignment: since when, and until when.
    struct Plan: Codable, Sendable {
        var title: String
        var occasion: String
        var madeAt: Instant
        var stoppedAt: Instant?
    }

    /// A letter; its text in Markdown, in which courses are still fields.
    struct WrittenLetter: Codable, Sendable {
        var kind: String
        var title: String
        var writtenAt: Instant
        var text: String
    }

    /// Reached by phone; the sentence only when notes were requested.
    struct Call: Codable, Sendable {
        var at: Instant
        var note: String?
    }
}
