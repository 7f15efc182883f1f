/// A state for `shared/_state`: a word, with a sign and a colour that say the same.
package struct StateView: Encodable, Sendable {
    package enum Tone: String, Encodable, Sendable { case good, warn, plain }

    package let word: String
    package let tone: Tone
    /// Drawn before the word; nil where the word alone says it.
    private let sign: String?

    package init(word: String, tone: Tone) {
        self.word = word
        self.tone = tone
        sign =
            switch tone {
            case .good: "check"
            case .warn: "warning"
            case .plain: nil
            }
    }
}
