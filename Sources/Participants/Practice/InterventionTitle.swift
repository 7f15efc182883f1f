import Rules
import Wire

/// What an intervention is called: its first line, or the first words of a long one.
struct InterventionTitle {
    private static let length = 90

    let line: String
    /// What there is to read beside it: what follows the line, or everything where the line is cut.
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
    /// Whether it is new to somebody: unopened, and given in the last seven days.
    func isFresh(_ now: Instant) -> Bool {
        state == .new && assignedAt > now.adding(days: -OwnPracticePages.newDays)
    }
}
