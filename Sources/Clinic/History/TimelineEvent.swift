import Contributions
import Delivery
import Instruments
import Records
import Rules
import Therapies
import Wire

/// An event in a therapy.
package struct TimelineEvent: Sendable {
    package enum Content: Sendable {
        case contribution(ContributionSummary, of: QuestionnaireRecord)
        case assignment(AssignmentRecord, of: QuestionnaireRecord)
        case session(SessionList.Numbered)
        /// - Parameter because: the rule behind it, with the values that met it; nil where it was given by hand.
        case intervention(InterventionRecord, text: LocalizedText, because: String?)
        /// - Parameter remark: the comment with which it was acknowledged.
        case alert(AlertRecord, heading: String?, because: String, remark: String?)
        /// A line for the session from a rule's firing.
        case note(firing: ID<Firing>, heading: String?, because: String)
        /// - Parameter cover: the substitute.
        case pause(PauseRecord, cover: String?)
        /// Reached by phone.
        /// - Parameter note: the therapist's note; nil without one, and while it is hidden.
        case phone(PhoneContactRecord, note: String?)
        case begin(Therapy)
        case pairing(Therapy)
        case end(Therapy)
    }

    /// The filters of the page, which the call names, too.
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

    /// Events have no id: it is made of kind and subject; for begin and end of a therapy of the second alone.
    package var id: String {
        if case .end = content { return "\(kind.rawValue)/\(subjectID)/end" }
        return "\(kind.rawValue)/\(subjectID)"
    }

    /// The answers, for such an event.
    var contribution: (summary: ContributionSummary, questionnaire: QuestionnaireRecord)? {
        if case .contribution(let summary, let questionnaire) = content { return (summary, questionnaire) }
        return nil
    }
}
