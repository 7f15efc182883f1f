import Database
import Records
import Wire

/// Days on which a therapist is away (PR-30).
package struct AbsenceRecord: Sendable, FromRow {
    package let id: ID<AbsenceRecord>
    package let therapistID: ID<Account>
    /// Days of the clinic's calendar, both included.
    package let startsOn: LocalDate
    package let endsOn: LocalDate
    /// Nil without a cover, and when the cover was for other days.
    package let coverID: ID<CoverRecord>?
    /// Whether the therapist chose to be away without cover.
    package let isWithoutCover: Bool
    package let madeAt: Instant

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapistID = try row["therapist_id"]
        startsOn = try row["starts_on"]
        endsOn = try row["ends_on"]
        coverID = try row["cover_id"]
        isWithoutCover = try row["without_cover"]
        madeAt = try row["made_at"]
    }
}

/// The first day of an absence on which patients have no cover.
package struct CoverGap: Sendable, Equatable {
    package let day: LocalDate
    /// Running therapies without cover on that day, of all.
    package let count: Int
    package let of: Int

    /// A cover as it counts here: its days, and its patients; nil for all.
    package typealias Days = (from: LocalDate, until: LocalDate, patients: Set<ID<Therapy>>?)

    /// Nil while every running therapy is covered on every day left, and without running therapies.
    package init?(
        from: LocalDate, until: LocalDate, today: LocalDate, running: [ID<Therapy>], covers: [Days]
    ) {
        let first = max(from, today)
        guard !running.isEmpty, first <= until else { return nil }
        // Between two of these days nothing ends.
        let edges = Set(
            [first] + covers.map { $0.until.adding(days: 1) }.filter { first < $0 && $0 <= until })
        for day in edges.sorted() {
            let left = running.count { therapy in
                !covers.contains { cover in
                    cover.from <= day && day <= cover.until && (cover.patients?.contains(therapy) ?? true)
                }
            }
            if left > 0 {
                self.day = day
                count = left
                of = running.count
                return
            }
        }
        return nil
    }
}
