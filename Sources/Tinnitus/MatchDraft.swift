import Web
import Wire
import Wording

/// A run as a device or the page sends it. Made only by reading.
package struct MatchDraft: Sendable {
    package let match: TinnitusMatch

    /// Clocks of phones run ahead: up to five minutes in the future count as now.
    private static let clockSlackSeconds: Int64 = 300

    /// - Throws: `Problem.invalid`.
    package static func read(_ fields: InputReader, now: Instant) throws(Problem) -> MatchDraft {
        let at = fields.time("matched_at", required: true)
        if let at, at.seconds > now.seconds + clockSlackSeconds {
            fields.refuse("matched_at", "errors.future")
        }
        let method = fields.choice("method", from: TinnitusMatch.methods, required: true)
        let ear = fields.choice("ear", from: TinnitusMatch.ears, required: true)
        let kind = fields.choice("kind", from: TinnitusMatch.kinds, required: true)
        let frequency = number("frequency_hz", 20...20_000, fields)
        let level = number("level_sl_db", -20...100, fields)
        let bandwidth = number("bandwidth_octaves", 0.05...2, fields, isRequired: false)
        if kind == "tone", bandwidth != nil { fields.refuse("bandwidth_octaves", "tinnitus.tone_width") }
        let certainty = number("certainty", 0...10, fields)
        let headphones = fields.text("headphones", limit: 60)
        let device = fields.text("device", limit: 120)
        let run = number("run", 1...10_000, fields)
        if let run, run.rounded() != run {
            fields.refuse("run", "errors.whole", ["from": "1", "to": "10000"])
        }
        try fields.finish()
        guard let at, let method, let ear, let kind, let frequency, let level, let certainty, let run else {
            throw .invalid(fields.errors)
        }
        return MatchDraft(
            match: TinnitusMatch(
                matchedAt: at, method: method, ear: ear, kind: kind, frequencyHz: frequency, levelSlDb: level,
                bandwidthOctaves: bandwidth, certainty: certainty, headphones: headphones, device: device,
                run: Int(run)))
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Double>, _ fields: InputReader, isRequired: Bool = true
    ) -> Double? {
        guard fields.value(name) != nil else {
            if isRequired { fields.refuse(name, "errors.required") }
            return nil
        }
        guard let value = fields.number(name) else { return nil }
        guard range.contains(value) else {
            fields.refuse(name, "answers.out_of_range")
            return nil
        }
        return value
    }
}
