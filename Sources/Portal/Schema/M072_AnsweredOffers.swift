import Database

/// A patient may say no to the study that the own therapist has offered, and is asked no more.
let m072AnsweredOffers = Migration(
    "M072_AnsweredOffers",
    """
    -- When the patient said no; a yes is an enrolment.
    ALTER TABLE study_offers ADD COLUMN declined_at INTEGER;
    """)
