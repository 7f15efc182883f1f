import Database
import Records
import Wire

/// Every statement about who else may open whose file.
package enum SharingStore {
    // MARK: What is shared with somebody

    private static func shared(
        _ rows: SQL, _ connection: borrowing Connection
    ) throws -> [SharedTherapy] {
        try connection.all(rows) { row in
            SharedTherapy(
                therapy: try Therapy(row: row), standing: FileStanding([try row["ground"]]),
                sharesWords: try row["shared_words"], until: try row["shared_until"])
        }
    }

    /// As whom somebody may open a file that is not their own; nil for nobody who may.
    package static func find(
        _ id: ID<Therapy>, with reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> SharedTherapy? {
        SharedTherapy.joined(
            try shared(
                """
                SELECT therapies.*, shares_words AS shared_words, NULL AS shared_until,
                    CASE role WHEN 'therapist' THEN 'second_therapist' ELSE 'supervisor' END AS ground
                FROM therapy_members JOIN therapies ON therapies.id = therapy_id
                WHERE therapy_members.account_id = \(reader) AND therapies.id = \(id)
                """, connection)
                + shared(
                    """
                    SELECT therapies.*, 0 AS shared_words, covers.ends_at AS shared_until,
                        CASE access WHEN 'act' THEN 'cover_act' ELSE 'cover_read' END AS ground
                    FROM covers JOIN therapies ON therapies.therapist_id = covers.therapist_id
                    WHERE colleague_id = \(reader) AND therapies.id = \(id) AND therapies.ended_at IS NULL
                    AND covers.starts_at <= \(now) AND covers.ends_at > \(now) AND covers.ended_at IS NULL
                    AND (for_all = 1 OR EXISTS (
                        SELECT 1 FROM cover_patients WHERE cover_id = covers.id AND therapy_id = therapies.id))
                    """, connection)
        ).first
    }

    /// Everything that is shared with somebody now, by codename.
    package static func all(
        with reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> [SharedTherapy] {
        SharedTherapy.joined(
            try shared(
                """
                SELECT therapies.*, shares_words AS shared_words, NULL AS shared_until,
                    CASE role WHEN 'therapist' THEN 'second_therapist' ELSE 'supervisor' END AS ground
                FROM therapy_members JOIN therapies ON therapies.id = therapy_id WHERE therapy_members.account_id = \(reader)
                """, connection)
                + shared(
                    """
                    SELECT therapies.*, 0 AS shared_words, covers.ends_at AS shared_until,
                        CASE access WHEN 'act' THEN 'cover_act' ELSE 'cover_read' END AS ground
                    FROM covers JOIN therapies ON therapies.therapist_id = covers.therapist_id
                    WHERE colleague_id = \(reader) AND therapies.ended_at IS NULL
                    AND covers.starts_at <= \(now) AND covers.ends_at > \(now) AND covers.ended_at IS NULL
                    AND (for_all = 1 OR EXISTS (
                        SELECT 1 FROM cover_patients WHERE cover_id = covers.id AND therapy_id = therapies.id))
                    """, connection))
    }

    // MARK: Covers

    /// Those a therapist gives, the latest first.
    package static func covers(by therapist: ID<Account>, _ connection: borrowing Connection) throws
        -> [CoverRecord]
    {
        try connection.all(
            "SELECT * FROM covers WHERE therapist_id = \(therapist) ORDER BY starts_at DESC, id")
    }

    /// Those that somebody stands in by, or will.
    package static func covers(
        for colleague: ID<Account>, notOverBy now: Instant, _ connection: borrowing Connection
    ) throws -> [CoverRecord] {
        try connection.all(
            """
            SELECT * FROM covers WHERE colleague_id = \(colleague) AND ends_at > \(now) AND ended_at IS NULL
            ORDER BY starts_at, id
            """)
    }

    package static func cover(
        _ id: ID<CoverRecord>, by therapist: ID<Account>, _ connection: borrowing Connection
    ) throws -> CoverRecord? {
        try connection.first("SELECT * FROM covers WHERE id = \(id) AND therapist_id = \(therapist)")
    }

    /// Whom a cover is for: the running ones of the therapist, all or those named.
    package static func patients(of cover: CoverRecord, _ connection: borrowing Connection) throws
        -> [Therapy]
    {
        try connection.all(
            """
            SELECT * FROM therapies WHERE therapist_id = \(cover.therapistID) AND ended_at IS NULL
            AND (\(cover.isForAll) = 1 OR EXISTS (
                SELECT 1 FROM cover_patients WHERE cover_id = \(cover.id) AND therapy_id = therapies.id))
            ORDER BY codename
            """)
    }

    package static func insert(
        _ cover: CoverRecord, patients: [ID<Therapy>], at now: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run(
            """
            INSERT INTO covers (id, therapist_id, colleague_id, access, for_all, starts_on, ends_on, starts_at,
                ends_at, made_at)
            VALUES (\(cover.id), \(cover.therapistID), \(cover.colleagueID), \(cover.access),
                \(cover.isForAll), \(cover.startsOn), \(cover.endsOn), \(cover.startsAt), \(cover.endsAt), \(now))
            """)
        for therapy in patients {
            try connection.run(
                "INSERT INTO cover_patients (cover_id, therapy_id) VALUES (\(cover.id), \(therapy))")
        }
    }

    /// From one moment to the next.
    package static func end(_ id: ID<CoverRecord>, at now: Instant, _ connection: borrowing Connection) throws
    {
        try connection.run("UPDATE covers SET ended_at = \(now) WHERE id = \(id) AND ended_at IS NULL")
    }

    // MARK: Members

    package static func members(of therapy: ID<Therapy>, _ connection: borrowing Connection) throws
        -> [MemberRecord]
    {
        try connection.all(
            "SELECT * FROM therapy_members WHERE therapy_id = \(therapy) ORDER BY added_at, id")
    }

    package static func insert(_ member: MemberRecord, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO therapy_members (id, therapy_id, account_id, role, shares_words, added_at)
            VALUES (\(member.id), \(member.therapyID), \(member.accountID), \(member.role),
                \(member.sharesWords), \(member.addedAt))
            """)
    }

    /// - Returns: whether there was one.
    package static func remove(
        _ id: ID<MemberRecord>, from therapy: ID<Therapy>, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run("DELETE FROM therapy_members WHERE id = \(id) AND therapy_id = \(therapy)") > 0
    }

    /// A therapy that goes to somebody else is shared by nobody any more: whom to ask, the new therapist says.
    package static func forget(_ therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapy_members WHERE therapy_id = \(therapy)")
        try connection.run("DELETE FROM cover_patients WHERE therapy_id = \(therapy)")
    }
}
