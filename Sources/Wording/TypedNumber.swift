import Wire

/// Numbers as people write them: with a comma or a point, in groups of three, in the digits of any script.
/// `static/own/number.js` reads the same; `Tests/Scripts/numbers.json` holds both to it.
package enum TypedNumber: Sendable, Equatable {
    case number(Double)
    /// One mark with three digits behind it: thousands, or a fraction.
    case either(Readings)
    case unreadable

    /// The readings of `10.000`, each spelled so that it reads in one way.
    package struct Readings: Sendable, Equatable {
        /// `10000`
        package let grouped: String
        /// `10`
        package let fraction: String
        /// As typed, with a point: `10.000`.
        package let typed: String

        /// The question which of both was meant.
        package var question: Message {
            Message(
                TypedNumber.questionKey, ["grouped": grouped, "fraction": fraction, "decimal": typed])
        }
    }

    /// What a field allows; nil for no limit.
    package struct Limits: Sendable {
        package let minimum: Double?
        package let maximum: Double?
        /// Counted from the minimum.
        package let step: Double?

        package init(minimum: Double? = nil, maximum: Double? = nil, step: Double? = nil) {
            self.minimum = minimum
            self.maximum = maximum
            self.step = step
        }

        package init(_ range: ClosedRange<Double>?, step: Double? = nil) {
            self.init(minimum: range?.lowerBound, maximum: range?.upperBound, step: step)
        }

        /// Whole numbers of a range.
        package init(whole range: ClosedRange<Int>) {
            self.init(Double(range.lowerBound)...Double(range.upperBound), step: 1)
        }

        fileprivate func allow(_ value: Double) -> Bool {
            if let minimum, value < minimum { return false }
            if let maximum, value > maximum { return false }
            guard let step, step > 0 else { return true }
            let steps = (value - (minimum ?? 0)) / step
            return abs(steps - steps.rounded()) < 1e-6
        }
    }

    package static let questionKey = "errors.which_number"
    /// The name under which a form sends the reading that was chosen for a field.
    package static func meantName(_ field: String) -> String { field + ".meant" }
    private static let longest = 60

    /// Reads what was typed; nil for nothing but blanks.
    /// - Parameter limits: they decide between two readings where they allow only one.
    /// - Parameter meant: the reading that was chosen; without effect where it is none of this text.
    package init?(_ text: String, _ limits: Limits = Limits(), meant: String? = nil) {
        guard let signs = Self.plain(text) else {
            self = .unreadable
            return
        }
        if signs.isEmpty { return nil }
        self = Self.read(signs)
        guard case .either(let readings) = self else { return }
        if let meant, [readings.grouped, readings.fraction].contains(meant) {
            self = Double(meant).map { .number($0) } ?? .unreadable
            return
        }
        let allowed = [readings.grouped, readings.fraction].compactMap { Double($0) }.filter(limits.allow)
        if allowed.count == 1 { self = .number(allowed[0]) }
    }

    /// The number; nil where there is none, or two.
    package var value: Double? { if case .number(let value) = self { value } else { nil } }

    /// Why this is no number: unreadable, or to be asked about; nil for a number.
    package var problem: Message? {
        switch self {
        case .number: nil
        case .either(let readings): readings.question
        case .unreadable: "errors.number"
        }
    }

    /// A number as a field shows it: read again, it is the same number and no other.
    package static func spelled(_ number: Double) -> String {
        let text = expanded("\(number + 0)")
        return isAmbiguous(Array(text.utf8)) ? text + "0" : text
    }

    /// `3` instead of `3.0`, `0.00001` instead of `1e-05`.
    private static func expanded(_ text: String) -> String {
        let parts = text.split(separator: "e")
        var number = parts[0].hasSuffix(".0") ? String(parts[0].dropLast(2)) : String(parts[0])
        guard parts.count == 2, let exponent = Int(parts[1]) else { return number }
        let sign = number.hasPrefix("-") ? "-" : ""
        number = String(number.dropFirst(sign.utf8.count))
        let pieces = number.split(separator: ".")
        let digits = pieces.joined()
        let point = pieces[0].utf8.count + exponent
        if point <= 0 { return "\(sign)0.\(String(repeating: "0", count: -point))\(digits)" }
        let missing = point - digits.utf8.count
        if missing >= 0 { return sign + digits + String(repeating: "0", count: missing) }
        return "\(sign)\(digits.prefix(point)).\(digits.dropFirst(point))"
    }

    // MARK: Signs

    private static let minus = UInt8(ascii: "-")
    private static let point = UInt8(ascii: ".")
    private static let comma = UInt8(ascii: ",")
    /// Stands for every mark that only groups.
    private static let apostrophe = UInt8(ascii: "'")
    /// Stands for the mark that only begins a fraction.
    private static let arabicPoint = UInt8(ascii: "D")

    /// Digits, a sign and marks in ASCII, without outer blanks; nil where something else stands among them.
    private static func plain(_ text: String) -> [UInt8]? {
        var plain: [UInt8] = []
        var gap = false
        for sign in text.unicodeScalars where !sign.isInvisible {
            if sign.properties.isWhitespace {
                gap = plain.last.map(isDigit) ?? false
                continue
            }
            if gap { plain.append(apostrophe) }
            gap = false
            guard let one = mark(sign, isFirst: plain.isEmpty), plain.count < longest else { return nil }
            plain.append(one)
        }
        return plain
    }

    private static func mark(_ sign: Unicode.Scalar, isFirst: Bool) -> UInt8? {
        if let digit = sign.decimalDigit { return UInt8(ascii: "0") + digit }
        switch sign {
        case ".", "\u{FF0E}": return point
        case ",", "\u{FF0C}", "\u{060C}": return comma
        case "'", "\u{2019}", "\u{066C}": return apostrophe
        case "\u{066B}": return arabicPoint
        case "-", "\u{2010}"..."\u{2013}", "\u{2212}", "\u{FE63}", "\u{FF0D}": return isFirst ? minus : nil
        case "+", "\u{FF0B}": return isFirst ? UInt8(ascii: "+") : nil
        default: return nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func read(_ signs: [UInt8]) -> TypedNumber {
        let isNegative = signs[0] == minus
        let body = isNegative || signs[0] == UInt8(ascii: "+") ? signs.dropFirst() : signs[...]
        let marks = body.filter { !isDigit($0) }
        var kinds: [UInt8] = []
        for mark in marks where !kinds.contains(mark) { kinds.append(mark) }
        guard kinds.count <= 2, marks.count < body.count else { return .unreadable }
        var group = kinds.first
        var decimal = kinds.count == 2 ? kinds[1] : nil
        if kinds.count == 1, kinds[0] == arabicPoint || (kinds[0] != apostrophe && marks.count == 1) {
            group = nil
            decimal = kinds[0]
        }
        if decimal == apostrophe || group == arabicPoint { return .unreadable }
        let pieces = decimal.map { body.split(separator: $0, omittingEmptySubsequences: false) } ?? [body]
        guard pieces.count <= 2, let whole = joined(pieces[0], group) else { return .unreadable }
        let fraction = pieces.count == 2 ? Array(pieces[1]) : []
        guard fraction.allSatisfy(isDigit), !(whole.isEmpty && fraction.isEmpty) else { return .unreadable }
        let sign = isNegative ? "-" : ""
        let spelling = "\(sign)\(text(whole, else: "0")).\(text(fraction, else: "0"))"
        guard let value = Double(spelling), value.isFinite else { return .unreadable }
        if decimal != arabicPoint, group == nil, isAmbiguous(Array(spelling.utf8)), fraction.count == 3 {
            let grouped = sign + text(whole + fraction, else: "0")
            return .either(Readings(grouped: grouped, fraction: spelled(value), typed: spelling))
        }
        return .number(value + 0)
    }

    /// The digits of groups of three; nil where they are none.
    private static func joined(_ whole: ArraySlice<UInt8>, _ group: UInt8?) -> [UInt8]? {
        guard let group else { return whole.allSatisfy(isDigit) ? Array(whole) : nil }
        let groups = whole.split(separator: group, omittingEmptySubsequences: false)
        guard groups.allSatisfy({ $0.allSatisfy(isDigit) }) else { return nil }
        if groups.count == 1 { return Array(whole) }
        let isGrouped = groups.dropFirst().allSatisfy { $0.count == 3 } && (1...3).contains(groups[0].count)
        return isGrouped && groups[0].first != 0x30 ? Array(groups.joined()) : nil
    }

    /// One to three digits without a leading zero, a mark, three digits.
    private static func isAmbiguous(_ spelling: [UInt8]) -> Bool {
        let pieces = (spelling.first == minus ? spelling.dropFirst() : spelling[...]).split(separator: point)
        return pieces.count == 2 && (1...3).contains(pieces[0].count) && pieces[0].first != 0x30
            && pieces[1].count == 3
    }

    private static func text(_ digits: [UInt8], else none: String) -> String {
        digits.isEmpty ? none : String(decoding: digits, as: UTF8.self)
    }
}
