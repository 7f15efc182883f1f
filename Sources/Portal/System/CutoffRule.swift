/// Values are inexact in the last bits: 7 of 25 in percent is slightly more than 28. Comparing them with a cut-off by
/// an operator gives other results than the rest of the program.
enum CutoffRule {
    static let message = "values are held against cut-offs by Threshold"

    private static let names: Set<Substring> = ["cutoff", "criterion", "threshold"]
    private static let operators: Set<Substring> = ["<", "<=", ">", ">=", "==", "!="]
    private static let home = ["Sources/Psychometrics/Threshold.swift", "CutoffRule.swift"]

    static func isNear(_ text: String, in path: String) -> Bool {
        !home.contains { path.contains($0) } && names.contains { text.contains($0) }
    }

    /// Whether a comparison has a cut-off on one of its sides, also at the end of a chain: `scale.cutoff`.
    static func isBroken(by code: String) -> Bool {
        let words = code.split { " ()[]{},!?".contains($0) }
        return words.indices.contains { index in
            guard operators.contains(words[index]) else { return false }
            let sides = [index - 1, index + 1].filter(words.indices.contains).map { words[$0] }
            // Comparing with nil only tests whether there is one.
            if sides.contains("nil") { return false }
            return sides.contains { side in side.split(separator: ".").last.map(names.contains) ?? false }
        }
    }
}
