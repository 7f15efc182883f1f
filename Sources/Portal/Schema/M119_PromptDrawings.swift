import Database

/// What was drawn stays drawn when prompts are drawn in a better way (RP-122, RP-125).
let m119PromptDrawings = Migration(
    "M119_PromptDrawings", .expand,
    """
    -- Local days from the second one after since on are drawn by this version; 0 where nothing was drawn before.
    CREATE TABLE prompt_drawings (
        version INTEGER PRIMARY KEY,
        since INTEGER NOT NULL
    ) STRICT;
    """)
