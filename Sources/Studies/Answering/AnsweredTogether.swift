import Contributions
import Records
import Wire

/// Sheets that one participant completed within a minute of another one of the same item: two answers, marked (ST-2).
package enum AnsweredTogether {
    private static let seconds: Int64 = 60

    /// The marked ones among a participant's sheets of one item, by the times that count. Paper knows its day only.
    package static func marked(_ sheets: [ContributionRecord]) -> Set<ID<ContributionRecord>> {
        let ordered = sheets.filter { !$0.isPaper }.sorted { $0.completedAt < $1.completedAt }
        let near = zip(ordered, ordered.dropFirst()).filter { earlier, later in
            later.completedAt.seconds - earlier.completedAt.seconds <= seconds
        }
        return Set(near.flatMap { [$0.id, $1.id] })
    }
}
