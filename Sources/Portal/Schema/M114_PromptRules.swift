import Database

/// Since when rules of prompts count: what was asked and answered before stays as it was (RP-104).
let m114PromptRules = Migration(
    "M114_PromptRules", .expand,
    """
    CREATE TABLE prompt_rules (
        rule TEXT PRIMARY KEY,
        counts_from INTEGER NOT NULL
    ) STRICT;
    """)
