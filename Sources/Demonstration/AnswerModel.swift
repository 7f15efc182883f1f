public import Wire

/// How a person of the demonstration answers: `seed` writes months at once, `simulate` lives them.
public struct AnswerModel: Sendable {
    /// The change of answers from week to week; above 0 for the better.
    public let trend: Double
    /// The share of answered prompts.
    public let diligence: Double

    public init(trend: Double, diligence: Double) { (self.trend, self.diligence) = (trend, diligence) }

    /// The models of the demonstration clinic's running therapies.
    public static var all: [AnswerModel] {
        DemonstrationPatient.all.compactMap { patient in
            guard case .running(_, let trend, let diligence) = patient.course else { return nil }
            return AnswerModel(trend: trend, diligence: diligence)
        }
    }

    /// Answers to the daily: whether the therapy came to mind, and how that felt.
    public func daily(week: Double, _ dice: SeededRandom) -> Answers {
        let thinks = dice.share() < 0.45 + trend
        let mood = min(5, max(1, (3.1 + trend * week * 0.6 + (dice.share() - 0.5) * 2.4).rounded()))
        return thinks ? ["thought": .number(1), "feeling": .number(mood)] : ["thought": .number(0)]
    }

    /// Answers to the short form before a session.
    public func betweenSessions(_ questions: [String], week: Double, _ dice: SeededRandom) -> Answers {
        let latent = 1.4 + trend * week + (dice.share() - 0.5) * 0.5
        var answers: Answers = [:]
        for (index, question) in questions.enumerated() {
            let base = index == 7 ? 2.4 - trend * week : index == 2 ? latent - 0.9 : latent
            answers[question] = .number(min(4, max(0, (base + (dice.share() - 0.5) * 1.6).rounded())))
        }
        return answers
    }

    /// Answers to the five questions on well-being.
    public func wellbeing(_ questions: [String], week: Double, _ dice: SeededRandom) -> Answers {
        var answers: Answers = [:]
        for question in questions {
            answers[question] = .number(
                min(5, max(0, (2 + trend * week + (dice.share() - 0.5) * 2).rounded())))
        }
        return answers
    }
}
