import Wire

/// The same for staff: with its origin, and whether it was withdrawn.
struct GivenIntervention: Documented, Decodable {
    static let type = "intervention"
    static let states = ["new", "opened", "completed", "withdrawn"]
    var kind: String
    var text: String
    var state: String
    var assignedAt: Instant
    var openedAt: Instant?
    var completedAt: Instant?
    var withdrawnAt: Instant?
    /// The library's text it was made from.
    var interventionID: String?

    static let narrowed: [String: Schema] = [
        "kind": .choice(Intervention.kinds), "state": .choice(states),
    ]
    static let example = GivenIntervention(
        kind: "question", text: "Wann fiel es Ihnen leicht?", state: "new", assignedAt: .example,
        openedAt: nil, completedAt: nil, withdrawnAt: nil, interventionID: nil)
}
