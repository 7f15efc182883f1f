/// A moment: milliseconds since 1970 in UTC.
public struct Instant: Sendable, Hashable, Comparable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whole seconds since 1970, rounded down: the precision times are compared in.
    public var seconds: Int64 { floorDivision(milliseconds, 1000) }

    /// Without the fraction of a second, as times on the wire.
    public var whole: Instant { Instant(milliseconds: seconds * 1000) }

    public static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }

    public func adding(seconds: Int64) -> Instant { Instant(milliseconds: milliseconds + seconds * 1000) }
    public func adding(days: Int64) -> Instant { adding(seconds: days * 86_400) }

    /// RFC 3339 with an offset, seconds and their fraction optional as there; nil for any other text.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, let date = LocalDate(String(text.prefix(10))),
            [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            let hour = Self.number(bytes, 11, upTo: 23), bytes[13] == UInt8(ascii: ":"),
            let minute = Self.number(bytes, 14, upTo: 59), bytes[16] == UInt8(ascii: ":"),
            let second = Self.number(bytes, 17, upTo: 60)
        else { return nil }
        var index = 19
        var fraction: Int64 = 0
        if bytes[index] == UInt8(ascii: ".") {
            let digits = bytes[(index + 1)...].prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard !digits.isEmpty else { return nil }
            for place in 0..<3 {
                let digit = place < digits.count ? Int64(digits[digits.startIndex + place] - 0x30) : 0
                fraction = fraction * 10 + digit
            }
            index += 1 + digits.count
        }
        guard let offset = Self.offset(bytes[index...]) else { return nil }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3600 + minute * 60 + second) - offset
        milliseconds = seconds * 1000 + fraction
    }

    private static func number(_ bytes: [UInt8], _ start: Int, upTo limit: Int) -> Int? {
        guard start + 1 < bytes.count, let value = twoDigits(bytes[start], bytes[start + 1]) else {
            return nil
        }
        return value <= limit ? value : nil
    }

    /// Seconds east of Greenwich.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let text = Array(bytes)
        if text == [UInt8(ascii: "Z")] || text == [UInt8(ascii: "z")] { return 0 }
        guard text.count == 6, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"),
            let hour = twoDigits(text[1], text[2]), hour <= 23, text[3] == UInt8(ascii: ":"),
            let minute = twoDigits(text[4], text[5]), minute <= 59
        else { return nil }
        let seconds = Int64(hour * 3600 + minute * 60)
        return text[0] == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// RFC 3339 in UTC, whole seconds: `2026-11-20T08:30:00Z`.
    public var text: String {
        let days = floorDivision(seconds, 86_400)
        let rest = Int(seconds - days * 86_400)
        var bytes = LocalDate(daysSince1970: days).digits
        bytes.append(UInt8(ascii: "T"))
        appendTwoDigits(rest / 3600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwoDigits(rest / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        appendTwoDigits(rest % 60, to: &bytes)
        bytes.append(UInt8(ascii: "Z"))
        return String(decoding: bytes, as: UTF8.self)
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let instant = Instant(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no RFC 3339 time")
        }
        self = instant
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Instant: Shaped {
    public static let schema = Schema.time
    public static let example = Instant(milliseconds: 1_795_000_000_000)
}

func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
}

func twoDigits(_ high: UInt8, _ low: UInt8) -> Int? {
    guard high >= 0x30, high <= 0x39, low >= 0x30, low <= 0x39 else { return nil }
    return Int(high - 0x30) * 10 + Int(low - 0x30)
}

func appendTwoDigits(_ value: Int, to bytes: inout [UInt8]) {
    bytes.append(UInt8(0x30 + value / 10 % 10))
    bytes.append(UInt8(0x30 + value % 10))
}

extension Instant {
    /// After every other.
    public static let distantFuture = Instant(milliseconds: .max)
    /// Before every other.
    public static let distantPast = Instant(milliseconds: .min)
}
