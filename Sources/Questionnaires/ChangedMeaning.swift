import Wire
import Wording

/// What the same question or the same value meant in a version before, and means in the next: figures of both stand in one column.
package struct ChangedMeaning: Sendable, Equatable {
    /// The question's key.
    package let question: String
    /// Nil for the question itself.
    package let value: Double?
    package let before: String
    package let after: String

    /// Every change of words that numbers of both versions hide, in the order of the new one.
    /// - Parameters:
    ///   - language: of the words, where both versions have it; else one that both have.
    ///   - yesNo: the words of no and yes, as people are asked.
    package static func all(
        from old: QuestionnaireDefinition, to new: QuestionnaireDefinition, in language: String,
        yesNo: [LocalizedText]
    ) -> [ChangedMeaning] {
        new.questions.flatMap { question -> [ChangedMeaning] in
            guard let former = old.question(question.key) else { return [] }
            let pairs = [(value: Double?.none, former.text, question.text)] + values(former, question, yesNo)
            return pairs.compactMap { value, before, after in
                guard let (before, after) = different(before, after, language) else { return nil }
                return ChangedMeaning(question: question.key, value: value, before: before, after: after)
            }
        }
    }

    /// The values that both versions give words to, and ends of a range that are none any more.
    private static func values(
        _ old: QuestionnaireDefinition.Question, _ new: QuestionnaireDefinition.Question,
        _ yesNo: [LocalizedText]
    ) -> [(value: Double?, LocalizedText, LocalizedText)] {
        let before = words(old, yesNo)
        let after = words(new, yesNo)
        let same = after.compactMap { value, text in
            before.first { $0.value == value }.map { (value: value, $0.text, text) }
        }
        guard case .some(let range) = span(of: after, new), !before.isEmpty, span(of: before, old) != nil
        else {
            return same
        }
        // What was an end lies between two others now, or beyond them.
        return same
            + before.compactMap { value, text in
                after.contains { $0.value == value } ? nil : (value: value, text, range)
            }
    }

    /// The words of both ends of a range; nil for other questions, and for ends without words.
    private static func span(
        of ends: [(value: Double, text: LocalizedText)], _ question: QuestionnaireDefinition.Question
    ) -> LocalizedText? {
        switch question.type {
        case .slider, .sam: break
        case .single, .multiple, .yesNo, .text, .number, .date: return nil
        }
        guard ends.count == 2 else { return nil }
        let both = ends[0].text.translations.compactMap { language, low in
            ends[1].text[language].map { (language: language, text: "\(low) … \($0)") }
        }
        return both.isEmpty ? nil : LocalizedText(translations: both)
    }

    private static func words(
        _ question: QuestionnaireDefinition.Question, _ yesNo: [LocalizedText]
    ) -> [(value: Double, text: LocalizedText)] {
        switch question.type {
        case .yesNo: yesNo.enumerated().map { (Double($0.offset), $0.element) }
        case .single, .multiple: question.options.map { ($0.value, $0.text) }
        case .slider(let low, let high, _), .sam(_, let low, let high):
            [(low, question.minimumLabel), (high, question.maximumLabel)].compactMap { value, text in
                text.map { (value, $0) }
            }
        case .text, .number, .date: []
        }
    }

    /// The words in the first language in which they differ, beginning with the asked one.
    private static func different(
        _ before: LocalizedText, _ after: LocalizedText, _ language: String
    ) -> (String, String)? {
        ([language] + after.languages).lazy.compactMap { code -> (String, String)? in
            guard let old = before[code], let new = after[code], !old.utf8.elementsEqual(new.utf8) else {
                return nil
            }
            return (old, new)
        }.first
    }
}
