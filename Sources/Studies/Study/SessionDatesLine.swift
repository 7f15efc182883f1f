import Web
import Wire

/// The sentence of a consent text that says that leads learn dates of the participants' therapies (ST-1).
package enum SessionDatesLine {
    private static let key = "studies.session_dates_line"
    /// Of a study that follows every session.
    private static let everyKey = "studies.every_session_line"
    private static let gap = "\n\n"

    /// Puts it below the text in each of its languages, or takes it out, as the study says. A text that stays as it was stored keeps the
    /// sentence of its time.
    package static func set(in draft: inout StudyDraft, over stored: StudyRecord?, _ services: Services) {
        let isSame =
            draft.tellsSessionDates == stored?.tellsSessionDates
            && draft.tellsEverySession == stored?.tellsEverySession && draft.consent == stored?.consent
        if isSame { return }
        let known = [services.sentence(key), services.sentence(everyKey)]
        let sentences = known[draft.tellsEverySession ? 1 : 0]
        for code in draft.consent.languages {
            guard let text = draft.consent[code] else { continue }
            // A language that is not installed has the sentence in English.
            guard let line = sentences[code] ?? sentences["en"] else { continue }
            let without = known.compactMap { $0[code] ?? $0["en"] }.reduce(text) { text, line in
                text.replacing(gap + line, with: "").replacing(line, with: "")
            }
            let told = without.isEmpty ? line : without + gap + line
            draft.consent[code] = draft.tellsSessionDates ? told : without.isEmpty ? nil : without
        }
    }
}
