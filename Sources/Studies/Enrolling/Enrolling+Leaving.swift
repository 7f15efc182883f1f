import Database
import Identity
import Records
import Web
import Wire
import Wording

extension Enrolling {
    /// - Parameter isRemoving: whether the answers are erased, too.
    /// - Returns: the number of the receipt; nil for a request that is withdrawn.
    @discardableResult
    package static func leave(
        _ study: StudyRecord, isRemoving: Bool, _ c: Context<Member>
    ) throws -> ReceiptNumber? {
        try end(study, as: .enrolmentLeft, isRemoving: isRemoving, c) { _, _ in true }
    }

    /// Refuses a newer consent text, which ends the participation as chosen. Without an answer the earlier text stays in force.
    /// - Parameter version: the one that was read.
    /// - Returns: the number of the receipt, sent once more the same; nil for a request that is withdrawn.
    /// - Throws: `Problem.preconditionFailed` for a text that is replaced by now, `.conflict` where the text was agreed to.
    package static func refuse(
        _ study: StudyRecord, version: Int, isRemoving: Bool, _ c: Context<Member>
    ) throws -> ReceiptNumber? {
        try end(study, as: .consentRefused, isRemoving: isRemoving, c) { enrolment, connection in
            switch enrolment.state {
            // Sent once more, or after leaving: what was to be erased is erased, and a later word changes nothing.
            case .left: return false
            case .declined: throw Problem.notFound
            case .enrolled, .pending: break
            }
            guard let present = try StudyStore.find(study.id, connection) else { throw Problem.notFound }
            if present.consentVersion != version { throw Problem.preconditionFailed }
            if enrolment.consentVersion == version {
                throw Problem.conflict(Message("studies.consent_given"))
            }
            // A request has no answers: those of an earlier participation are none of its affair.
            return enrolment.state == .enrolled
        }
    }

    /// - Parameter check: looks at the participation before it ends, and says whether answers may be erased with it.
    private static func end(
        _ study: StudyRecord, as action: AuditAction, isRemoving: Bool, _ c: Context<Member>,
        _ check: @escaping @Sendable (EnrolmentRecord, borrowing Connection) throws -> Bool
    ) throws -> ReceiptNumber? {
        let account = c.proof.account.id
        let key = try c.proof.account.key(c.keys)
        let number = try c.write(action, about: account, object: study.id) {
            [now = c.now, services = c.services] connection -> ReceiptNumber? in
            guard let enrolment = try EnrolmentStore.find(in: study.id, of: account, connection) else {
                throw Problem.notFound
            }
            let isRemoving = try check(enrolment, connection) && isRemoving
            try LeavingStore.leave(enrolment, at: now, connection)
            try StudyNotices.settle(account, at: now, connection)
            try services.participates(account, at: now, connection)
            let number = try Receipts.note(
                enrolment, key, isRemoving: isRemoving, services, at: now, in: connection)
            guard isRemoving else { return number }
            let versions = try LeavingStore.versions(in: study.id, connection)
            for feature in services.features {
                try feature.eraseAnswers(account, study.id, versions, connection)
            }
            try LeavingStore.noteErasure(of: account, in: study.id, at: now, connection)
            return number
        }
        c.services.spread(.studiesChanged(account))
        return number
    }

    /// Declines the study that the own therapist has offered: it is not asked about again, and stays open.
    /// - Throws: `Problem.notFound` for one that is not offered.
    package static func decline(_ study: ID<Study>, _ c: Context<Member>) throws {
        let account = c.proof.account.id
        try c.write(.studyOfferDeclined, about: account, object: study) { [now = c.now] connection in
            let isOffered = try OfferStore.decline(study, by: account, at: now, connection)
            if !isOffered { throw Problem.notFound }
        }
    }
}
