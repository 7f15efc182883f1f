import Database
import Records
import Wire

/// A hand-over that both therapists are told of until each has read it (PR-31).
package struct ToldHandOver: Sendable, FromRow {
    package let id: ID<ToldHandOver>
    package let therapyID: ID<Therapy>
    package let from: ID<Account>
    package let to: ID<Account>
    package let handedAt: Instant
    package let tookAlias: Bool
    /// The former therapist's reactions that no longer follow on this therapy.
    package let stoppedReactions: Int

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        from = try row["from_account"]
        to = try row["to_account"]
        handedAt = try row["handed_at"]
        tookAlias = try row["took_alias"]
        stoppedReactions = try row["stopped_reactions"]
    }

    package init(
        id: ID<ToldHandOver>, of therapy: ID<Therapy>, from: ID<Account>, to: ID<Account>, at now: Instant,
        tookAlias: Bool, stoppedReactions: Int
    ) {
        self.id = id
        therapyID = therapy
        self.from = from
        self.to = to
        handedAt = now
        self.tookAlias = tookAlias
        self.stoppedReactions = stoppedReactions
    }
}

/// Every statement about telling hand-overs.
package enum ToldHandOverStore {
    package static func insert(_ told: ToldHandOver, _ connection: borrowing Connection) throws {
        try connection.run(
            """
            INSERT INTO hand_overs (id, therapy_id, from_account, to_account, handed_at, took_alias, stopped_reactions)
            VALUES (\(told.id), \(told.therapyID), \(told.from), \(told.to), \(told.handedAt),
                \(told.tookAlias), \(told.stoppedReactions))
            """)
    }

    /// Those that an account has not read, given or taken, the newest first.
    package static func unread(
        by account: ID<Account>, _ connection: borrowing Connection
    ) throws -> [(told: ToldHandOver, codename: String)] {
        try connection.all(
            """
            SELECT hand_overs.*, codename FROM hand_overs JOIN therapies ON therapies.id = therapy_id
            WHERE from_account = \(account) AND read_by_from_at IS NULL
            OR to_account = \(account) AND read_by_to_at IS NULL
            ORDER BY handed_at DESC, hand_overs.id
            """
        ) { row in (told: try ToldHandOver(row: row), codename: try row["codename"]) }
    }

    /// The last one by which an account got a therapy; nil without one.
    package static func last(
        of therapy: ID<Therapy>, to account: ID<Account>, _ connection: borrowing Connection
    ) throws -> ToldHandOver? {
        try connection.first(
            """
            SELECT * FROM hand_overs WHERE therapy_id = \(therapy) AND to_account = \(account)
            ORDER BY handed_at DESC, id LIMIT 1
            """)
    }

    /// - Returns: whether there is such a one of this account.
    package static func noteRead(
        _ id: ID<ToldHandOver>, by account: ID<Account>, at now: Instant, _ connection: borrowing Connection
    ) throws -> Bool {
        try connection.run(
            """
            UPDATE hand_overs SET
                read_by_from_at = CASE WHEN from_account = \(account) THEN coalesce(read_by_from_at, \(now))
                    ELSE read_by_from_at END,
                read_by_to_at = CASE WHEN to_account = \(account) THEN coalesce(read_by_to_at, \(now))
                    ELSE read_by_to_at END
            WHERE id = \(id) AND (from_account = \(account) OR to_account = \(account))
            """) > 0
    }

    /// A year later the list is of no use any more.
    package static func removeExpired(now: Instant, _ connection: borrowing Connection) throws {
        try connection.run("DELETE FROM hand_overs WHERE handed_at < \(now.adding(days: -365))")
    }
}

extension AuditAction {
    package static let handOverRead = AuditAction(name: "therapy.hand_over_read")
}
