import Database

/// Strata of the allocation (ST-5). A program before it would draw from sequences of the sites alone.
let m135Strata = Migration(
    "M135_Strata", .contract,
    """
    -- Kinds of strata, besides the site in whose sequence everybody is allocated.
    ALTER TABLE study_designs ADD COLUMN strata TEXT NOT NULL DEFAULT '';
    """)
