import Database
import Records
import Wire

/// Every statement about shared files.
package enum SharingStore {
    // MARK: Files shared with an account

    private static func shared(
        _ rows: SQL, _ connection: borrowing Connection
    ) throws -> [SharedTherapy] {
        try connection.all(rows) { row in
            let words: Bool = try row["shared_words"]
            let alias: Bool = try row["shared_alias"]
            let shared: Set<StandingRight> = words ? [.alias, .words] : alias ? [.alias] : []
            return SharedTherapy(
                therapy: try Therapy(row: row),
                standing: FileStanding([try row["ground"]], sharing: shared),
                until: try row["shared_until"])
        }
    }

    /// A reader's standing in a file that is not their own; nil without any.
    package static func find(
        _ id: ID<Therapy>, with reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> SharedTherapy? {
        SharedTherapy.joined(
            try shared(
                """
                SELECT therapies.*, shares_words AS shared_words, 0 AS shared_alias, NULL AS shared_until,
                    CASE role WHEN 'therapist' THEN 'second_therapist' ELSE 'supervisor' END AS ground
                FROM therapy_members JOIN therapies ON therapies.id = therapy_id
                WHERE therapy_members.account_id = \(reader) AND therapies.id = \(id)
                """, connection)
                + shared(
                    """
                    SELECT therapies.*, 0 AS shared_words, shares_alias AS shared_alias, covers.ends_at AS shared_until,
                        CASE access WHEN 'act' THEN 'cover_act' ELSE 'cover_read' END AS ground
                    FROM covers JOIN therapies ON therapies.therapist_id = covers.therapist_id
                    WHERE colleague_id = \(reader) AND therapies.id = \(id) AND therapies.ended_at IS NULL
                    AND covers.starts_at <= \(now) AND covers.ends_at > \(now) AND covers.ended_at IS NULL
                    AND (for_all = 1 OR EXISTS (
                        SELECT 1 FROM cover_patients WHERE cover_id = covers.id AND therapy_id = therapies.id))
                    """, connection)
        ).first
    }

    /// Everything shared with a reader now, by codename.
    package static func all(
        with reader: ID<Account>, now: Instant, _ connection: borrowing Connection
    ) throws -> [SharedTherapy] {
        SharedTherapy.joined(
            try shared(
                """
                SELECT therapies.*, shares_words AS shared_words, 0 AS shared_alias, NULL AS shared_until,
                    CASE role WHEN 'therapist' THEN 'second_therapist' ELSE 'supervisor' END AS ground
                FROM therapy_members JOIN therapies ON therapies.id = therapy_id WHERE therapy_members.account_id = \(reader)
                """, connection)
                + shared(
                    """
                    SELECT therapies.*, 0 AS shared_words, shares_alias AS shared_alias, covers.ends_at AS shared_until,
                        CASE access WHEN 'act' THEN 'cover_act' ELSE 'cover_read' END AS ground
                    FROM covers JOIN therapies ON therapies.therapist_id = covers.therapist_id
                    WHERE colleague_id = \(reader) AND therapies.ended_at IS NULL
                    AND covers.starts_at <= \(now) AND covers.ends_at > \(now) AND covers.ended_at IS NULL
                    AND (for_all = 1 OR EXISTS (
                        SELECT 1 FROM cover_patients WHERE cover_id = covers.id AND therapy_id = therapies.id))
                    """, connection))
    }

    /// The accounts that watch over a therapy beside its therapist now, and whether a cover is on: the therapist is away.
    package static func substitutes(
        for therapy: ID<Therapy>, at now: Instant, _ connection: borrowing Connection
    ) throws -> (accounts: Set<ID<Account>>, isAway: Bool) {
        let seconds: [ID<Account>] = try connection.all(
            "SELECT account_id FROM therapy_members WHERE therapy_id = \(therapy) AND role = 'therapist'"
        ) { row in try row[0] }
        let covers: [ID<Account>] = try connection.all(
            """
            SELECT colleague_id FROM covers JOIN therapies ON therapies.therapist_id = covers.therapist_id
            WHERE therapies.id = \(therapy) AND therapies.ended_at IS NULL
            AND covers.starts_at <= \(now) AND covers.ends_at > \(now) AND covers.ended_at IS NULL
            AND (for_all = 1 OR EXISTS (
                SELECT 1 FROM cover_patients WHERE cover_id = covers.id AND therapy_id = therapies.id))
            """
        ) { row in try row[0] }
        return (Set(seconds + covers), !covers.isEmpty)
    }

    // MARK: Covers

    /// The covers a therapist gives, the latest first.
    package static func covers(by therapist: ID<Account>, _ connection: borrowing Connection) throws
        -> [CoverRecord]
    {
        try connection.all(
            "SELECT * FROM covers WHERE therapist_id = \(therapist) ORDER BY starts_at DESC, id")
    }

    /// The covers in which a therapist stands in, now or later.
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

    /// The patients of a cover: the running ones of the therapist, all or those named.
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
            INSERT INTO covers (id, therapist_id, colleague_id, access, for_all, shares_alias, starts_on, ends_on,
                starts_at, ends_at, made_at)
            VALUES (\(cover.id), \(cover.therapistID), \(cover.colleagueID), \(cover.access),
                \(cover.isForAll), \(cover.sharesAlias), \(cover.startsOn), \(cover.endsOn), \(cover.startsAt), \(cover.endsAt), \(now))
            """)
        for therapy in patients {
            try connection.run(
                "INSERT INTO cover_patients (cover_id, therapy_id) VALUES (\(cover.id), \(therapy))")
        }
    }

    /// Those that are not over.
    package static func covers(after now: Instant, _ connection: borrowing Connection) throws -> [CoverRecord]
    {
        try connection.all(
            "SELECT * FROM covers WHERE ends_at > \(now) AND ended_at IS NULL ORDER BY id")
    }

    package static func move(
        _ id: ID<CoverRecord>, from start: Instant, until end: Instant, _ connection: borrowing Connection
    ) throws {
        try connection.run("UPDATE covers SET starts_at = \(start), ends_at = \(end) WHERE id = \(id)")
    }

    /// Ends at the given moment.
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

    /// Ends the sharing of a therapy that is handed over: the new therapist chooses with whom to share.
    package static func forget(_ therapy: ID<Therapy>, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM therapy_members WHERE therapy_id = \(therapy)")
        try connection.run("DELETE FROM cover_patients WHERE therapy_id = \(therapy)")
    }
}
