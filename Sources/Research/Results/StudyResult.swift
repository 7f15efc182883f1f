import Wire

/// A scale's result over all participants of a study.
struct StudyResult: Documented, Decodable {
    static let type = "study_result"
    var questionnaireKey: String
    var scale: String
    var title: String
    /// Over the means of persons; nil without answers.
    var mean: Double?
    /// Nil for fewer than two persons.
    var deviation: Double?
    var people: Int
    var sheets: Int

    static let example = StudyResult(
        questionnaireKey: "wellbeing-5", scale: "wellbeing", title: "Wohlbefinden", mean: 60, deviation: 12.5,
        people: 24, sheets: 96)
}

/// An outcome of a study by group (IO-21).
struct StudyComparison: Documented, Decodable {
    static let type = "study_comparison"

    /// Over the people with a value at the begin, where the outcome has one, and at the named day or time point.
    struct Arm: Codable, Sendable {
        var arm: String
        /// All in the arm.
        var people: Int
        /// Those of them to whom an outcome of the therapy does not apply: without consent to research, without a therapy, or without
        /// the date of it that counts.
        var notApplicable: Int
        var n: Int
        /// Nil for an outcome at a time point without an earlier one, like the change.
        var begin: Measure?
        var end: Measure?
        var change: Measure?
    }

    struct Measure: Codable, Sendable {
        var mean: Double
        /// Nil for fewer than two persons.
        var deviation: Double?
    }

    /// Hedges' g of the change in the first arm against another, with its 95 % interval; of the values where there is no begin.
    struct Effect: Codable, Sendable {
        var against: String
        var g: Double?
        var low: Double?
        var high: Double?
    }

    var questionnaireKey: String
    var scale: String
    /// Days after enrolment; nil at a time point.
    var day: Int?
    /// The key of a time point; nil by the day.
    var timePoint: String?
    /// What several values become; nil for what follows from the questionnaire.
    var value: String?
    /// Which sheets it is computed from.
    var source: String
    var isPrimary: Bool
    var arms: [Arm]
    var effects: [Effect]

    static let narrowed: [String: Schema] = [
        "value": .choice(StudyDesign.Outcome.values).orNull, "source": .choice(StudyDesign.Outcome.sources),
    ]
    static let example = StudyComparison(
        questionnaireKey: "wellbeing-5", scale: "wellbeing", day: 84, timePoint: nil, value: nil,
        source: "study", isPrimary: true,
        arms: [
            Arm(
                arm: "full", people: 24, notApplicable: 0, n: 19, begin: Measure(mean: 41.2, deviation: 12),
                end: Measure(mean: 60, deviation: 14.5), change: Measure(mean: 18.8, deviation: 11))
        ], effects: [Effect(against: "no_interventions", g: 0.61, low: 0.12, high: 1.1)])
}
