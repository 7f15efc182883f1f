import CZlib

/// A measured part of a day.
package struct Sample: Sendable, Equatable {
    /// Seconds since the first instant of the local day.
    package let offset: Int
    /// In seconds; 0 for a moment.
    package let length: Int
    package let value: Double

    package init(_ offset: Int, _ length: Int, _ value: Double) {
        self.offset = offset
        self.length = length
        self.value = value
    }

    package var end: Int { offset + length }
}

extension [Sample] {
    /// A heart rate reported for a moment lasts until the next one, five minutes at most: zones are counted in minutes.
    package var lasting: [Sample] {
        indices.map { index in
            let sample = self[index]
            guard sample.length == 0 else { return sample }
            let next = index + 1 < count ? self[index + 1].offset : sample.offset + 300
            return Sample(sample.offset, Swift.max(0, Swift.min(300, next - sample.offset)), sample.value)
        }
    }
}

/// A series as stored: differences, compressed. A day of 17,280 heart rates takes 10 kB instead of 300.
package enum SampleCoding {
    /// The stored bytes were not written by this program.
    package struct Broken: Error {}

    /// Values are kept to a thousandth of their unit.
    private static let scale = 1_000.0

    package static func encode(_ samples: [Sample]) -> [UInt8] {
        var columns: [[UInt8]] = [[], [], []]
        var end = 0
        var length = 0
        var value = 0
        for sample in samples {
            let scaled = Int((sample.value * scale).rounded())
            // Most samples begin where the one before ended, with a similar length and value.
            append(sample.offset - end, to: &columns[0])
            append(sample.length - length, to: &columns[1])
            append(scaled - value, to: &columns[2])
            end = sample.end
            length = sample.length
            value = scaled
        }
        var plain: [UInt8] = []
        append(samples.count, to: &plain)
        for column in columns { plain += column }
        return deflate(plain)
    }

    package static func decode(_ stored: [UInt8]) throws -> [Sample] {
        let plain = try inflate(stored)
        var place = 0
        let count = try number(plain, &place)
        guard count >= 0, count <= plain.count else { throw Broken() }
        var columns: [[Int]] = []
        for _ in 0..<3 {
            var column: [Int] = []
            column.reserveCapacity(count)
            for _ in 0..<count { column.append(try number(plain, &place)) }
            columns.append(column)
        }
        var end = 0
        var length = 0
        var value = 0
        return (0..<count).map { index in
            length &+= columns[1][index]
            value &+= columns[2][index]
            let offset = end &+ columns[0][index]
            end = offset &+ length
            return Sample(offset, length, Double(value) / scale)
        }
    }

    // MARK: Numbers

    /// The sign in the lowest bit, then seven bits a byte.
    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: Int64(number << 1 ^ number >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func number(_ bytes: [UInt8], _ place: inout Int) throws -> Int {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while place < bytes.count, shift < 64 {
            let byte = bytes[place]
            place += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int(result >> 1) ^ -Int(result & 1) }
            shift += 7
        }
        throw Broken()
    }

    // MARK: zlib

    /// The most bytes of a day with the most samples, ten for each number.
    private static let longest = 1 << 20

    /// The length of the plain bytes goes before them.
    private static func deflate(_ plain: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(plain.count))
        var packed = [UInt8](repeating: 0, count: Int(length))
        let result = compress2(&packed, &length, plain, uLong(plain.count), Z_BEST_COMPRESSION)
        precondition(result == Z_OK, "zlib had too little room, which compressBound rules out")
        var stored: [UInt8] = []
        append(plain.count, to: &stored)
        return stored + packed[..<Int(length)]
    }

    private static func inflate(_ stored: [UInt8]) throws -> [UInt8] {
        var place = 0
        let count = try number(stored, &place)
        guard (0...longest).contains(count) else { throw Broken() }
        var plain = [UInt8](repeating: 0, count: max(1, count))
        var length = uLong(plain.count)
        let packed = Array(stored[place...])
        guard uncompress(&plain, &length, packed, uLong(packed.count)) == Z_OK, Int(length) == count else {
            throw Broken()
        }
        return Array(plain[..<count])
    }
}
