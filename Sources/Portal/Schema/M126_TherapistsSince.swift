import Database

/// Since when a therapy is its present therapist's: their earlier holidays were no pauses of it (PR-21). Hand-overs are
/// told for a year; of those before nothing is known.
let m126TherapistsSince = Migration(
    "M126_TherapistsSince", .expand,
    """
    ALTER TABLE therapies ADD COLUMN led_since INTEGER;
    UPDATE therapies SET led_since = (SELECT MAX(handed_at) FROM hand_overs WHERE therapy_id = therapies.id);
    """)
