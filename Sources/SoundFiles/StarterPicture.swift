import Foundation

/// A small picture of a sound, drawn from numbers as the sound is: sixteen shades between two colours.
struct StarterPicture {
    static let side = 256

    /// What is to be seen.
    enum Motif: Sendable {
        /// Grain, as coarse as these powers of two: the slower a noise, the coarser.
        case grain(ClosedRange<Int>)
        /// Fine grain, heights being pitches, with the octave around a frequency left dark.
        case gap(Int)
        case rain, waves, glide
    }

    /// Red, green and blue of the darkest and the lightest shade.
    struct Colours: Sendable {
        let dark: [Double]
        let light: [Double]
    }

    /// 0 is dark, 1 is light; row by row.
    private var shades = [Double](repeating: 0, count: side * side)

    init(_ motif: Motif, seed: UInt64) {
        switch motif {
        case .grain(let sizes): fill { Self.grain($0, $1, sizes, seed) }
        case .gap(let hertz):
            let middle = 1 - log2(Double(hertz) / 125) / 7
            fill { x, y in
                abs(Double(y) / Double(Self.side) - middle) < 1.0 / 14 ? 0 : Self.grain(x, y, 1...1, seed)
            }
        case .rain: drawRain(seed)
        case .waves: drawWaves()
        case .glide:
            fill { x, y in
                let height = 0.5 + 0.36 * cos(2 * Double.pi * Double(x) / Double(Self.side))
                return exp(-pow((Double(y) / Double(Self.side) - height) * 22, 2))
            }
        }
    }

    private mutating func fill(_ shade: (_ x: Int, _ y: Int) -> Double) {
        for y in 0..<Self.side {
            for x in 0..<Self.side { shades[y * Self.side + x] = shade(x, y) }
        }
    }

    /// Random values on grids of each size, with what lies between them drawn evenly.
    private static func grain(_ x: Int, _ y: Int, _ sizes: ClosedRange<Int>, _ seed: UInt64) -> Double {
        let sum = sizes.reduce(0.0) { sum, size in
            let cell = 1 << size
            let column = x / cell
            let row = y / cell
            let right = Double(x % cell) / Double(cell)
            let down = Double(y % cell) / Double(cell)
            let value = { (column: Int, row: Int) in
                var numbers = SeededNumbers(seed: seed &+ UInt64(((size * 512) + row) * 512 + column))
                return numbers.unit()
            }
            let top = value(column, row) * (1 - right) + value(column + 1, row) * right
            let bottom = value(column, row + 1) * (1 - right) + value(column + 1, row + 1) * right
            return sum + top * (1 - down) + bottom * down
        }
        let mean = sum / Double(sizes.count)
        return 0.5 + (mean - 0.5) * Double(sizes.count).squareRoot()
    }

    private mutating func drawRain(_ seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        for _ in 0..<420 {
            let start = (x: numbers.unit() * 1.2, y: numbers.unit() * 1.2 - 0.2)
            let length = 8 + Int(numbers.unit() * 30)
            let light = 0.25 + 0.75 * numbers.unit()
            for step in 0..<length {
                let x = Int(start.x * Double(Self.side)) - step / 4
                let y = Int(start.y * Double(Self.side)) + step
                guard (0..<Self.side).contains(x), (0..<Self.side).contains(y) else { continue }
                shades[y * Self.side + x] = max(
                    shades[y * Self.side + x], light * Double(step) / Double(length))
            }
        }
    }

    private mutating func drawWaves() {
        fill { x, y in
            let place = 2 * Double.pi * Double(x) / Double(Self.side)
            let height = Double(y) / Double(Self.side)
            let passed = (0..<7).filter { layer in
                let depth = Double(layer)
                let swell = sin(place * (2.2 - 0.2 * depth) + 1.7 * depth)
                return height > 0.16 + 0.13 * depth + (0.02 + 0.006 * depth) * swell
            }
            return 0.95 - 0.13 * Double(passed.count)
        }
    }

    /// The picture as a PNG file of sixteen colours. Its data is not compressed, which needs no library.
    func png(_ colours: Colours) -> [UInt8] {
        var palette: [UInt8] = []
        for shade in 0..<16 {
            for (dark, light) in zip(colours.dark, colours.light) {
                palette.append(UInt8((dark + (light - dark) * Double(shade) / 15).rounded()))
            }
        }
        var rows: [UInt8] = []
        for y in 0..<Self.side {
            rows.append(0)
            for x in stride(from: 0, to: Self.side, by: 2) {
                let pair = [0, 1].map { next -> UInt8 in
                    let shade = shades[y * Self.side + x + next] * 15
                    return UInt8(max(0, min(15, shade.rounded())))
                }
                rows.append(pair[0] << 4 | pair[1])
            }
        }
        let size = UInt16(rows.count)
        var stream: [UInt8] = [0x78, 0x01, 0x01]
        stream += [UInt8(size & 0xff), UInt8(size >> 8), UInt8(~size & 0xff), UInt8(~size >> 8)]
        stream += rows + Self.big(Self.adler(rows))
        let header = Self.big(UInt32(Self.side)) + Self.big(UInt32(Self.side)) + [4, 3, 0, 0, 0]
        return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Self.chunk("IHDR", header)
            + Self.chunk("PLTE", palette) + Self.chunk("IDAT", stream) + Self.chunk("IEND", [])
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + data
        return big(UInt32(data.count)) + named + big(checksum(named))
    }

    /// CRC-32, as PNG wants it of each chunk.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xedb8_8320 : sum >> 1 }
        }
    }

    /// Adler-32, as zlib wants it of the whole.
    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var low = UInt32(1)
        var high = UInt32(0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
