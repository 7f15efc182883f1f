import Database

/// Participants who delete their accounts leave every list of a study: their number stays, so that its flow adds up.
let m068ErasedParticipants = Migration(
    "M068_ErasedParticipants", .contract,
    """
    -- How many had taken part and deleted their account since; nobody's name is in it.
    ALTER TABLE studies ADD COLUMN erased_people INTEGER NOT NULL DEFAULT 0;
    -- Of studies with groups it can be told of those before: who was allocated and is there no more.
    UPDATE studies SET erased_people =
        (SELECT coalesce(sum(taken), 0) FROM study_sequences WHERE study_id = studies.id)
        - (SELECT count(DISTINCT account_id) FROM enrolments WHERE study_id = studies.id AND arm IS NOT NULL);
    UPDATE studies SET erased_people = 0 WHERE erased_people < 0;
    """)
