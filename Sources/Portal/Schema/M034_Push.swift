import Database

/// Web Push (PW-8, IO-25): subscriptions, the queue, and the fate of reminders.
let m034Push = Migration(
    "M034_Push", .contract,
    """
    -- One a device. Where messages go and the keys that seal them are sealed under the key of whose account it is.
    CREATE TABLE push_subscriptions (
        id TEXT PRIMARY KEY,
        credential_id TEXT NOT NULL UNIQUE REFERENCES credentials (id) ON DELETE CASCADE,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        host TEXT NOT NULL,
        endpoint BLOB NOT NULL,
        title BLOB,
        wants_prompts INTEGER NOT NULL CHECK (wants_prompts IN (0, 1)),
        wants_changes INTEGER NOT NULL CHECK (wants_changes IN (0, 1)),
        created_at INTEGER NOT NULL,
        last_accepted_at INTEGER,
        ended_at INTEGER
    ) STRICT;
    CREATE INDEX push_subscriptions_account ON push_subscriptions (account_id);

    -- What is to be sent, each once; subject is what it is about. Waiting while it is neither accepted nor given up.
    CREATE TABLE push_messages (
        id TEXT PRIMARY KEY,
        subscription_id TEXT NOT NULL REFERENCES push_subscriptions (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('assignment', 'prompt', 'change', 'test')),
        subject TEXT NOT NULL,
        due_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        next_try_at INTEGER NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        accepted_at INTEGER,
        given_up_at INTEGER,
        UNIQUE (subscription_id, kind, subject)
    ) STRICT;
    CREATE INDEX push_messages_waiting ON push_messages (next_try_at, id)
        WHERE accepted_at IS NULL AND given_up_at IS NULL;

    -- Relays that refused: five times in a row stop one, and somebody has to look.
    CREATE TABLE push_hosts (
        host TEXT PRIMARY KEY,
        refusals INTEGER NOT NULL DEFAULT 0,
        last_status INTEGER NOT NULL,
        paused_until INTEGER,
        stopped_at INTEGER
    ) STRICT;

    -- How far the reminders of studies got; those of therapies stand with their assignments.
    CREATE TABLE study_reminders (
        enrolment_id TEXT NOT NULL REFERENCES enrolments (id) ON DELETE CASCADE,
        prompt_id TEXT NOT NULL,
        prompted_at INTEGER NOT NULL,
        pushed_at INTEGER,
        shown_at INTEGER,
        PRIMARY KEY (enrolment_id, prompt_id)
    ) STRICT;

    ALTER TABLE assignments ADD COLUMN pushed_at INTEGER;
    ALTER TABLE assignments ADD COLUMN shown_at INTEGER;
    CREATE INDEX assignments_opening ON assignments (available_from);
    """)
