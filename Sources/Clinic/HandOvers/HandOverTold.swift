import Wire

/// A hand-over that the caller has not read yet.
struct HandOverTold: Documented, Decodable {
    static let type = "hand_over"

    var codename: String
    /// Null for the former therapist, who cannot open the file any more.
    var patientID: String?
    var from: String
    var to: String
    var handedAt: Instant
    /// Whether the former therapist let the alias go along.
    var tookAlias: Bool
    /// Reactions of the former therapist that stopped.
    var stoppedReactions: Int

    static let example = HandOverTold(
        codename: "C020480", patientID: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", from: "Dr. Ada Lindner",
        to: "Mag. Ben Steiner", handedAt: Instant(milliseconds: 1_796_000_000_000), tookAlias: true,
        stoppedReactions: 2)
}
