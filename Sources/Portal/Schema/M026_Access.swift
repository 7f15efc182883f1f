import Database

/// A sign-in ends with the state it was verified against; and remains of undone pairings are removed.
///
/// An appointment or a sheet sent while its pairing was undone stayed in the therapy, where no account could read it:
/// the pages of the next patient failed on its seal.
let m026Access = Migration(
    "M026_Access", .contract,
    """
    -- Counts the changes of the password and the closings of the account.
    ALTER TABLE accounts ADD COLUMN access_epoch INTEGER NOT NULL DEFAULT 0;

    -- What migrations mended in the data; told in the audit log and the log at the next start.
    CREATE TABLE repairs (
        what TEXT PRIMARY KEY,
        count INTEGER NOT NULL CHECK (count >= 1),
        told_at INTEGER
    ) STRICT, WITHOUT ROWID;

    INSERT INTO repairs (what, count)
    SELECT 'appointments of undone pairings', count(*) FROM appointments
    JOIN therapies ON therapies.id = appointments.therapy_id
    WHERE therapies.account_id IS NOT appointments.account_id HAVING count(*) > 0;
    INSERT INTO repairs (what, count)
    SELECT 'sheets of undone pairings', count(*) FROM contributions
    JOIN therapies ON therapies.id = contributions.therapy_id
    WHERE contributions.account_id IS NOT NULL AND therapies.account_id IS NOT contributions.account_id
    HAVING count(*) > 0;
    INSERT INTO repairs (what, count)
    SELECT 'refused sheets of undone pairings', count(*) FROM quarantined_sheets
    JOIN therapies ON therapies.id = quarantined_sheets.therapy_id
    WHERE therapies.account_id IS NOT quarantined_sheets.account_id HAVING count(*) > 0;

    DELETE FROM therapy_sessions WHERE EXISTS (
        SELECT 1 FROM appointments JOIN therapies ON therapies.id = appointments.therapy_id
        WHERE appointments.id = therapy_sessions.appointment_id
        AND appointments.therapy_id = therapy_sessions.therapy_id
        AND therapies.account_id IS NOT appointments.account_id);
    DELETE FROM appointments WHERE EXISTS (
        SELECT 1 FROM therapies WHERE therapies.id = appointments.therapy_id
        AND therapies.account_id IS NOT appointments.account_id);
    DELETE FROM contributions WHERE account_id IS NOT NULL AND EXISTS (
        SELECT 1 FROM therapies WHERE therapies.id = contributions.therapy_id
        AND therapies.account_id IS NOT contributions.account_id);
    DELETE FROM quarantined_sheets WHERE EXISTS (
        SELECT 1 FROM therapies WHERE therapies.id = quarantined_sheets.therapy_id
        AND therapies.account_id IS NOT quarantined_sheets.account_id);
    """)
