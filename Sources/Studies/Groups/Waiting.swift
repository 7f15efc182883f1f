import Database
import Records
import Therapies
import Wire

/// Participants who are enrolled and not allocated: the study asks its baseline only, and their therapies go on as without it (ST-5).
package enum Waiting {
    /// What a participant waits for.
    package enum Cause: Sendable {
        /// Required baselines without an answer.
        case baseline([StudyItem])
        /// The baseline is complete, and no place is free; the number on the reserve list, from 1.
        case place(Int)
        /// The therapy is in the group of another study.
        case otherGroup
        /// Allocation was closed, or the study has ended.
        case closed
    }

    /// Allocates a participant who waits as soon as the baseline is complete and there is a place, in the transaction that changes it.
    /// - Returns: whether they are allocated now.
    package static func follow(
        _ id: ID<Enrolment>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        // Of a participant whose data may not be disclosed nothing is drawn.
        guard let enrolment = try EnrolmentStore.consenting(id, connection), enrolment.waits,
            let study = try StudyStore.find(enrolment.studyID, connection),
            let stored = try GroupStore.find(study.id, connection)
        else { return false }
        let isReady = try missing(enrolment, study, connection).isEmpty
        if isReady != (enrolment.baselineAt != nil) {
            try WaitingStore.set(baselineAt: isReady ? now : nil, of: id, connection)
        }
        guard isReady, !study.hasEnded(at: now) else { return false }
        let therapy = try TherapyStore.running(of: enrolment.accountID, connection)
        if StudyObstacle(stored, earlier: nil, therapy) != nil { return false }
        try ArmAllocation.place(enrolment, by: stored, in: therapy, at: now, connection)
        try WaitingStore.end(id, at: now, connection)
        return true
    }

    /// What each waits for, the longest first. Only of those whose data may be disclosed.
    package static func causes(
        in study: StudyRecord, at now: Instant, _ connection: borrowing Connection
    ) throws -> [(enrolment: EnrolmentRecord, cause: Cause)] {
        guard let stored = try GroupStore.find(study.id, connection) else { return [] }
        let isOver = stored.closedAt != nil || study.hasEnded(at: now)
        var reserve = 0
        return try WaitingStore.told(in: study.id, connection).map { enrolment in
            if isOver { return (enrolment, .closed) }
            let missing = try missing(enrolment, study, connection)
            if !missing.isEmpty { return (enrolment, .baseline(missing)) }
            if try TherapyStore.running(of: enrolment.accountID, connection)?.arm != nil {
                return (enrolment, .otherGroup)
            }
            reserve += 1
            return (enrolment, .place(reserve))
        }
    }

    private static func missing(
        _ enrolment: EnrolmentRecord, _ study: StudyRecord, _ connection: borrowing Connection
    ) throws -> [StudyItem] {
        try StudyPrompts(study, connection).of(enrolment, connection).missingBaselines
    }

    /// Those who can be allocated now, those first whose baseline was complete first.
    /// - Parameter only: of this study; nil for all.
    static func ready(
        in only: ID<Study>?, at now: Instant, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        try WaitingStore.studies(connection).flatMap { study -> [EnrolmentRecord] in
            guard only ?? study == study, let study = try StudyStore.find(study, connection),
                !study.hasEnded(at: now),
                let stored = try GroupStore.find(study.id, connection)
            else { return [] }
            return try WaitingStore.told(in: study.id, connection).filter { enrolment in
                let therapy = try TherapyStore.running(of: enrolment.accountID, connection)
                return try StudyObstacle(stored, earlier: nil, therapy) == nil
                    && missing(enrolment, study, connection).isEmpty
            }
        }
    }
}
