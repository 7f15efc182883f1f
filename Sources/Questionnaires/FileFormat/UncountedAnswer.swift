/// An answer of a form of others that says no points, beside others that do: how it counts has to be asked (RP-23).
package struct UncountedAnswer: Sendable, Equatable {
    /// The place of the answer in the form.
    package let place: String
    /// The words of its question, and its own.
    package let question: String
    package let answer: String
    /// Which of several files it stands in.
    package private(set) var file = 0

    /// The same in one of several files.
    package func of(_ file: Int) -> UncountedAnswer {
        var answer = self
        answer.file = file
        return answer
    }
}
