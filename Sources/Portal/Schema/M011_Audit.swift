import Database

/// Old and new values in the audit log, and a chain that shows whether a line was changed.
let m011Audit = Migration(
    "M011_Audit", .contract,
    """
    -- Sealed under the key of the person the line is about.
    ALTER TABLE audit_log ADD COLUMN change BLOB;
    -- Over this line and the one before; lines from before the chain have none.
    ALTER TABLE audit_log ADD COLUMN hash BLOB;
    CREATE INDEX audit_log_at ON audit_log (at);
    """)
