import Database

/// Accounts, the ways to sign in, and the audit log.
let m001Accounts = Migration(
    "M001_Accounts", .contract,
    """
    -- Facts about this installation, for example which key belongs to it.
    CREATE TABLE installation (
        name TEXT PRIMARY KEY,
        value BLOB NOT NULL
    ) STRICT;

    -- One person's login. Sealed: email, name.
    CREATE TABLE accounts (
        id TEXT PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('patient', 'staff')),
        wrapped_key BLOB NOT NULL,
        email BLOB NOT NULL,
        email_lookup BLOB NOT NULL UNIQUE,
        name BLOB,
        password_hash TEXT NOT NULL,
        language TEXT NOT NULL CHECK (language IN ('de', 'en')),
        timezone TEXT NOT NULL,
        sex INTEGER CHECK (sex IN (0, 1, 2, 9)),
        research_consent INTEGER NOT NULL DEFAULT 0 CHECK (research_consent IN (0, 1)),
        privacy_accepted_at INTEGER,
        created_at INTEGER NOT NULL,
        verified_at INTEGER
    ) STRICT;

    CREATE TABLE account_roles (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        role TEXT NOT NULL CHECK (role IN ('therapist', 'lead', 'admin')),
        PRIMARY KEY (account_id, role)
    ) STRICT;

    -- What patients see of their therapist; sealed as a whole.
    CREATE TABLE therapist_profiles (
        account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
        profile BLOB NOT NULL
    ) STRICT;

    -- Portal sessions and API tokens; only hashes. Sealed: device_name.
    CREATE TABLE credentials (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('session', 'token', 'registration')),
        hash BLOB NOT NULL UNIQUE,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        last_used_at INTEGER NOT NULL,
        device_name BLOB,
        platform TEXT,
        os_version TEXT,
        app_version TEXT,
        CHECK (expires_at > created_at)
    ) STRICT;
    CREATE INDEX credentials_account ON credentials (account_id);

    -- Links in mails; only hashes.
    CREATE TABLE mail_tokens (
        hash BLOB PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        purpose TEXT NOT NULL CHECK (purpose IN ('verify')),
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        spent_at INTEGER
    ) STRICT;
    CREATE INDEX mail_tokens_account ON mail_tokens (account_id);

    -- Who did what when. Never changed, never shortened.
    CREATE TABLE audit_log (
        id INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        actor_id TEXT,
        action TEXT NOT NULL,
        subject_id TEXT,
        object_id TEXT
    ) STRICT;
    CREATE INDEX audit_log_subject ON audit_log (subject_id);
    CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
    CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is only ever added to'); END;
    """)
