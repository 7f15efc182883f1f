import Foundation
import Identity
import Psychometrics
import Records
import Scheduling
import Web
import Wire
import Wording

/// A person's runs of matching for a page: median, spread and each run. Never one of them alone, and never with more
/// digits than are reliable. Shown on the person's own page, and on the therapist's where it is shared.
package struct MatchesView: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        /// A device that kept a run until it was sent can drop it now.
        package let id: ID<MatchRecord>
        package let when: String
        package let frequency: String
        package let level: String
        package let sound: String
        package let method: String
        package let certainty: String
    }

    package let hasRuns: Bool
    package let count: String
    /// The median of the runs; nil for fewer than two.
    package let middle: String?
    package let spread: String?
    /// A note that they lie an octave apart; nil where they do not.
    package let octave: String?
    /// How many more are recommended; nil for five and more.
    package let more: String?
    package let rows: [Row]

    /// The number of runs that is recommended before any conclusion.
    package static let proposed = 5

    /// - Parameter records: the newest first.
    package init(
        _ records: [MatchRecord], _ key: PersonKey, _ texts: Texts, _ dates: DateFormat
    ) throws {
        let summary = MatchSummary(records.map(\.frequencyHz))
        hasRuns = !records.isEmpty
        count = texts.count("tinnitus.runs", summary.runs)
        if let quartiles = summary.quartiles, summary.runs > 1 {
            middle = texts["tinnitus.middle", ["hz": Self.rounded(quartiles.median, texts)]]
            spread =
                texts[
                    "tinnitus.spread",
                    [
                        "low": Self.rounded(quartiles.lower, texts),
                        "high": Self.rounded(quartiles.upper, texts),
                    ]]
        } else {
            middle = nil
            spread = nil
        }
        octave = summary.isOctaveApart ? texts["tinnitus.octave"] : nil
        let missing = Self.proposed - summary.runs
        more = missing > 0 && summary.runs > 0 ? texts.count("tinnitus.more", missing) : nil
        rows = try records.map { record in
            let match = try record.match(key)
            let kind = texts["tinnitus.kind_\(match.kind)"]
            return Row(
                id: record.id,
                when: dates.short(match.matchedAt),
                frequency: texts["tinnitus.about_hz", ["hz": Self.rounded(match.frequencyHz, texts)]],
                level: texts["tinnitus.db", ["db": texts.number(match.levelSlDb, digits: 0)]],
                sound: "\(kind), \(texts["tinnitus.ear_\(match.ear)"])",
                method: texts["tinnitus.method_\(match.method)"],
                certainty: texts["tinnitus.of_ten", ["n": texts.number(match.certainty)]])
        }
    }

    /// Two figures are as many as a run is worth.
    static func rounded(_ hertz: Double, _ texts: Texts) -> String {
        let power = pow(10, (log10(max(hertz, 1))).rounded(.down) - 1)
        return texts.number((hertz / power).rounded() * power, digits: 0)
    }
}
