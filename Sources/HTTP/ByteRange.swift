/// The `Range` field of RFC 9110, 14.2, for one range; for several the whole file is sent, as allowed.
public enum ByteRange: Equatable, Sendable {
    case whole
    case part(Range<Int>)
    case unsatisfiable

    public static func parse(_ header: String?, size: Int) -> ByteRange {
        guard let header, header.hasPrefix("bytes=") else { return .whole }
        let text = header.dropFirst("bytes=".count).trimmingBlanks()
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard ends.count == 2, !text.contains(",") else { return .whole }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return .whole
        case (true, false):
            guard let count = number(ends[1]) else { return .whole }
            return count == 0 || size == 0 ? .unsatisfiable : .part(max(0, size - count)..<size)
        default:
            guard let first = number(ends[0]) else { return .whole }
            let last = ends[1].isEmpty ? size - 1 : number(ends[1])
            guard let last, ends[1].isEmpty || last >= first else { return .whole }
            return first < size ? .part(first..<(min(last, size - 1) + 1)) : .unsatisfiable
        }
    }

    /// The largest integer for numbers that overflow: they lie beyond the end of any file.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text) ?? .max
    }
}
