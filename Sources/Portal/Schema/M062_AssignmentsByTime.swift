import Database

/// What was given in a stretch of time, and the moment of the newest thousand, without looking at all there is.
let m062AssignmentsByTime = Migration(
    "M062_AssignmentsByTime",
    """
    CREATE INDEX assignments_by_time ON assignments (therapy_id, assigned_at) WHERE planned_on IS NULL;
    """)
