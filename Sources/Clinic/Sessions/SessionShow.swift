import Records
import Therapies
import Web

extension SessionPages {
    /// One session: the facts before it, its agenda, and the therapist's notes (PR-12).
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
        let marks: [SessionRow.Mark]
        let hasMarks: Bool
        let briefingPath: String
        let briefingLabel: String
        /// Whether the therapist's private words are hidden.
        let isHidden: Bool
        /// Whether the reader may do more than read.
        let canWrite: Bool
        let revision: String?
        let agenda: [Item]
        let hasAgenda: Bool
        let fields: [FieldView]
        /// Since when unsaved input is kept; nil without any.
        let draft: String?
        /// Whether it was entered by hand and nothing depends on it.
        let canRemove: Bool
        /// The patient whose session comes after this one on the same day.
        let following: Layout.PatientBar.Neighbour?
        let last: LastSession?
        let assigned: [BriefingPages.Show.Line]
        let canAssign: Bool
        /// The facts before it; nil for one that did not take place, and for those later than the next.
        let briefing: BriefingPages.Show?
        let isStale: Bool
        package let errors: ErrorSummary?
    }
}
