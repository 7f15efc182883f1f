import Database

/// Browsers of patients may stay signed in (PW-5): then until this moment whatever their use, and nothing else ends them
/// but 90 days without one.
let m028StayingSignedIn = Migration(
    "M028_StayingSignedIn",
    """
    ALTER TABLE credentials ADD COLUMN stays_until INTEGER;
    """)
