import Database

/// Ticking own measurements is a yes of its own: with its sentence and its time (FD-19).
let m065StudyTicks = Migration(
    "M065_StudyTicks", .contract,
    """
    -- Ticks of before were given under the first sentence, which bound them to the consent to research.
    ALTER TABLE enrolments ADD COLUMN measurements_sentence INTEGER NOT NULL DEFAULT 1;
    ALTER TABLE enrolments ADD COLUMN measurements_at INTEGER;
    -- When a notice asked for a yes to the sentence that counts now. Null: not yet, or there is nothing to ask.
    ALTER TABLE enrolments ADD COLUMN measurements_asked_at INTEGER;
    """)
