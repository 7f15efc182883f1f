import Database
import Records
import Therapies
import Wire

/// Every statement about answers after they came in: what is noted with them later, and how they go, with their scores.
package enum ContributionUpkeepStore {
    /// All that somebody has ever answered.
    static func erase(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account)")
    }

    /// What somebody answered in a study, whenever they took part.
    static func erase(
        of account: ID<Account>, inStudy study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account) AND study_id = \(study)")
    }

    /// What somebody answered in a therapy. What was filled in before pairing belongs to its holder and stays.
    package static func erase(
        of account: ID<Account>?, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM contributions WHERE therapy_id = \(therapy) AND account_id = \(account)")
    }

    // MARK: Noted later

    /// The prompt that a sheet answers, where it came in before prompts were stored with sheets.
    package static func set(
        _ prompt: AnsweredPrompt, of sheet: ID<ContributionRecord>, by account: ID<Account>,
        _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            UPDATE contributions SET prompt_id = \(prompt.id), prompted_at = \(prompt.at)
            WHERE account_id = \(account) AND id = \(sheet)
            """)
    }
}
