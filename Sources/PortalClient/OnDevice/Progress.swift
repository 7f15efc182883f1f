public import Wire

// Evaluations of a questionnaire on the phone while it is filled in, without the server.

extension Questionnaire {
    /// The sections to show, in order. Questions in hidden sections count as unanswered for later conditions.
    public func visibleSections(_ answers: Answers) -> [Section] {
        var seen: Answers = [:]
        return sections.filter { section in
            guard section.visibleIf?.holds(for: seen) ?? true else { return false }
            for question in section.questions { seen[question.key] = answers[question.key] }
            return true
        }
    }

    /// The number of shown questions with an answer.
    public func progress(_ answers: Answers) -> Progress {
        let shown = visibleSections(answers).flatMap(\.questions)
        return Progress(answered: shown.count { answers[$0.key] != nil }, total: shown.count)
    }

    public struct Progress: Sendable, Equatable {
        public let answered: Int
        public let total: Int

        public init(answered: Int, total: Int) { (self.answered, self.total) = (answered, total) }
    }

    /// The first shown question without an answer, to continue with; nil when all have one.
    public func nextUnanswered(_ answers: Answers) -> Question? {
        visibleSections(answers).flatMap(\.questions).first { answers[$0.key] == nil }
    }

    /// Required shown questions without an answer, by key.
    public func missing(_ answers: Answers) -> [String] {
        visibleSections(answers).flatMap(\.questions).filter { $0.required && answers[$0.key] == nil }.map(
            \.key)
    }

    /// The answers to shown questions: the server would refuse those whose section was hidden later.
    public func sendable(_ answers: Answers) -> Answers {
        let shown = Set(visibleSections(answers).flatMap(\.questions).map(\.key))
        return answers.filter { shown.contains($0.key) }
    }
}
