public import Wire

// What a phone works out of a questionnaire while somebody fills it in, without asking the server.

extension Questionnaire {
    /// The sections to show with these answers, in order. A question in a hidden section counts as unanswered, also for
    /// the conditions further down.
    public func visibleSections(_ answers: Answers) -> [Section] {
        var seen: Answers = [:]
        return sections.filter { section in
            guard section.visibleIf?.holds(for: seen) ?? true else { return false }
            for question in section.questions { seen[question.key] = answers[question.key] }
            return true
        }
    }

    /// How many of the questions that are shown have an answer.
    public func progress(_ answers: Answers) -> Progress {
        let shown = visibleSections(answers).flatMap(\.questions)
        return Progress(answered: shown.count { answers[$0.key] != nil }, total: shown.count)
    }

    public struct Progress: Sendable, Equatable {
        public let answered: Int
        public let total: Int

        public init(answered: Int, total: Int) { (self.answered, self.total) = (answered, total) }
    }

    /// The first question that is shown and has no answer, to go on with; nil when all have one.
    public func nextUnanswered(_ answers: Answers) -> Question? {
        visibleSections(answers).flatMap(\.questions).first { answers[$0.key] == nil }
    }

    /// Required questions that are shown and have no answer, by key.
    public func missing(_ answers: Answers) -> [String] {
        visibleSections(answers).flatMap(\.questions).filter { $0.required && answers[$0.key] == nil }.map(
            \.key)
    }

    /// The answers that may be sent: those to questions that are shown. What was answered before a section was hidden
    /// again is left out, as the server would refuse it.
    public func sendable(_ answers: Answers) -> Answers {
        let shown = Set(visibleSections(answers).flatMap(\.questions).map(\.key))
        return answers.filter { shown.contains($0.key) }
    }
}
