import Wire

extension TherapyFile {
    /// The first page (PR-39): what an insurer or the next therapist reads.
    struct Overview: Codable, Sendable {
        struct Sessions: Codable, Sendable {
            var held: Int
            var missed: Int
            var cancelled: Int
            var firstHeldOn: LocalDate?
            var lastHeldOn: LocalDate?
            var nextAt: Instant?
        }
        struct Value: Codable, Sendable {
            var at: Instant
            var value: Double
            var answered: Int
            var items: Int
        }
        /// The course of a scale, without its dailies.
        struct Course: Codable, Sendable {
            var questionnaireKey: String
            var scale: String
            /// Questionnaire and scale.
            var title: String
            /// Range and direction in words; empty where neither is known.
            var reading: String
            /// The possible range; nil where it is unknown.
            var lowest: Double?
            var highest: Double?
            var cutoff: Double?
            /// The earliest first.
            var values: [Value]
            /// The value at the begin of the therapy; nil while there is no other one.
            var begin: Value?
            /// The difference between the newest value and the one at the begin.
            var change: Double?
            /// `recovered`, `improved`, `unchanged`, `deteriorated`; nil without the instrument's figures.
            var verdict: String?
            /// How a verdict is reached and where its figures are from, or why there is none.
            var basis: String
        }
        /// What is open: an assignment, an intervention, an alert, answers that have to be seen, a running plan.
        struct Open: Codable, Sendable {
            /// `assignment`, `intervention`, `alert`, `answers`, `plan`.
            var kind: String
            var title: String
            var since: Instant
            var until: Instant?
        }
        var sessions: Sessions
        var scales: [Course]
        var open: [Open]
    }

    /// Daily prompts of a week, which begins on Monday.
    struct DailyWeek: Codable, Sendable {
        var startsOn: LocalDate
        var delivered: Int
        var answered: Int
        /// Answers that count, and those in which the therapy came to mind.
        var answers: Int
        var thoughts: Int
        /// The mean of the mood that came with the thoughts, and its n.
        var mood: Double?
        var moodCount: Int
    }
}
