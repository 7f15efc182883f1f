import Web
import Wire

/// A sentence of the house below a consent text: what leads learn by the way a study is built.
package enum ConsentLine {
    private static let gap = "\n\n"

    /// Puts one of the sentences below the text in each of its languages, in the place of the others.
    /// - Parameter key: of the texts; nil takes all of them out.
    static func set(
        _ key: String?, of keys: [String], in consent: inout LocalizedText, _ services: Services
    ) {
        let known = keys.map { services.sentence($0) }
        let sentences = key.map { services.sentence($0) }
        for code in consent.languages {
            guard let text = consent[code] else { continue }
            // A language that is not installed has the sentence in English.
            let without = known.compactMap { $0[code] ?? $0["en"] }.reduce(text) { text, line in
                text.replacing(gap + line, with: "").replacing(line, with: "")
            }
            guard let sentences else {
                consent[code] = without.isEmpty ? nil : without
                continue
            }
            guard let line = sentences[code] ?? sentences["en"] else { continue }
            consent[code] = without.isEmpty ? line : without + gap + line
        }
    }

    private static let gender = "studies.gender_line"

    /// That leads learn the participants' gender, in a study whose allocation is balanced by it (ST-5). A text that has the sentence
    /// stays as it is.
    package static func set(
        tellsGender: Bool, in consent: inout LocalizedText, _ services: Services
    ) {
        let sentence = services.sentence(gender)
        let isThere = consent.languages.filter { code in
            (sentence[code] ?? sentence["en"]).map { consent[code]?.contains($0) ?? false } ?? false
        }
        if tellsGender ? isThere.count == consent.languages.count : isThere.isEmpty { return }
        set(tellsGender ? gender : nil, of: [gender], in: &consent, services)
    }
}
