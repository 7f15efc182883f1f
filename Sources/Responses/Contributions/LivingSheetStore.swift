import Database
import Records
import Therapies
import Web
import Wire

/// A change of a profile as it is stored.
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

    package func opened(_ key: PersonKey) throws -> ProfileChange { try ProfileChange(self, key) }
}

/// Every statement about sheets that go on, and what they were before.
package enum LivingSheetStore {
    /// The one sheet of a profile in a therapy; nil before anything was answered.
    package static func find(
        _ key: String, of account: ID<Account>, inTherapy therapy: ID<Therapy>,
        _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first(
            """
            SELECT contributions.* FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.therapy_id = \(therapy) AND contributions.account_id = \(account)
            AND questionnaires.key = \(key) AND EXISTS (SELECT 1 FROM profile_changes
                WHERE account_id = contributions.account_id AND contribution_id = contributions.id)
            """)
    }

    /// The same of a study that somebody takes part in.
    package static func find(
        _ key: String, of account: ID<Account>, as enrolment: ID<Enrolment>,
        _ connection: borrowing Connection
    ) throws -> ContributionRecord? {
        try connection.first(
            """
            SELECT contributions.* FROM contributions
            JOIN questionnaires ON questionnaires.id = contributions.questionnaire_id
            WHERE contributions.enrolment_id = \(enrolment) AND contributions.account_id = \(account)
            AND questionnaires.key = \(key) AND EXISTS (SELECT 1 FROM profile_changes
                WHERE account_id = contributions.account_id AND contribution_id = contributions.id)
            """)
    }

    /// What a device sent under an id.
    package static func change(
        _ id: ID<ContributionRecord>, of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> SealedProfileChange? {
        try connection.first("SELECT * FROM profile_changes WHERE account_id = \(account) AND id = \(id)")
    }

    /// Sealed anew with every change, so no two are alike.
    package static func revision(
        of sheet: ContributionRecord, _ connection: borrowing Connection
    ) throws -> Int? {
        try connection.revision(
            """
            SELECT answers, received_at FROM contributions
            WHERE account_id = \(sheet.accountID) AND id = \(sheet.id)
            """)
    }

    /// All that was ever changed in somebody's profiles, the earliest first.
    package static func changes(
        of account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [SealedProfileChange] {
        try connection.all(
            "SELECT * FROM profile_changes WHERE account_id = \(account) ORDER BY received_at, id")
    }

    package static func insert(
        _ change: ProfileChange, _ key: PersonKey, _ connection: borrowing Connection
    ) throws {
        let sealed = try change.sealed(key)
        try connection.run(
            """
            INSERT INTO profile_changes (account_id, id, contribution_id, questionnaire_id, received_at, changes)
            VALUES (\(change.account), \(change.id), \(change.sheet), \(change.questionnaire),
                \(change.receivedAt), \(sealed))
            """)
    }

    /// Puts what a sheet says now in the place of what it said before. The assignment that it answers is the one that was
    /// opened last.
    package static func update(
        _ sheet: NewContribution, _ sealed: SealedAnswers, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET questionnaire_id = \(sheet.questionnaire), completed_at = \(sheet.completedAt),
                received_at = \(sheet.receivedAt), timezone = \(sheet.timezone), answers = \(sealed.answers),
                details = \(sealed.details), answered = \(sheet.answered), asked = \(sheet.asked),
                assignment_id = \(sheet.assignment), must_be_seen = \(sheet.mustBeSeen),
                consent_version = \(sheet.consentVersion),
                seen_at = CASE WHEN must_be_seen = 0 THEN NULL ELSE seen_at END,
                seen_by = CASE WHEN must_be_seen = 0 THEN NULL ELSE seen_by END
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
