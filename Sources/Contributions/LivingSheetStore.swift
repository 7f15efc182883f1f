import Database
import Records
import Therapies
import Web
import Wire

package struct SealedProfileChange: Sendable, FromRow {
    let id: ID<ContributionRecord>
    package let sheet: ID<ContributionRecord>
    let account: ID<Account>
    package let questionnaire: ID<QuestionnaireVersion>
    package let receivedAt: Instant
    let changes: [UInt8]

    package init(row: borrowing Row) throws {
        id = try row["id"]
        sheet = try row["contribution_id"]
        account = try row["account_id"]
        questionnaire = try row["questionnaire_id"]
        receivedAt = try row["received_at"]
        changes = try row["changes"]
    }

    package func opened(_ key: PersonKey) throws -> LivingChange { try LivingChange(self, key) }
}

/// Every statement about continued sheets and their former states.
package enum LivingSheetStore {
    /// The one sheet of a profile in a therapy, or in a participant's study; nil before the first answer.
    package static func find(
        _ key: String, of account: ID<Account>, inTherapy therapy: ID<Therapy>? = nil,
        as enrolment: ID<Enrolment>? = nil, _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first(
            """
            SELECT contributions.* FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE (contributions.therapy_id = \(therapy) OR contributions.enrolment_id = \(enrolment))
            AND contributions.account_id = \(account)
            AND questionnaires.key = \(key) AND EXISTS (SELECT 1 FROM profile_changes
                WHERE account_id = contributions.account_id AND contribution_id = contributions.id)
            """)
    }

    /// The change that a device sent under an id.
    package static func change(
        _ id: ID<ContributionRecord>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> SealedProfileChange? {
        try connection.first("SELECT * FROM profile_changes WHERE account_id = \(account) AND id = \(id)")
    }

    /// Sealed anew with every change, so the seal identifies the state.
    package static func revision(
        of sheet: ContributionRecord, _ connection: borrowing Connection
    ) throws -> Int? {
        try connection.revision(
            """
            SELECT answers, received_at FROM contributions
            WHERE account_id = \(sheet.accountID) AND id = \(sheet.id)
            """)
    }

    /// All changes of an account's profiles, the earliest first.
    package static func changes(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [SealedProfileChange] {
        try connection.all(
            "SELECT * FROM profile_changes WHERE account_id = \(account) ORDER BY received_at, id")
    }

    package static func insert(
        _ change: LivingChange, _ key: PersonKey, _ connection: borrowing Connection
    ) throws {
        let sealed = try change.sealed(key)
        try connection.run(
            """
            INSERT INTO profile_changes (account_id, id, contribution_id, questionnaire_id, received_at, changes)
            VALUES (\(change.account), \(change.id), \(change.sheet), \(change.questionnaire),
                \(change.receivedAt), \(sealed))
            """)
    }

    /// Replaces the answers of a sheet. It then answers the assignment that was opened last.
    package static func update(
        _ sheet: NewContribution, _ sealed: SealedAnswers, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET questionnaire_id = \(sheet.questionnaire), completed_at = \(sheet.completedAt),
                received_at = \(sheet.receivedAt), timezone = \(sheet.zone.name), zone_word = \(sheet.zone.word), answers = \(sealed.answers),
                details = \(sealed.details), answered = \(sheet.answered), asked = \(sheet.asked),
                assignment_id = \(sheet.assignment), must_be_seen = \(sheet.mustBeSeen),
                consent_version = \(sheet.consentVersion),
                seen_at = CASE WHEN must_be_seen = 0 THEN NULL ELSE seen_at END,
                seen_by = CASE WHEN must_be_seen = 0 THEN NULL ELSE seen_by END,
                seen_comment = CASE WHEN must_be_seen = 0 THEN NULL ELSE seen_comment END
            WHERE account_id = \(sheet.account) AND id = \(sheet.id)
            """)
        try connection.run(
            """
            DELETE FROM contribution_scores
            WHERE account_id = \(sheet.account) AND contribution_id = \(sheet.id)
            """)
        try ContributionStore.insertScores(of: sheet, connection)
    }
}
