import Database

/// What arms are called for masked leads (ST-5).
let m151MaskedLabels = Migration(
    "M151_MaskedLabels", .expand,
    """
    -- A JSON object: a letter by the key of each arm. NULL until they are drawn.
    ALTER TABLE study_designs ADD COLUMN masked_labels TEXT;
    """)
