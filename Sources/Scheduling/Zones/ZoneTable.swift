import Foundation

/// The clocks of one zone as its file tells them: TZif of version 2 or later (RFC 9636), with its footer.
final class ZoneTable: Sendable {
    static let utc = ZoneTable(offset: 0)

    /// When the clocks change, in seconds since 1970, the earliest first.
    let times: [Int64]
    /// Seconds east of Greenwich: before the first change, and behind each.
    let offsets: [Int64]
    /// How they change behind the last one; empty where they do not.
    let footer: ArraySlice<UInt8>
    private let rule: ZoneRule?
    /// What the rule says of the years around now, written out: asking it takes ten times as long.
    private let near: ZoneChanges

    private init(offset: Int64) {
        times = []
        offsets = [offset]
        footer = []
        rule = nil
        near = .none
    }

    /// Changes that the footer tells as well are left out: files write out some, many, or none of them.
    /// - Returns: nil for a footer that is none.
    init?(times: [Int64], offsets: [Int64], footer: ArraySlice<UInt8>) {
        let rule = ZoneRule(footer)
        guard footer.isEmpty || rule != nil else { return nil }
        var count = times.count
        if let rule {
            while count > 1, rule.offset(at: times[count - 1]) == offsets[count],
                rule.isSteady(from: times[count - 2], until: times[count - 1], offset: offsets[count - 1])
            { count -= 1 }
        }
        self.times = Array(times.prefix(count))
        self.offsets = Array(offsets.prefix(count + 1))
        self.footer = footer
        self.rule = rule
        near = rule?.changes(from: self.times.last) ?? .none
    }

    /// Nil where the file is missing.
    convenience init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init([UInt8](data))
    }

    /// Nil for a file that is torn or of another kind.
    convenience init?(_ bytes: [UInt8]) {
        guard let short = Header(bytes, at: 0), short.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: short.end(ofTimesOf: 4)), header.leaps == 0, header.types > 0
        else { return nil }
        let end = header.end(ofTimesOf: 8)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\n"),
            let newline = bytes[(end + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let footer = bytes[(end + 1)..<newline]
        let kinds = header.start + header.times * 8
        let first = kinds + header.times
        let known = (0..<header.types).map {
            Int64(Int32(truncatingIfNeeded: Self.number(bytes, first + $0 * 6, bytes: 4)))
        }
        let changes = (0..<header.times).map { Self.number(bytes, header.start + $0 * 8, bytes: 8) }
        let kindsOfChanges = (0..<header.times).map { Int(bytes[kinds + $0]) }
        guard known.allSatisfy({ (-93_599...93_599).contains($0) }),
            kindsOfChanges.allSatisfy({ $0 < known.count }),
            zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 })
        else { return nil }
        self.init(
            times: changes, offsets: [known[0]] + kindsOfChanges.map { known[$0] }, footer: footer)
    }

    /// Seconds east of Greenwich.
    func offset(at second: Int64) -> Int64 {
        if let offset = near.offset(at: second) { return offset }
        if let rule, times.last.map({ $0 <= second }) ?? true { return rule.offset(at: second) }
        return offsets[times.partitioningIndex { $0 > second }]
    }

    fileprivate static func number(_ bytes: [UInt8], _ start: Int, bytes count: Int) -> Int64 {
        var number: Int64 = 0
        for place in start..<(start + count) { number = number << 8 | Int64(bytes[place]) }
        return number
    }
}

/// What stands before the times of a file, of which there are two: the first with times of four bytes.
private struct Header {
    let version: UInt8
    /// Where the times begin.
    let start: Int
    let times: Int
    let types: Int
    let leaps: Int
    private let rest: Int

    init?(_ bytes: [UInt8], at place: Int) {
        start = place + 44
        guard start <= bytes.count, bytes[place..<(place + 4)].elementsEqual("TZif".utf8) else { return nil }
        version = bytes[place + 4]
        let counts = (0..<6).map { Int(ZoneTable.number(bytes, place + 20 + $0 * 4, bytes: 4)) }
        // Of universal and of standard times, leap seconds, changes, kinds of time, and letters of their names.
        rest = counts[0] + counts[1] + counts[5]
        leaps = counts[2]
        times = counts[3]
        types = counts[4]
    }

    func end(ofTimesOf size: Int) -> Int {
        start + times * (size + 1) + types * 6 + leaps * (size + 4) + rest
    }
}
