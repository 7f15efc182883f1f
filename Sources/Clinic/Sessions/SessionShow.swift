import Records
import Therapies
import Web
import Wire

extension SessionPages {
    /// One session: what is known before it, what is to be taken up, what the therapist keeps of it (PR-12).
    package struct Show: Page {
        package static let template = "sessions/show"
        package static let section: NavigationItem? = .patients

        struct Item: Encodable, Sendable {
            let index: Int
            let text: String
            let isDone: Bool
        }
        package let id: ID<Session>
        let patient: ID<Therapy>
        let codename: String
        let path: String
        let title: String
        let when: String
        let machineTime: String
        let state: String
        let tone: String
        let marks: [AppointmentPages.Row.Mark]
        let hasMarks: Bool
        let briefingPath: String
        let briefingLabel: String
        /// Whether the therapist hides what they wrote for their own eyes.
        let isHidden: Bool
        /// Whether the reader may do more than read.
        let canWrite: Bool
        let revision: String?
        let agenda: [Item]
        let hasAgenda: Bool
        let fields: [FieldView]
        /// Since when what is typed here waits to be saved; nil where nothing does.
        let draft: String?
        /// Whether it was entered by hand and nothing hangs on it.
        let canRemove: Bool
        /// The patient whose session comes after this one on the same day.
        let following: Layout.PatientBar.Neighbour?
        let last: LastSession?
        let assigned: [BriefingPages.Show.Line]
        let canAssign: Bool
        /// What was known before it; nil for one that did not take place, and further ahead than the next.
        let briefing: BriefingPages.Show?
        let isStale: Bool
        package let errors: ErrorSummary?

        package static let example = Show(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a15", patient: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
            codename: "C020480", path: "/patients", title: "Sitzung 12",
            when: "Dienstag, 24. November, 09:00 – 09:50", machineTime: "2026-11-24T09:00",
            state: "stattgefunden", tone: "good",
            marks: [AppointmentPages.Row.Mark(state: "missed", label: "nicht erschienen")], hasMarks: true,
            briefingPath: "/patients", briefingLabel: "Vor der Sitzung", isHidden: false, canWrite: true,
            revision: "7",
            agenda: [Item(index: 0, text: "Gespräch mit dem Bruder?", isDone: false)], hasAgenda: true,
            fields: [FieldView(name: "note", label: "Notiz", isArea: true)],
            draft: "Di 24.11. 09:52", canRemove: true,
            following: Layout.PatientBar.Neighbour(name: "C020481", path: "/patients"), last: .example,
            assigned: [
                BriefingPages.Show.Line(when: "09:20", text: "Aufgabe: Drei Momente", state: "geöffnet")
            ],
            canAssign: true, briefing: .example, isStale: false, errors: nil)
    }
}

/// What a therapist kept of the session before.
struct LastSession: Encodable, Sendable {
    let when: String
    let path: String
    let note: String?
    let done: [String]
    let hasDone: Bool

    static let example = LastSession(
        when: "17.11.2026", path: "/patients", note: "Schlaf besser, Prüfung rückt näher.",
        done: ["Tagesplan besprochen"], hasDone: true)
}
