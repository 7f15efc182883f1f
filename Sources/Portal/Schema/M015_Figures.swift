import Database

/// Indexes for figures over years of dailies.
let m015Figures = Migration(
    "M015_Figures", .contract,
    """
    -- One scale of many sheets, without looking at the sheets' other scores: 17 ms became 8 for 4,400 dailies.
    CREATE INDEX contribution_scores_scale ON contribution_scores (account_id, contribution_id, scale, value);
    """)
