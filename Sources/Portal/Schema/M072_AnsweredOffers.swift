import Database

/// A patient may decline the study offered by their therapist, and is not asked again.
let m072AnsweredOffers = Migration(
    "M072_AnsweredOffers", .contract,
    """
    -- When the patient said no; a yes is an enrolment.
    ALTER TABLE study_offers ADD COLUMN declined_at INTEGER;
    """)
