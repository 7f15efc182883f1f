import Wire

/// One event in a therapy.
struct TimelineEntry: Documented, Decodable {
    static let type = "timeline_entry"
    static let kinds = [
        "pairing", "assignment", "contribution", "daily", "intervention", "session", "alert", "note",
        "therapy",
    ]
    var kind: String
    var at: Instant
    var title: String
    var summary: String?
    var scores: Ordered<Double>?
    var subjectID: String?

    static let narrowed: [String: Schema] = ["kind": .choice(kinds), "subjectID": .string.orNull]
    static let example = TimelineEntry(
        kind: "contribution", at: .example, title: "ISF-K", summary: "8 von 8",
        scores: Ordered([("intensity", 2.5)]), subjectID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12")
}
