import Database

/// Reminders whose moment is what is measured: telephones hand them over at once (RP-110).
let m112MomentaryReminders = Migration(
    "M112_MomentaryReminders", .expand,
    """
    ALTER TABLE push_messages ADD COLUMN momentary INTEGER NOT NULL DEFAULT 0;
    """)
