import Database
import Records
import Therapies
import Wire

/// Every statement about stored answers: facts noted later, and erasing them with their scores.
package enum ContributionUpkeepStore {
    /// All that an account has ever answered.
    static func erase(of account: ID<Account>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account)")
    }

    /// A participant's answers in a study, from every time they took part.
    static func erase(
        of account: ID<Account>, inStudy study: ID<Study>, _ connection: borrowing Connection
    ) throws {
        try connection.run("DELETE FROM contributions WHERE account_id = \(account) AND study_id = \(study)")
    }

    /// The answers of an account in a therapy. Sheets filled in before pairing belong to the holder and stay.
    package static func erase(
        of account: ID<Account>?, inTherapy therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            "DELETE FROM contributions WHERE therapy_id = \(therapy) AND account_id = \(account)")
    }

    // MARK: Noted later

    /// Sets the prompt of a sheet that came in before prompts were stored with sheets.
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
