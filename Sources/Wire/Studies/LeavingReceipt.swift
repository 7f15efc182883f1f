/// What proves that a study was left, and what became of the answers, without a name (ST-6).
public struct LeavingReceipt: Documented, Decodable, Narrowed {
    public static let type = "leaving_receipt"
    public static let outcomes = ["kept", "erased"]

    /// The number that shows it, without signing in: thirty letters.
    public var receipt: String
    /// The title of the study.
    public var study: String
    /// The day, as noon in the clinic's zone.
    public var leftAt: Instant
    /// What became of the answers given until then.
    public var answers: String

    public init(receipt: String, study: String, leftAt: Instant, answers: String) {
        self.receipt = receipt
        self.study = study
        self.leftAt = leftAt
        self.answers = answers
    }

    public static let narrowed: [String: Schema] = ["answers": .choice(outcomes)]
    public static let example = LeavingReceipt(
        receipt: "BCDFGHJKLMNPQRSTVWXZBCDFGHJKLM", study: "Stress im Alltag",
        leftAt: Instant(milliseconds: 1_795_000_000_000), answers: "kept")
}
