import Instruments
import Questionnaires
import Studies
import Web
import Wire

/// A participant over time, for leads: by codename alone, values and states and never a text.
struct ParticipantInFull: Documented, Decodable {
    static let type = "participant_in_full"

    struct Value: Codable, Sendable, Equatable {
        var at: Instant
        var value: Double
    }

    struct Score: Codable, Sendable, Equatable, Narrowed {
        var questionnaireKey: String
        var scale: String
        /// Whether the study asked it, or a therapy.
        var source: String
        /// The earliest first.
        var values: [Value]

        static let narrowed: [String: Schema] = ["source": .choice(["study", "therapy"])]
    }

    /// The dailies of seven days, counted from the day of enrolling.
    struct Week: Codable, Sendable, Equatable {
        var week: Int
        var beginsOn: LocalDate
        var planned: Int
        var answered: Int
        /// Of the others those that reached no device.
        var unseen: Int
    }

    struct Given: Codable, Sendable, Equatable, Narrowed {
        /// The same as in the study's files.
        var id: String
        var kind: String
        var source: String
        var state: String
        var givenAt: Instant
        var openedAt: Instant?
        var completedAt: Instant?
        var withdrawnAt: Instant?

        static let narrowed: [String: Schema] = [
            "kind": .choice(["commendation", "task", "question"]),
            "source": .choice(["hand", "rule", "plan"]),
            "state": .choice(["new", "opened", "completed", "withdrawn"]),
        ]
    }

    struct Meeting: Codable, Sendable, Equatable, Narrowed {
        /// Of those held during the participation, from 1 on; nil for one that was not held.
        var number: Int?
        var state: String
        /// Nil where the consent text does not name the days of sessions.
        var day: LocalDate?

        static let narrowed: [String: Schema] = ["state": .choice(["held", "missed", "cancelled"])]
    }

    var codename: String
    var state: String
    var arm: String?
    var enrolledAt: Instant?
    var leftAt: Instant?
    var consentVersion: Int
    /// Without it what follows the scores is nil, and the scores are of the study alone.
    var researchConsent: Bool
    var scores: [Score]
    var dailies: [Week]?
    var interventions: [Given]?
    var sessions: [Meeting]?

    static let narrowed: [String: Schema] = ["state": .choice(Enrolment.states)]
    static let example = ParticipantInFull(
        codename: "S482193", state: "enrolled", arm: nil, enrolledAt: .example, leftAt: nil,
        consentVersion: 1, researchConsent: true,
        scores: [
            Score(
                questionnaireKey: "wellbeing-5", scale: "wellbeing", source: "study",
                values: [Value(at: .example, value: 64)])
        ],
        dailies: [
            Week(week: 1, beginsOn: LocalDate(daysSince1970: 20_777), planned: 21, answered: 17, unseen: 1)
        ],
        interventions: [
            Given(
                id: "0f7b6f5c-3a86-8d0e-9f1e-4d2b1c0a9e57", kind: "task", source: "rule", state: "opened",
                givenAt: .example, openedAt: .example, completedAt: nil, withdrawnAt: nil)
        ],
        sessions: [Meeting(number: 1, state: "held", day: LocalDate(daysSince1970: 20_778))])
}

extension ToldCourse {
    func wire(_ enrolment: EnrolmentRecord) -> ParticipantInFull {
        ParticipantInFull(
            codename: enrolment.codename, state: enrolment.state.rawValue, arm: enrolment.arm?.rawValue,
            enrolledAt: enrolment.enrolledAt, leftAt: enrolment.leftAt,
            consentVersion: enrolment.consentVersion, researchConsent: therapy != nil,
            scores: scores.map { series in
                .init(
                    questionnaireKey: series.questionnaire.key, scale: series.scale.key,
                    source: series.isOfTherapy ? "therapy" : "study",
                    values: series.values.map { .init(at: $0.at, value: $0.value) })
            },
            dailies: therapy?.weeks.map {
                .init(
                    week: $0.number, beginsOn: $0.begin, planned: $0.planned, answered: $0.answered,
                    unseen: $0.unseen)
            },
            interventions: therapy?.interventions.map {
                .init(
                    id: $0.id, kind: $0.kind, source: $0.source, state: $0.state, givenAt: $0.givenAt,
                    openedAt: $0.openedAt, completedAt: $0.completedAt, withdrawnAt: $0.withdrawnAt)
            },
            sessions: therapy?.sessions.map { .init(number: $0.number, state: $0.state, day: $0.day) })
    }
}
