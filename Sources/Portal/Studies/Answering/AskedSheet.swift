import Wire

/// A prompt with the sheet that answered it; one of both may be missing.
struct AskedSheet: Sendable, Equatable {
    /// Nil for a sheet filled in at will.
    let prompt: Instant?
    /// The place of the sheet among those of its questionnaire; nil for a prompt without an answer.
    let sheet: Int?

    /// Pairs the prompts of each local day with the sheets of that day, in order: the one rule that compliance on the
    /// screen and rows of the export share.
    ///
    /// - Parameters:
    ///   - prompts: the earliest first.
    ///   - sheets: when sheets were completed, the earliest first.
    /// - Returns: all prompts and all sheets, in order of time.
    static func paired(_ prompts: [Instant], _ sheets: [Instant], _ zone: Zone) -> [AskedSheet] {
        var waiting = Dictionary(grouping: prompts) { LocalTime($0, zone).date }.mapValues { $0[...] }
        var occasions: [(at: Instant, occasion: AskedSheet)] = []
        for (index, at) in sheets.enumerated() {
            let prompt = waiting[LocalTime(at, zone).date]?.popFirst()
            occasions.append((at, AskedSheet(prompt: prompt, sheet: index)))
        }
        for prompt in waiting.values.joined() {
            occasions.append((prompt, AskedSheet(prompt: prompt, sheet: nil)))
        }
        return occasions.sorted { ($0.at, $0.occasion.sheet ?? 0) < ($1.at, $1.occasion.sheet ?? 0) }.map(
            \.occasion)
    }
}
