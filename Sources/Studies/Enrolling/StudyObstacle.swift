import Database
import Records
import Therapies
import Wire
import Wording

/// Why a study takes in no one more, or not this person: said before the text that there would be to agree to, and looked at
/// again when a group is drawn.
package enum StudyObstacle: String, Sendable, CaseIterable {
    case ended
    case closed = "allocation_closed"
    case full = "sample_complete"
    case otherGroup = "in_other_group"

    /// In words for the person whom it keeps out.
    package var message: Message {
        switch self {
        case .ended: Message("studies.ended")
        case .closed: Message("studies.allocation_closed")
        case .full: Message("studies.complete")
        case .otherGroup: Message("studies.in_other_group")
        }
    }

    /// Of groups alone.
    /// - Parameter earlier: the group that somebody was in before they left: coming back takes no other place.
    init?(_ stored: GroupStore.Stored, earlier: Therapy.Arm?, _ therapy: Therapy?) {
        if earlier == nil, stored.closedAt != nil {
            self = .closed
        } else if earlier == nil, stored.isComplete {
            self = .full
        } else if therapy?.arm != nil {
            self = .otherGroup
        } else {
            return nil
        }
    }

    /// - Parameter account: nil for a visitor, of whom no group is known.
    package static func find(
        _ study: StudyRecord, for account: ID<Account>?, at now: Instant, _ connection: borrowing Connection
    ) throws -> StudyObstacle? {
        if study.hasEnded(at: now) { return .ended }
        guard let stored = try GroupStore.find(study.id, connection) else { return nil }
        let earlier = try account.flatMap { try GroupStore.earlierArm(of: $0, in: study.id, connection) }
        let therapy = try account.flatMap { try TherapyStore.running(of: $0, connection) }
        return StudyObstacle(stored, earlier: earlier, therapy)
    }
}
