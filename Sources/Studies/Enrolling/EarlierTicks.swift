import Accounts
import Database
import Identity
import Records
import Web
import Wire

/// Measurements ticked under a sentence that bound them to the consent to research. They stay bound to it; the
/// participant is asked once, by a notice, whether the tick alone is to count.
package enum EarlierTicks {
    private static let peopleATime = 50

    /// Called at the start of the portal: no more ticks are given under an earlier sentence.
    package static func ask(_ services: Services) throws {
        let records = services.records
        while true {
            let part = try records.read {
                try StudyMeasureStore.unasked(limit: peopleATime, $0)
            }
            if part.isEmpty { return }
            let now = services.clock.now
            try records.writeUnaudited(.installation) { connection in
                for enrolment in part {
                    try StudyMeasureStore.noteAsked(enrolment.id, at: now, connection)
                    try tell(enrolment, services, at: now, connection)
                }
            }
        }
    }

    private static func tell(
        _ enrolment: EnrolmentRecord, _ services: Services, at now: Instant,
        _ connection: borrowing Connection
    ) throws {
        guard let study = try StudyStore.find(enrolment.studyID, connection), study.archivedAt == nil,
            let account = try AccountStore.find(enrolment.accountID, connection)
        else { return }
        try StudyNotices.tell(
            account, .consentChanged, "own_studies.notice_measures", of: study, services, at: now, connection)
    }
}
