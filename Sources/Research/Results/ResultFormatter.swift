import Psychometrics
import Wording

/// Writes the figures of a study's results: all with the same decimals, so that begin, end, change and deviation can be
/// compared and subtracted as they stand.
struct ResultFormatter {
    let texts: Texts

    private static let decimals = 2

    /// `41,20`; a dash for none.
    func value(_ value: Double?) -> String {
        value.map { texts.number($0, digits: Self.decimals, isFull: true) } ?? "–"
    }

    /// `+0,40`, `−1,00`, `0,00`.
    func change(_ difference: Double) -> String {
        let text = value(difference)
        return difference > 0 && text != value(0) ? "+" + text : text
    }

    /// Mean and deviation: `41,20 (12,00)`; a dash for no values.
    func spread(_ values: [Double], isChange: Bool = false) -> String {
        guard let spread = SampleStatistics(values) else { return "–" }
        return "\(isChange ? change(spread.mean) : value(spread.mean)) (\(value(spread.deviation)))"
    }
}
