import Database

/// Links to providers of measurements (FB-1), and a notice for links that need a new consent.
let m049WearableLinks = Migration(
    "M049_WearableLinks", .contract,
    """
    -- A person's account with a provider. version counts whenever tokens change; renewing_until: somebody is renewing them
    -- until then. rest_until: the provider asked for a rest. user_lookup: a keyed hash that finds the link a hook speaks of.
    -- Sealed under the account's key: tokens; null while the provider has to be asked again.
    CREATE TABLE wearable_links (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        provider TEXT NOT NULL,
        id TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('live', 'needs_consent')),
        tokens BLOB,
        scopes TEXT NOT NULL,
        access_until INTEGER NOT NULL,
        consent_until INTEGER,
        version INTEGER NOT NULL CHECK (version >= 1),
        renewing_until INTEGER,
        user_lookup BLOB,
        linked_at INTEGER NOT NULL,
        last_pull_at INTEGER,
        tried_at INTEGER,
        next_pull_at INTEGER NOT NULL,
        rest_until INTEGER,
        failures INTEGER NOT NULL DEFAULT 0 CHECK (failures >= 0),
        problem TEXT,
        PRIMARY KEY (account_id, provider),
        CHECK ((tokens IS NULL) = (state = 'needs_consent'))
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX wearable_links_next ON wearable_links (next_pull_at) WHERE state = 'live';
    CREATE INDEX wearable_links_user ON wearable_links (user_lookup) WHERE user_lookup IS NOT NULL;

    -- Until when each kind of measurement was fetched.
    CREATE TABLE wearable_cursors (
        account_id TEXT NOT NULL,
        provider TEXT NOT NULL,
        stream TEXT NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (account_id, provider, stream),
        FOREIGN KEY (account_id, provider) REFERENCES wearable_links (account_id, provider) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;

    -- Which sleeps a provider brought, so that they can go with the link.
    CREATE TABLE wearable_sleeps (
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        provider TEXT NOT NULL,
        sleep_id TEXT NOT NULL,
        PRIMARY KEY (account_id, provider, sleep_id)
    ) STRICT, WITHOUT ROWID;

    -- Somebody is at the provider's, being asked. state: a hash; verifier and code are sealed under the account's key, and
    -- code is there once they came back. Gone after ten minutes, or when it is confirmed.
    CREATE TABLE wearable_requests (
        state BLOB PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        credential_id TEXT NOT NULL REFERENCES credentials (id) ON DELETE CASCADE,
        provider TEXT NOT NULL,
        by_browser INTEGER NOT NULL CHECK (by_browser IN (0, 1)),
        verifier BLOB NOT NULL,
        code BLOB,
        asked_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX wearable_requests_account ON wearable_requests (account_id, provider);
    CREATE INDEX wearable_requests_credential ON wearable_requests (credential_id);

    -- How often a provider was asked in an hour of the clock. holder: an account, or nothing for the whole installation.
    CREATE TABLE wearable_quotas (
        provider TEXT NOT NULL,
        holder TEXT NOT NULL,
        hour INTEGER NOT NULL,
        used INTEGER NOT NULL CHECK (used >= 0),
        PRIMARY KEY (provider, holder, hour)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX wearable_quotas_hour ON wearable_quotas (hour);
    CREATE INDEX wearable_quotas_holder ON wearable_quotas (holder);

    -- Until when a provider wants to be left alone, by one person's link or by everybody; also by a link that is made anew.
    CREATE TABLE wearable_rests (
        provider TEXT NOT NULL,
        holder TEXT NOT NULL,
        until INTEGER NOT NULL,
        PRIMARY KEY (provider, holder)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX wearable_rests_holder ON wearable_rests (holder);

    -- One more kind of notice.
    CREATE TABLE notices_new (
        id TEXT PRIMARY KEY,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN
            ('cover', 'handover', 'second_therapist', 'supervisor', 'study_message', 'consent_changed',
             'wearable_consent')),
        words BLOB NOT NULL,
        starts_at INTEGER NOT NULL,
        ends_at INTEGER,
        made_at INTEGER NOT NULL,
        seen_at INTEGER,
        CHECK (ends_at > starts_at)
    ) STRICT;
    INSERT INTO notices_new (id, account_id, kind, words, starts_at, ends_at, made_at, seen_at)
    SELECT id, account_id, kind, words, starts_at, ends_at, made_at, seen_at FROM notices;
    DROP TABLE notices;
    ALTER TABLE notices_new RENAME TO notices;
    CREATE INDEX notices_account ON notices (account_id, made_at);
    """)
