import Database

/// Allocation when the baseline is complete (ST-5). A program before it would allocate at enrolment, and ask of those who wait more than the
/// baseline.
let m146AllocatedAtBaseline = Migration(
    "M146_AllocatedAtBaseline", .contract,
    """
    ALTER TABLE study_designs ADD COLUMN allocated_at TEXT NOT NULL DEFAULT 'enrolment'
        CHECK (allocated_at IN ('enrolment', 'baseline'));
    -- NULL where nothing was waited for.
    ALTER TABLE enrolments ADD COLUMN allocation_state TEXT CHECK (allocation_state IN ('waiting', 'allocated'));
    -- When the baseline was complete; from then on a place is waited for.
    ALTER TABLE enrolments ADD COLUMN baseline_at INTEGER;
    -- When a participant who waited was allocated.
    ALTER TABLE enrolments ADD COLUMN allocated_at INTEGER;
    CREATE INDEX enrolments_waiting ON enrolments (study_id) WHERE allocation_state = 'waiting';
    """)
