import Foundation
import Identity
import Psychometrics
import Records
import Scheduling
import Web
import Wire
import Wording

/// Somebody's runs of matching for a page: their middle and their spread, and each of them. Never one of them alone, and
/// never more digits than they are worth. The person's own page shows it, and the therapist's where it is shared.
package struct MatchesView: Encodable, Sendable {
    package struct Row: Encodable, Sendable {
        /// A device that kept a run until it was sent lets it go once it is here.
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
    /// Where the runs have their middle; nil for fewer than two.
    package let middle: String?
    package let spread: String?
    /// That they lie an octave apart; nil where they do not.
    package let octave: String?
    /// How many more are worth while; nil for five and more.
    package let more: String?
    package let rows: [Row]

    /// As many as are proposed before anything is made of them.
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

    private init(example: Void) {
        hasRuns = true
        count = "5 Durchgänge"
        middle = "In der Mitte etwa 6100 Hz."
        spread = "Die mittlere Hälfte liegt zwischen etwa 5400 und 6600 Hz."
        octave = nil
        more = nil
        rows = [
            Row(
                id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a10", when: "Mi 18.11. 11:54",
                frequency: "etwa 6100 Hz", level: "12 dB über der Hörschwelle",
                sound: "Ton, rechts",
                method: "Regler", certainty: "Sicherheit 7 von 10")
        ]
    }

    package static let example = MatchesView(example: ())

    /// Two figures are as many as a run is worth.
    static func rounded(_ hertz: Double, _ texts: Texts) -> String {
        let power = pow(10, (log10(max(hertz, 1))).rounded(.down) - 1)
        return texts.number((hertz / power).rounded() * power, digits: 0)
    }
}
