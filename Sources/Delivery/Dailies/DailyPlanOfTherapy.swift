import Records
import Scheduling
import Secrets
import Therapies

extension DailyPlan {
    /// The plan of a therapy: seeded by its id, which is random.
    package init(therapy: ID<Therapy>) {
        let digest = Digest.plain(Array("dailies/\(therapy)".utf8))
        self.init(seed: digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
