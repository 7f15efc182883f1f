import Database
import Records
import Wire

/// A colleague who stands in for a while (PR-20).
package struct CoverRecord: Sendable, FromRow {
    package enum Access: String, Sendable, CaseIterable, SQLConvertible { case read, act }

    package let id: ID<CoverRecord>
    package let therapistID: ID<Account>
    package let colleagueID: ID<Account>
    package let access: Access
    /// Whether it covers every running therapy, also ones that begin meanwhile.
    package let isForAll: Bool
    /// Whether the colleague sees the therapist's names for the patients (PR-29).
    package let sharesAlias: Bool
    /// Days of the clinic's calendar, both included.
    package let startsOn: LocalDate
    package let endsOn: LocalDate
    package let startsAt: Instant
    /// The first moment after it.
    package let endsAt: Instant
    /// When it was ended early.
    package let endedAt: Instant?

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapistID = try row["therapist_id"]
        colleagueID = try row["colleague_id"]
        access = try row["access"]
        isForAll = try row["for_all"]
        sharesAlias = try row["shares_alias"]
        startsOn = try row["starts_on"]
        endsOn = try row["ends_on"]
        startsAt = try row["starts_at"]
        endsAt = try row["ends_at"]
        endedAt = try row["ended_at"]
    }

    package init(
        id: ID<CoverRecord>, by therapist: ID<Account>, colleague: ID<Account>, _ access: Access,
        isForAll: Bool, sharesAlias: Bool = false, startsOn: LocalDate, endsOn: LocalDate, startsAt: Instant,
        endsAt: Instant
    ) {
        self.id = id
        therapistID = therapist
        colleagueID = colleague
        self.access = access
        self.isForAll = isForAll
        self.sharesAlias = sharesAlias
        self.startsOn = startsOn
        self.endsOn = endsOn
        self.startsAt = startsAt
        self.endsAt = endsAt
        endedAt = nil
    }

    package func isOver(at now: Instant) -> Bool { endedAt != nil || endsAt <= now }
    package func isOn(at now: Instant) -> Bool { !isOver(at: now) && startsAt <= now }
}

/// A second therapist or supervisor who may open a file (PR-21).
package struct MemberRecord: Sendable, FromRow {
    package enum Role: String, Sendable, CaseIterable, SQLConvertible { case therapist, supervisor }

    package let id: ID<MemberRecord>
    package let therapyID: ID<Therapy>
    package let accountID: ID<Account>
    package let role: Role
    package let sharesWords: Bool
    package let addedAt: Instant

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        accountID = try row["account_id"]
        role = try row["role"]
        sharesWords = try row["shares_words"]
        addedAt = try row["added_at"]
    }

    package init(
        id: ID<MemberRecord>, therapy: ID<Therapy>, account: ID<Account>, _ role: Role, sharesWords: Bool,
        at now: Instant
    ) {
        self.id = id
        therapyID = therapy
        accountID = account
        self.role = role
        self.sharesWords = sharesWords
        addedAt = now
    }
}
