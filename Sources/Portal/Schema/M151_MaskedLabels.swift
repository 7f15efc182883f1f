import Database

/// What arms are called for masked leads (ST-5).
let m151MaskedLabels = Migration(
    "M151_MaskedLabels", .expand,
    """
    -- A JSON array of objects: `arm`, its key, and `label`, its letter. NULL until they are drawn.
    ALTER TABLE study_designs ADD COLUMN masked_labels TEXT;
    """)
