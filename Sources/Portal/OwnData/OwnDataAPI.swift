import Accounts
import Clinic
import Database
import Foundation
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Participants
import Questionnaires
import Records
import Responses
import Rules
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// A copy of all own data as one document (GDPR 15 and 20). Staff's own notes about a person are the therapist's record
/// and not in it; what they gave the person is.
package enum OwnDataAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/export", .patient,
            .one("Everything held about the caller, one document", OwnData.self),
            show)
    }

    @Sendable package static func show(_ c: Context<Member>) throws -> Reply {
        try .data(One(try copy(c)))
    }

    /// Made anew; that it was taken stands in the audit log.
    static func copy(_ c: Context<Member>) throws -> OwnData {
        let account = c.proof.account
        let key = try account.key(c.keys)
        let data = try c.read { connection in
            let reader = OwnDataReader(account: account, key: key, c: c)
            return OwnData(try reader.sections(connection))
        }
        try c.write(.dataCopied, about: account.id) { _ in }
        return data
    }
}

/// Gathers what is held about one patient, from everybody's stores.
struct OwnDataReader {
    let account: AccountRecord
    let key: PersonKey
    let c: Context<Member>

    typealias Section = (name: String, content: any Encodable & Sendable)

    func sections(_ connection: borrowing Connection) throws -> [Section] {
        let therapies = try TherapyStore.all(of: account.id, connection)
        var sections: [Section] = [
            ("profile", try ProfileAPI.wire(account, c.keys, connection)),
            (
                "privacy",
                Privacy(
                    researchConsent: account.researchConsent,
                    history: try PrivacyStore.history(of: account.id, connection))
            ),
            ("time_zones", try zones(connection)),
            ("devices", try devices(connection)),
            ("notification_settings", account.notifications.wire),
            ("sensor_settings", SensorSettings(gps: account.isGPSOn, microphone: account.isMicrophoneOn)),
            ("vault", try vault(connection)),
            ("drafts", try drafts(connection)),
            ("contributions", try contributions(connection)),
            ("profile_changes", try profileChanges(connection)),
            ("tinnitus_matches", try matches(connection)),
            ("studies", try studies(connection)),
            ("refused_sheets", try refused(connection)),
            ("appointments", try appointments(connection)),
            (
                "notices",
                try NoticeStore.all(of: account.id, connection).map { try $0.wire(key, c.languages) }
            ),
        ]
        let said = try FeedbackStore.all(of: account.id, c.keys, connection)
        sections.append(("feedback", said.map(\.attributes)))
        sections += try heard(connection) + health(connection)
        sections.append(("therapies", try therapies.map { try therapy($0, connection) }))
        return sections
    }

    // MARK: Of the account

    private struct ZoneChange: Encodable, Sendable {
        let changed_at: Instant
        let timezone: String
    }

    private func zones(_ connection: borrowing Connection) throws -> [ZoneChange] {
        try AccountStore.zones(of: account.id, since: .distantPast, connection).map {
            ZoneChange(changed_at: $0.at, timezone: $0.zone.identifier)
        }
    }

    private func devices(_ connection: borrowing Connection) throws -> [Device] {
        let kinds: [Credential.Kind] = [.session, .token]
        return try CredentialStore.devices(of: account.id, kinds: kinds, at: c.now, connection).map {
            try $0.wire(key, current: c.proof.credential)
        }
    }

    private func vault(_ connection: borrowing Connection) throws -> Vault {
        let record = try VaultStore.find(account.id, connection)
        let text = try record?.ciphertext(key).map { Data($0).base64EncodedString() }
        return Vault(ciphertext: text, revision: record?.revision ?? 0)
    }

    private struct HalfFilled: Encodable, Sendable {
        package let subject_id: String
        let updated_at: Instant
        let answers: StoredJSON
    }

    private func drafts(_ connection: borrowing Connection) throws -> [HalfFilled] {
        try DraftStore.all(of: account.id, connection).map { draft in
            HalfFilled(
                subject_id: draft.subjectID.text, updated_at: draft.updatedAt,
                answers: StoredJSON(written: try draft.answers(key)))
        }
    }

    private struct Contribution: Encodable, Sendable {
        let id: String
        let questionnaire_key: String
        package let version: Int
        let title: String
        let started_at: Instant
        let completed_at: Instant
        let received_at: Instant
        let timezone: String
        let answers: StoredJSON
        let details: StoredJSON?
        let scores: Ordered<Double>
    }

    private func contributions(_ connection: borrowing Connection) throws -> [Contribution] {
        // What was filled in before pairing belongs to its holder, and is about the same person.
        let owners = try [account.id] + TherapyHolderStore.holders(of: account.id, connection)
        let records = try owners.flatMap { try ContributionStore.all(of: $0, connection) }
        let keys = try AnswerKeys(of: records, c.keys, connection)
        let scores = try ContributionStore.scores(of: records, connection)
        return try records.compactMap { record in
            let cache = c.services.questionnaires
            guard let key = keys[record],
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else { return nil }
            return Contribution(
                id: record.id.text, questionnaire_key: questionnaire.key, version: questionnaire.version,
                title: questionnaire.title(c.languages), started_at: record.startedAt,
                completed_at: record.completedAt, received_at: record.receivedAt, timezone: record.timezone,
                answers: try record.answers(key), details: try record.details(key),
                scores: Ordered((scores[record.id] ?? []).map { (key: $0.scale, value: $0.value) }))
        }
    }

    /// What a profile was before: one for each time that something of it was changed.
    private struct Change: Encodable, Sendable {
        let questionnaire_key: String
        package let version: Int
        let received_at: Instant
        let answers: JSON
        let answered_at: JSON
    }

    private func profileChanges(_ connection: borrowing Connection) throws -> [Change] {
        try LivingSheetStore.changes(of: account.id, connection).compactMap { row in
            let cache = c.services.questionnaires
            let change = try row.opened(key)
            return try QuestionnaireStore.find(row.questionnaire, cache, connection).map {
                Change(
                    questionnaire_key: $0.key, version: $0.version, received_at: change.receivedAt,
                    answers: change.answers, answered_at: change.answeredAt)
            }
        }
    }

    private struct Refused: Encodable, Sendable {
        let received_at: Instant
        let reason: String
        let decision: String?
        let sheet: JSON?
    }

    private func refused(_ connection: borrowing Connection) throws -> [Refused] {
        try QuarantineStore.all(of: account.id, connection).map { record in
            Refused(
                received_at: record.receivedAt, reason: record.reason.rawValue,
                decision: record.decision?.rawValue,
                sheet: record.isEmptied ? nil : try record.json(key))
        }
    }

    private func appointments(_ connection: borrowing Connection) throws -> [Appointment] {
        try AppointmentStore.all(of: account.id, from: .distantPast, until: .distantFuture, connection)
            .map { try $0.wire(key) }
    }
}

extension AuditAction {
    static let dataCopied = AuditAction(name: "data.copied")
}
