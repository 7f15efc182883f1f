import Wire

/// Days on which a therapist is away.
struct Absence: Documented, Decodable {
    static let type = "absence"

    /// Days of the clinic's calendar, both included.
    var from: LocalDate
    var until: LocalDate
    /// The cover that was made for it; null without one.
    var coverID: String?
    /// Whether the therapist chose to be away without cover.
    var withoutCover: Bool
    /// The first day on which a running therapy has no cover; null where there is none, or it was chosen so.
    var uncoveredFrom: LocalDate?
    /// The sessions planned in it.
    var plannedSessions: [String]

    /// The members of a request.
    static let sent = Schema.object([
        Schema.property("from", .date), Schema.property("until", .date),
        Schema.optional("cover_id", .id.orNull), Schema.optional("without_cover", .boolean),
    ])
    static let changed = Schema.object([
        Schema.optional("from", .date), Schema.optional("until", .date),
        Schema.optional("cover_id", .id.orNull), Schema.optional("without_cover", .boolean),
    ])
    static let narrowed: [String: Schema] = ["planned_sessions": .list(.id)]
    static let example = Absence(
        from: LocalDate(daysSince1970: 20_817), until: LocalDate(daysSince1970: 20_822), coverID: nil,
        withoutCover: false, uncoveredFrom: LocalDate(daysSince1970: 20_817),
        plannedSessions: ["7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11"])
}
