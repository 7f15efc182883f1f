import Wire

/// The day that a second of a local clock lies in, counted since 1970.
func dayNumber(ofSecond second: Int64) -> Int64 { (second >= 0 ? second : second - 86_399) / 86_400 }

/// How the clocks of a zone go on after the last change that its file writes out: the footer, a `TZ` text as POSIX and RFC
/// 9636 describe it, with hours from -167 to 167.
struct ZoneRule: Sendable {
    private struct Summer: Sendable {
        let offset: Int64
        let begin: YearlyChange
        let end: YearlyChange
    }

    private let standard: Int64
    private let summer: Summer?

    /// Nil for any other text.
    init?(_ text: ArraySlice<UInt8>) {
        var rest = RuleText(rest: text)
        guard rest.name(), let west = rest.time(hours: 24) else { return nil }
        standard = -west
        if rest.isEmpty {
            summer = nil
            return
        }
        guard rest.name() else { return nil }
        var offset = standard + 3600
        if !rest.begins(with: ",") {
            guard let west = rest.time(hours: 24) else { return nil }
            offset = -west
        }
        guard rest.take(","), let begin = YearlyChange(&rest), rest.take(","), let end = YearlyChange(&rest),
            rest.isEmpty
        else { return nil }
        summer = Summer(offset: offset, begin: begin, end: end)
    }

    /// Days between two looks: no summer time and no winter time is as short.
    private static let steps = 20 * 86_400

    /// Whether clocks stay as they are for less than two years.
    func isSteady(from begin: Int64, until end: Int64, offset expected: Int64) -> Bool {
        guard end - begin < 2 * 366 * 86_400, offset(at: end - 1) == expected else { return false }
        return stride(from: begin, to: end, by: Self.steps).allSatisfy { offset(at: $0) == expected }
    }

    /// Seconds east of Greenwich.
    func offset(at second: Int64) -> Int64 {
        guard let summer else { return standard }
        let year = YearStart(containing: dayNumber(ofSecond: second + standard))
        let first = summer.begin.local(in: year) - standard
        let last = summer.end.local(in: year) - summer.offset
        // South of the equator summer goes on over the turn of the year.
        let isSummer =
            first < last ? first <= second && second < last : !(last <= second && second < first)
        return isSummer ? summer.offset : standard
    }
}

extension ZoneRule {
    /// Years that are written out: those of stored answers, and of plans.
    private static let written = 2000...2060

    /// What it says of the years around now.
    /// - Parameter last: the last change before it is in force, in seconds since 1970.
    func changes(from last: Int64?) -> ZoneChanges {
        let years = Self.written.map { YearStart($0) }
        guard let first = years.first, let end = years.last else { return .none }
        let from = max(begin(of: first), last ?? .min)
        let until = begin(of: end)
        // Between these it says the same: it looks at one year after the other.
        let begins = years.flatMap { edges(of: $0) }.filter { from < $0 && $0 < until }.sorted()
        var times: [Int64] = []
        var offsets: [Int64] = []
        for begin in [from] + begins {
            let found = offset(at: begin)
            if found == offsets.last { continue }
            times.append(begin)
            offsets.append(found)
        }
        return from < until ? ZoneChanges(from: from, until: until, times: times, offsets: offsets) : .none
    }

    private func begin(of year: YearStart) -> Int64 { year.day(0) * 86_400 - standard }

    private func edges(of year: YearStart) -> [Int64] {
        guard let summer else { return [] }
        return [
            begin(of: year), summer.begin.local(in: year) - standard,
            summer.end.local(in: year) - summer.offset,
        ]
    }
}

/// A year by its first day: enough to find days in it, without making dates.
private struct YearStart: Sendable {
    /// Days before each month of a year that is not leap.
    private static let months: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]

    private let first: Int64
    private let isLeap: Bool

    init(containing day: Int64) { self.init(LocalDate(daysSince1970: day).year) }

    init(_ year: Int) {
        let before = Int64(year - 1)
        first = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of a day of the year, from 0.
    func day(_ number: Int) -> Int64 { first + Int64(number) }

    /// The number of a day from 1 to 365, of which none is 29 February.
    func counted(_ number: Int) -> Int64 { first + Int64(number - 1) + (isLeap && number >= 60 ? 1 : 0) }

    /// The first day of a month from 1 on; 13 is the next January.
    func month(_ month: Int) -> Int64 { first + Self.months[month - 1] + (isLeap && month > 2 ? 1 : 0) }
}

/// A change of the clocks that comes back every year.
private struct YearlyChange: Sendable {
    private enum Day: Sendable {
        /// 1 to 365; 29 February is not counted.
        case counted(Int)
        /// 0 to 365.
        case ofYear(Int)
        /// 0 is Sunday; the fifth week is the last one.
        case weekday(Int, week: Int, month: Int)
    }

    private let day: Day
    /// Behind midnight, in seconds.
    private let time: Int64

    init?(_ rest: inout RuleText) {
        if rest.take("J") {
            guard let number = rest.number(1...365) else { return nil }
            day = .counted(number)
        } else if rest.take("M") {
            guard let month = rest.number(1...12), rest.take("."), let week = rest.number(1...5),
                rest.take("."),
                let weekday = rest.number(0...6)
            else { return nil }
            day = .weekday(weekday, week: week, month: month)
        } else {
            guard let number = rest.number(0...365) else { return nil }
            day = .ofYear(number)
        }
        guard rest.take("/") else {
            time = 7200
            return
        }
        guard let told = rest.time(hours: 167) else { return nil }
        time = told
    }

    /// The second of the local clock, counted since 1970.
    func local(in year: YearStart) -> Int64 { number(in: year) * 86_400 + time }

    private func number(in year: YearStart) -> Int64 {
        switch day {
        case .counted(let number): return year.counted(number)
        case .ofYear(let number): return year.day(number)
        case .weekday(let weekday, let week, let month):
            // In the last seven days of the month, or in the seven that the week begins with.
            let first = week == 5 ? year.month(month + 1) - 7 : year.month(month) + Int64(week - 1) * 7
            // 1 January 1970 was a Thursday.
            let ahead = (Int64(weekday) - first - 4) % 7
            return first + (ahead < 0 ? ahead + 7 : ahead)
        }
    }
}

/// Reads the text of a rule from its begin on.
private struct RuleText {
    private var rest: ArraySlice<UInt8>

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    var isEmpty: Bool { rest.isEmpty }

    func begins(with sign: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: sign) }

    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard begins(with: sign) else { return false }
        rest.removeFirst()
        return true
    }

    /// A name of at least three letters, or of any signs between angle brackets; it says nothing about the clocks.
    mutating func name() -> Bool {
        if take("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { (65...90).contains($0 & 0xdf) }
        rest = rest.dropFirst(letters.count)
        return letters.count >= 3
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { (48...57).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 48) }
        return range.contains(number) ? number : nil
    }

    /// Seconds: hours, and minutes and seconds where they are told.
    mutating func time(hours limit: Int) -> Int64? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(0...limit) else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where take(":") {
            guard let part = number(0...59) else { return nil }
            seconds += part * unit
        }
        return Int64(isNegative ? -seconds : seconds)
    }
}
