import Database

/// Minimisation, a commitment to the seed, and the log of allocations (ST-5). A program before it would allocate without a line in the
/// log, and does not know the rule.
let m136Allocations = Migration(
    "M136_Allocations", .contract,
    """
    CREATE TABLE study_designs_new (
        study_id TEXT PRIMARY KEY REFERENCES studies (id) ON DELETE CASCADE,
        allocation TEXT NOT NULL CHECK (allocation IN ('alternating', 'randomised', 'minimised')),
        -- What the therapies of each arm do, in their order.
        arms TEXT NOT NULL,
        -- The arms as JSON; NULL where their names say everything.
        arm_list TEXT,
        -- Of a cohort, or of a block; 1 for minimisation, which has neither.
        size INTEGER NOT NULL CHECK (size >= 1),
        strata TEXT NOT NULL DEFAULT '',
        sample_size INTEGER NOT NULL CHECK (sample_size >= 2),
        -- What chance is drawn from.
        seed INTEGER NOT NULL,
        -- Told with the seed, so that nobody finds it by trying; NULL for designs of before, which committed themselves to nothing.
        salt BLOB,
        -- SHA-256 of rule, seed and salt, and the version of the rule, as they were told with the first participant at the latest.
        commitment TEXT,
        rule_version INTEGER NOT NULL DEFAULT 1,
        -- From then on the seed may be told, and nobody comes in.
        closed_at INTEGER,
        closed_by_archiving INTEGER NOT NULL DEFAULT 0 CHECK (closed_by_archiving IN (0, 1)),
        changed_at INTEGER NOT NULL,
        revision INTEGER NOT NULL DEFAULT 1
    ) STRICT;
    INSERT INTO study_designs_new (study_id, allocation, arms, arm_list, size, strata, sample_size, seed, closed_at,
        closed_by_archiving, changed_at, revision)
    SELECT study_id, allocation, arms, arm_list, size, strata, sample_size, seed, closed_at,
        closed_by_archiving, changed_at, revision FROM study_designs;
    DROP TABLE study_designs;
    ALTER TABLE study_designs_new RENAME TO study_designs;

    -- Each allocation: what it followed from. The line of an erased participant stays without them and without its moment.
    CREATE TABLE study_allocations (
        study_id TEXT NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
        number INTEGER NOT NULL CHECK (number >= 1),
        enrolment_id TEXT REFERENCES enrolments (id) ON DELETE SET NULL,
        arm TEXT NOT NULL,
        site TEXT,
        -- Where allocation is balanced by it, and it was said.
        gender TEXT,
        sequence TEXT NOT NULL,
        place INTEGER NOT NULL CHECK (place >= 0),
        -- Of each stratum, as JSON.
        levels TEXT NOT NULL,
        -- Which of the places of one turn of all arms; only of minimisation.
        slot INTEGER,
        -- How surely it could be guessed by all that came before, in thousandths.
        guess INTEGER NOT NULL CHECK (guess BETWEEN 1 AND 1000),
        allocated_at INTEGER,
        PRIMARY KEY (study_id, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_allocations_enrolment ON study_allocations (enrolment_id) WHERE enrolment_id IS NOT NULL;
    -- The leads of that moment, where an allocation followed from those before.
    CREATE TABLE study_allocation_leads (
        study_id TEXT NOT NULL,
        number INTEGER NOT NULL,
        account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
        PRIMARY KEY (study_id, number, account_id),
        FOREIGN KEY (study_id, number) REFERENCES study_allocations (study_id, number) ON DELETE CASCADE
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX study_allocation_leads_account ON study_allocation_leads (account_id);
    """)
