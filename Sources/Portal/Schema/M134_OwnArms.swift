import Database

/// Arms of a study's own, with ratios (ST-5). A program before it would draw from the three arms it knows, each equally often.
let m134OwnArms = Migration(
    "M134_OwnArms", .contract,
    """
    -- The arms as JSON; NULL where their names say everything. `arms` then says what the therapies of each do.
    ALTER TABLE study_designs ADD COLUMN arm_list TEXT;
    -- What the arm is called; NULL where it is called as what its therapies do, which `arm` says.
    ALTER TABLE enrolments ADD COLUMN arm_key TEXT;
    """)
