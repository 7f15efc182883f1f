import Web
import Wire

/// The sentence of a consent text that says that leads learn dates of the participants' therapies (ST-1).
package enum SessionDatesLine {
    private static let key = "studies.session_dates_line"
    /// Of a study that follows every session.
    private static let everyKey = "studies.every_session_line"

    /// Puts it below the text in each of its languages, or takes it out, as the study says. A text that stays as it was stored keeps the
    /// sentence of its time.
    package static func set(in draft: inout StudyDraft, over stored: StudyRecord?, _ services: Services) {
        let isSame =
            draft.tellsSessionDates == stored?.tellsSessionDates
            && draft.tellsEverySession == stored?.tellsEverySession && draft.consent == stored?.consent
        if isSame { return }
        let line = draft.tellsEverySession ? everyKey : key
        ConsentLine.set(
            draft.tellsSessionDates ? line : nil, of: [key, everyKey], in: &draft.consent, services)
    }
}
