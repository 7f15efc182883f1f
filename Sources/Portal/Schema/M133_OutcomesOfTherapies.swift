import Database

/// An outcome may be of what the participants' therapies ask (ST-4). Without a source it is of what the study asks, as before.
let m133OutcomesOfTherapies = Migration(
    "M133_OutcomesOfTherapies", .expand,
    """
    ALTER TABLE study_outcomes ADD COLUMN source TEXT CHECK (source IN ('study', 'therapy'));
    """)
