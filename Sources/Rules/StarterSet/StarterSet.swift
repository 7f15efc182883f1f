import Wire

/// The starter content of a new clinic, and how much of it is there.
struct StarterSet: Documented, Decodable {
    static let type = "starter_set"
    var questionnaires: [Piece]
    /// Those about tinnitus, for clinics that treat it.
    var tinnitus: [Piece]
    /// Whether there is a battery of these questionnaires.
    var battery: Bool
    /// The number of interventions missing for the clinic, and of reactions missing for the reader.
    var interventionsMissing = 0
    var reactionsMissing = 0
    /// Whether the protocol of the set is missing for the reader: 1 or 0.
    var protocolsMissing = 0

    struct Piece: Codable, Sendable, Narrowed {
        var key: String
        var title: String
        /// `missing`, `taken`, `archived`.
        var state: String

        static let narrowed: [String: Schema] = ["state": .choice(["missing", "taken", "archived"])]
    }

    /// `only`: the key of one questionnaire, or `tinnitus` for the five about it; without it, all other missing parts.
    static let sent = Schema.object([Schema.optional("only", .string.orNull)])
    static let example = StarterSet(
        questionnaires: [Piece(key: "intersession-daily", title: "Tagesabfrage", state: "missing")],
        tinnitus: [Piece(key: "tinnitus-moment", title: "Wie es gerade klingt", state: "missing")],
        battery: false, interventionsMissing: 15, reactionsMissing: 4)
}
