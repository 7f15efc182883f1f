import Database

/// Sharing with one therapist does not extend to a later one.
let m052SharingByTherapy = Migration(
    "M052_SharingByTherapy", .contract,
    """
    -- Whose therapist sees it. Null: chosen before the first therapy, and meant for that one.
    ALTER TABLE measurement_sharing ADD COLUMN therapy_id TEXT REFERENCES therapies (id) ON DELETE CASCADE;
    UPDATE measurement_sharing SET therapy_id = (
        SELECT id FROM therapies WHERE therapies.account_id = measurement_sharing.account_id
        ORDER BY coalesce(ended_at, 9000000000000000) DESC, created_at DESC LIMIT 1);
    CREATE INDEX measurement_sharing_therapy ON measurement_sharing (therapy_id);
    """)
