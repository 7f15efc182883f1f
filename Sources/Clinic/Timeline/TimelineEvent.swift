import Instruments
import Records
import Responses
import Rules
import Therapies
import Wire

/// Something that happened in a therapy.
package struct TimelineEvent: Sendable {
    package enum Content: Sendable {
        case contribution(ContributionSummary, of: QuestionnaireRecord)
        case assignment(AssignmentRecord, of: QuestionnaireRecord)
        case session(SessionList.Numbered)
        /// - Parameter because: the rule behind it, with the values that met it; nil where it was given by hand.
        case intervention(InterventionRecord, text: LocalizedText, because: String?)
        /// - Parameter remark: the word with which it was acknowledged.
        case alert(AlertRecord, heading: String?, because: String, remark: String?)
        /// A line that a rule wrote for the session, by the firing that did.
        case note(firing: ID<Firing>, heading: String?, because: String)
        /// - Parameter cover: who stands in.
        case pause(Therapies.Pause, cover: String?)
        /// Reached by phone.
        /// - Parameter note: what the therapist wrote of it; nil for nothing, and while it is hidden.
        case phone(Therapies.PhoneContact, note: String?)
        case begin(Therapy)
        case pairing(Therapy)
        case end(Therapy)
    }

    /// What the page is filtered by, and the call names.
    package enum Kind: String, Sendable, CaseIterable {
        case pairing, assignment, contribution, daily, intervention, session, alert, note, therapy
    }

    package let at: Instant
    package let content: Content

    package var kind: Kind {
        switch content {
        case .contribution(let summary, _): summary.isDaily ? .daily : .contribution
        case .assignment: .assignment
        case .session: .session
        case .intervention: .intervention
        case .alert: .alert
        case .note, .phone: .note
        case .pause, .begin, .end: .therapy
        case .pairing: .pairing
        }
    }

    /// The id of what it is about.
    package var subjectID: String {
        switch content {
        case .contribution(let summary, _): summary.id.text
        case .assignment(let record, _): record.id.text
        case .session(let session): session.session.id.text
        case .intervention(let record, _, _): record.id.text
        case .alert(let record, _, _, _): record.id.text
        case .note(let firing, _, _): firing.text
        case .pause(let pause, _): pause.id.text
        case .phone(let contact, _): contact.id.text
        case .begin(let therapy), .pairing(let therapy), .end(let therapy): therapy.id.text
        }
    }

    /// Events have no id of their own: kind and subject name them, and of a therapy's two the second says so.
    package var id: String {
        if case .end = content { return "\(kind.rawValue)/\(subjectID)/end" }
        return "\(kind.rawValue)/\(subjectID)"
    }

    /// The answers, where it is such.
    var contribution: (summary: ContributionSummary, questionnaire: QuestionnaireRecord)? {
        if case .contribution(let summary, let questionnaire) = content { return (summary, questionnaire) }
        return nil
    }
}
