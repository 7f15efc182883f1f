import Database
import Identity
import Records
import Scheduling
import Studies
import Web
import Wire
import Wording

/// The part of the own copy that tells of studies.
extension OwnDataReader {
    struct TakingPart: Encodable, Sendable {
        let study: String
        let codename: String
        let state: String
        let asked_at: Instant
        let enrolled_at: Instant?
        let left_at: Instant?
        let consent_version: Int
        let consented_at: Instant
        let consents: [AgreedTo]
        let location: String?
        let location_at: Instant?
        let own_times: [OwnTime]
    }

    /// A consent text that was agreed to; the way is null where it was not kept yet.
    struct AgreedTo: Encodable, Sendable {
        package let version: Int
        let agreed_at: Instant
        let way: String?
        let text: String?
    }

    /// When somebody chose when to be asked for a questionnaire; no plan: as the study asks.
    struct OwnTime: Encodable, Sendable {
        let questionnaire_key: String
        let since: Instant
        let plan: NotificationPlan?
    }

    func studies(_ connection: borrowing Connection) throws -> [TakingPart] {
        try EnrolmentStore.all(of: account.id, connection).map { enrolment in
            let study = try StudyStore.find(enrolment.studyID, connection)
            let items = try StudyItemStore.all(in: enrolment.studyID, connection)
            let times = try NotificationTimesStore.all(of: enrolment.id, connection)
            let agreed = try AgreedConsentStore.all(of: account.id, in: enrolment.studyID, connection)
            return TakingPart(
                study: study?.title.text(in: c.languages) ?? enrolment.studyID.text,
                codename: enrolment.codename,
                state: enrolment.state.rawValue, asked_at: enrolment.askedAt,
                enrolled_at: enrolment.enrolledAt,
                left_at: enrolment.leftAt, consent_version: enrolment.consentVersion,
                consented_at: enrolment.consentedAt,
                consents: agreed.filter { $0.enrolment == enrolment.id }.map {
                    AgreedTo(
                        version: $0.version, agreed_at: $0.agreedAt, way: $0.way?.rawValue,
                        text: $0.text?.text(in: c.languages))
                },
                location: enrolment.location?.rawValue, location_at: enrolment.locationAt,
                own_times: items.flatMap { item in
                    (times[item.id] ?? []).map {
                        OwnTime(questionnaire_key: item.key, since: $0.since, plan: $0.times?.wire)
                    }
                })
        }
    }
}
