import JSON
import Records
import Web
import Wire
import Wording

extension [TrialDesign.Stratum] {
    private static let scoreLimit = 1_000_000.0
    /// Of scores, in the form.
    package static let rows = 2

    /// The list that a call sends; nil where it sends none.
    static func readList(_ fields: InputReader, scales: [StudyScale]) -> [TrialDesign.Stratum]? {
        guard let list = fields.list("strata") else { return nil }
        let most = 2 + rows
        if list.count > most { fields.refuse("strata", "errors.whole", ["from": "0", "to": String(most)]) }
        let read = list.prefix(most).enumerated().compactMap { index, json -> TrialDesign.Stratum? in
            let place = "strata.\(index)"
            guard case .object = json else {
                fields.refuse(place, "errors.object")
                return nil
            }
            let inner = fields.inner(json, place + ".")
            let stratum = one(inner, scales)
            fields.adopt(inner)
            return stratum
        }
        requireDifferent(read, fields, at: "strata")
        return read
    }

    private static func one(_ fields: InputReader, _ scales: [StudyScale]) -> TrialDesign.Stratum? {
        switch fields.choice("kind", from: StudyDesign.Stratum.kinds, required: true) {
        case "site": return .site
        case "gender": return .gender
        case "score": break
        default: return nil
        }
        let key = fields.text("questionnaire_key", required: true)
        let name = fields.text("scale", required: true)
        let limits = (fields.list("bands") ?? []).map(\.number)
        if !fields.has("bands") { fields.refuse("bands", "errors.required") }
        guard let key, let name else { return nil }
        guard scales.contains(where: { $0.isBaseline && $0.key == key && $0.scale == name }) else {
            fields.refuse("scale", "studies.stratum_no_baseline")
            return nil
        }
        return bands(limits, fields, at: "bands").map {
            .score(ScoreBands(key: key, scale: name, limits: $0))
        }
    }

    /// From the portal's form: boxes, and rows for scores; empty rows are ignored.
    static func read(form fields: InputReader, scales: [StudyScale]) -> [TrialDesign.Stratum] {
        let boxes: [(String, TrialDesign.Stratum)] = [("stratum_site", .site), ("stratum_gender", .gender)]
        let plain = boxes.filter { fields.bool($0.0) ?? false }.map(\.1)
        let scores = (1...rows).compactMap { number -> TrialDesign.Stratum? in
            let row = "stratum_score_\(number)"
            guard let chosen = fields.text(row), chosen != "none" else { return nil }
            guard let scale = scales.first(where: { $0.isBaseline && $0.id == chosen }) else {
                fields.refuse(row, "studies.stratum_no_baseline")
                return nil
            }
            let typed = (fields.text("\(row)_bands") ?? "").split { $0 == " " || $0 == ";" }
            return bands(typed.map { TypedNumber(String($0))?.value }, fields, at: "\(row)_bands").map {
                .score(ScoreBands(key: scale.key, scale: scale.scale, limits: $0))
            }
        }
        requireDifferent(scores, fields, at: "stratum_score_1")
        return plain + scores
    }

    /// - Parameter limits: nil for what is no number.
    private static func bands(
        _ limits: [Double?], _ fields: InputReader, at place: String
    ) -> [Double]? {
        let known = limits.compactMap(\.self).filter { abs($0) <= scoreLimit }
        let isRising = zip(known, known.dropFirst()).allSatisfy { $0 < $1 }
        guard known.count == limits.count, (1..<ScoreBands.most).contains(known.count), isRising else {
            fields.refuse(place, "studies.stratum_bands", ["n": String(ScoreBands.most - 1)])
            return nil
        }
        return known
    }

    /// A score stands for one stratum, whatever its bands.
    private static func requireDifferent(
        _ read: [TrialDesign.Stratum], _ fields: InputReader, at place: String
    ) {
        let subjects = read.map { stratum in
            stratum.score.map { "\($0.key) \($0.scale)" } ?? stratum.name
        }
        if Set(subjects).count < subjects.count { fields.refuse(place, "errors.choice") }
    }
}
