import Database

/// Patients' browsers may stay signed in (PW-5): until this moment, ended earlier only by 90 days without use.
let m028StayingSignedIn = Migration(
    "M028_StayingSignedIn", .contract,
    """
    ALTER TABLE credentials ADD COLUMN stays_until INTEGER;
    """)
