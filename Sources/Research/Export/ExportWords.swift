import Wire
import Wording

/// The program's own words in a study's files: the codebook has them in every language that is installed, labels in one.
struct ExportWords: Sendable {
    /// Of the labels.
    let language: Language
    private let sentences: [String: LocalizedText]

    /// - Parameter installed: every language's sentences.
    init(_ installed: [Texts], _ language: Language) {
        self.language = language
        let own = (VariableList.head.map(\.name) + ["not_shown", "time_points"]).map {
            ($0, "codebook.\($0)")
        }
        let asked = ["no", "yes"].map { ($0, "contributions.\($0)") }
        sentences = Dictionary(
            uniqueKeysWithValues: (own + asked).map { name, key in
                let words = installed.map { ($0.language.rawValue, $0[key]) }
                return (name, LocalizedText(translations: words))
            })
    }

    /// In every language.
    /// - Parameter name: of a first column, `no`, `yes` or `not_shown`.
    func all(_ name: String) -> LocalizedText { sentences[name] ?? [:] }

    /// In the language of the labels.
    func label(_ name: String) -> String { all(name)[language.rawValue] ?? name }
}
