import Wire

/// What became of an assignment: planned, fetched by a device, notified, opened, answered or expired. What the
/// server cannot see, the app reports.
struct LedgerEntry: Documented, Decodable {
    static let type = "delivery"
    var questionnaireKey: String
    var version: Int
    var title: String
    var source: String
    var state: String
    var availableFrom: Instant
    var dueAt: Instant
    var plannedAt: Instant
    var fetchedAt: Instant?
    var notifiedAt: Instant?
    /// When a relay took the reminder, and when a browser showed it.
    var pushedAt: Instant?
    var shownAt: Instant?
    var openedAt: Instant?
    var answeredAt: Instant?
    /// The deadline, once it has passed without an answer.
    var expiredAt: Instant?
    var withdrawnAt: Instant?

    static let states = ["coming", "open", "answered", "missed", "withdrawn"]
    static let narrowed: [String: Schema] = [
        "source": .choice(Assignment.sources), "state": .choice(states),
    ]
    static let example = LedgerEntry(
        questionnaireKey: "isf-k", version: 1, title: "ISF-K", source: "appointment", state: "coming",
        availableFrom: .example, dueAt: Instant(milliseconds: 1_795_086_400_000),
        plannedAt: Instant(milliseconds: 1_794_000_000_000))
}
