import Database
import Records
import Therapies
import Wire
import Wording

/// Why a study takes no more participants, or not this person: before the consent text, and at the draw.
package enum StudyObstacle: String, Sendable, CaseIterable {
    case ended
    case closed = "allocation_closed"
    case full = "sample_complete"
    case otherGroup = "in_other_group"

    /// In words for the person concerned.
    package var message: Message {
        switch self {
        case .ended: Message("studies.ended")
        case .closed: Message("studies.allocation_closed")
        case .full: Message("studies.complete")
        case .otherGroup: Message("studies.in_other_group")
        }
    }

    /// For groups alone.
    /// - Parameter earlier: the group before leaving: returning takes no other place.
    init?(_ stored: GroupStore.Stored, earlier: StudyArm?, _ therapy: Therapy?) {
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

    /// - Parameter account: nil for a visitor, whose group is unknown.
    package static func find(
        _ study: StudyRecord, for account: ID<Account>?, at now: Instant, _ connection: borrowing Connection
    ) throws -> StudyObstacle? {
        if study.hasEnded(at: now) { return .ended }
        guard let stored = try GroupStore.find(study.id, connection) else { return nil }
        let earlier = try account.flatMap {
            try GroupStore.earlierArm(of: $0, in: study.id, stored.groups, connection)
        }
        let therapy = try account.flatMap { try TherapyStore.running(of: $0, connection) }
        return StudyObstacle(stored, earlier: earlier, therapy)
    }
}
