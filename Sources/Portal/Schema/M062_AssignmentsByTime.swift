import Database

/// Assignments of a period, and the moment of the newest thousand, without scanning all of them.
let m062AssignmentsByTime = Migration(
    "M062_AssignmentsByTime", .contract,
    """
    CREATE INDEX assignments_by_time ON assignments (therapy_id, assigned_at) WHERE planned_on IS NULL;
    """)
