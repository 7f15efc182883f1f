import Scheduling
import Secrets

extension DailyPlan {
    /// The plan of a therapy: its id is random, so the plan made from it is.
    package init(therapy: String) {
        let digest = Digest.plain(Array("dailies/\(therapy)".utf8))
        self.init(seed: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
