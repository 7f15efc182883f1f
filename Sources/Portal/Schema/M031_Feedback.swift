import Database

/// Feedback to the project's team (TYT-4), sealed under the installation's key. It is erased with its account;
/// without an account it cannot be attributed.
let m031Feedback = Migration(
    "M031_Feedback", .contract,
    """
    CREATE TABLE feedback_messages (
        id TEXT PRIMARY KEY,
        account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
        message BLOB NOT NULL,
        received_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX feedback_messages_account ON feedback_messages (account_id);
    CREATE INDEX feedback_messages_received ON feedback_messages (received_at);
    """)
