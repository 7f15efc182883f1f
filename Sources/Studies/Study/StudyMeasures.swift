import JSON
import Web
import Wire
import Wording

/// The kinds of own measurements a study asks for, and those a participant gives to it (FB-2). None by default.
package enum StudyMeasures {
    package typealias Measure = MeasurementSharing.Measure

    /// The kinds a study may ask for.
    package static let offered = Measure.ordered

    /// The sentence that a tick agrees to now. Under the first one ticks counted only with the consent to research
    /// (before FD-19); from the second on the tick is the yes.
    package static let sentence = 2
    /// What the consent to research says of listening and matches, given before these were asked for one by one (ST-6). They stay given
    /// until the participant takes the tick away.
    package static let researchSentence = 3

    /// The words of a sentence, by its version; every one that a tick may have been given under.
    package static func words(ofSentence version: Int, _ texts: Texts) -> String {
        texts["own_studies.measures_sentence_\(version)"]
    }

    static func list(column: String) -> [Measure] {
        let names = Set(column.split(separator: " ").map(String.init))
        return offered.filter { names.contains($0.rawValue) }
    }

    static func column(_ measures: [Measure]) -> String {
        offered.filter(measures.contains).map(\.rawValue).joined(separator: " ")
    }

    /// A list of kinds over the API; nil when none was sent.
    /// - Parameter asked: the kinds to choose from.
    static func read(_ fields: InputReader, from asked: [Measure] = offered) -> [Measure]? {
        guard let value = fields.value("measurements") else { return nil }
        let names = value.array?.map { $0.string ?? "" }
        guard let names, names.allSatisfy({ name in asked.contains { $0.rawValue == name } }) else {
            let choices = asked.map(\.rawValue).joined(separator: ", ")
            if asked.count < offered.count {
                fields.refuse("measurements", "studies.measure_not_asked")
            } else {
                fields.refuse("measurements", "errors.choice", ["choices": choices])
            }
            return nil
        }
        return asked.filter { names.contains($0.rawValue) }
    }

    /// The ticked boxes of a form.
    package static func ticked(_ fields: InputReader, from asked: [Measure] = offered) -> [Measure] {
        asked.filter { fields.bool(box($0)) ?? false }
    }

    /// The name of a kind's box.
    package static func box(_ measure: Measure) -> String { "measure_\(measure.rawValue)" }

    /// Boxes for some kinds.
    /// - Parameter hint: below the first of them.
    package static func boxes(
        _ asked: [Measure], ticked: [Measure], label: String, hint: String? = nil, _ filled: FormState
    ) -> [FieldView] {
        asked.map { measure in
            var field = filled.box(box(measure), label: label, isOn: ticked.contains(measure))
            field.label = filled.texts[label, ["name": filled.texts["health.\(measure.rawValue)"]]]
            let words = [measure == asked.first ? hint : nil, content(of: measure, filled.texts)]
            field.hint = words.contains { $0 != nil } ? words.compactMap(\.self).joined(separator: " ") : nil
            return field
        }
    }

    /// What a study gets with a kind whose name does not say it.
    private static func content(of measure: Measure, _ texts: Texts) -> String? {
        switch measure {
        case .listening: texts["own_studies.listening_content"]
        case .tinnitus: texts["own_studies.tinnitus_content"]
        default: nil
        }
    }
}
