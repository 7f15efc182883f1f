import Database

/// Protocols of single arms (ST-5). A program before it would have them act on all participants.
let m148ProtocolsOfArms = Migration(
    "M148_ProtocolsOfArms", .contract,
    """
    -- The keys of the arms whose therapies it acts on; empty for all of the study.
    ALTER TABLE protocols ADD COLUMN arms TEXT NOT NULL DEFAULT '';
    """)
