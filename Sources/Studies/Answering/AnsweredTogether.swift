import Wire

/// Sheets that one participant completed within a minute of another one of the same item: two answers, marked (ST-2).
package enum AnsweredTogether {
    private static let seconds: Int64 = 60

    /// The places of the marked ones among a participant's sheets of one item, by the times that count. Paper knows its day only.
    package static func marked(_ sheets: [(at: Instant, isPaper: Bool)]) -> Set<Int> {
        let ordered = sheets.indices.filter { !sheets[$0].isPaper }.sorted { sheets[$0].at < sheets[$1].at }
        let near = zip(ordered, ordered.dropFirst()).filter { earlier, later in
            sheets[later].at.seconds - sheets[earlier].at.seconds <= seconds
        }
        return Set(near.flatMap { [$0, $1] })
    }
}
