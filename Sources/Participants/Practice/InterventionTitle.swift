import Rules
import Wire

/// The title of an intervention: its first line, or the first words of a long one.
struct InterventionTitle {
    private static let length = 90

    let line: String
    /// The text beside it: the lines after the first, or everything where the first is cut.
    let rest: String?

    init(_ text: String) {
        let parts = text.split(separator: "\n", maxSplits: 1)
        let first = parts.first.map(String.init) ?? ""
        guard first.count > Self.length else {
            line = first
            rest = parts.count > 1 ? String(parts[1]) : nil
            return
        }
        let cut = first.prefix(Self.length)
        line = cut[..<(cut.lastIndex(of: " ") ?? cut.endIndex)] + " …"
        rest = text
    }
}

extension InterventionRecord {
    /// Whether it is new: unopened, and given in the last seven days.
    func isFresh(_ now: Instant) -> Bool {
        state == .new && assignedAt > now.adding(days: -OwnPracticePages.newDays)
    }
}
