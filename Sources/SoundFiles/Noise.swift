import Foundation

/// Numbers that look random and are the same for the same seed on every machine (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    /// From 0 up to but not 1.
    mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Between -1 and 1, all alike: what white noise is made of.
    mutating func white() -> Double { 2 * unit() - 1 }
}

/// A filter of second order, after the formulas of the bilinear transform.
struct Biquad {
    private let b0, b1, b2, a1, a2: Double
    private var z1 = 0.0
    private var z2 = 0.0

    enum Shape {
        case low, high, band
    }

    init(_ shape: Shape, _ frequency: Double, quality: Double, rate: Double) {
        let angle = 2 * Double.pi * frequency / rate
        let cosine = cos(angle)
        let alpha = sin(angle) / (2 * quality)
        let scale = 1 / (1 + alpha)
        switch shape {
        case .low:
            b0 = (1 - cosine) / 2 * scale
            b1 = (1 - cosine) * scale
        case .high:
            b0 = (1 + cosine) / 2 * scale
            b1 = -(1 + cosine) * scale
        case .band:
            b0 = alpha * scale
            b1 = 0
        }
        b2 = shape == .band ? -b0 : b0
        a1 = -2 * cosine * scale
        a2 = (1 - alpha) * scale
    }

    mutating func next(_ sample: Double) -> Double {
        let output = b0 * sample + z1
        z1 = b1 * sample - a1 * output + z2
        z2 = b2 * sample - a2 * output
        return output
    }

    /// A filter of a high order without ripples (Butterworth).
    static func steep(_ shape: Shape, _ frequency: Double, order: Int, rate: Double) -> [Biquad] {
        (0..<order / 2).map { index in
            let quality = 1 / (2 * cos(Double.pi * Double(2 * index + 1) / Double(2 * order)))
            return Biquad(shape, frequency, quality: quality, rate: rate)
        }
    }
}

extension [Biquad] {
    mutating func next(_ sample: Double) -> Double {
        var sample = sample
        for index in indices { sample = self[index].next(sample) }
        return sample
    }
}

/// A noise, sample by sample.
struct Noise {
    enum Colour: Equatable {
        case white
        /// 3 dB less an octave.
        case pink
        /// 6 dB less an octave.
        case brown
        /// White, without the octave around this frequency.
        case notched(Double)
        /// White between two frequencies.
        case band(Double, Double)
    }

    private let colour: Colour
    private var numbers: SeededNumbers
    private var below: [Biquad] = []
    private var above: [Biquad] = []
    private var poles = [Double](repeating: 0, count: 6)

    init(_ colour: Colour, seed: UInt64, rate: Double) {
        self.colour = colour
        numbers = SeededNumbers(seed: seed)
        switch colour {
        case .notched(let centre):
            below = Biquad.steep(.low, centre / 2.0.squareRoot(), order: 16, rate: rate)
            above = Biquad.steep(.high, centre * 2.0.squareRoot(), order: 16, rate: rate)
        case .band(let low, let high):
            below =
                Biquad.steep(.high, low, order: 4, rate: rate)
                + Biquad.steep(.low, high, order: 4, rate: rate)
        case .pink, .brown:
            // Lower frequencies are inaudible, and would take headroom from audible ones.
            above = Biquad.steep(.high, 30, order: 2, rate: rate)
        case .white: break
        }
    }

    mutating func next() -> Double {
        let white = numbers.white()
        switch colour {
        case .white: return white
        case .pink: return above.next(pink(white))
        case .brown:
            poles[0] = 0.998 * poles[0] + white
            return above.next(poles[0])
        // Two noises that know nothing of each other: what both filters let through a little adds up without a comb.
        case .notched: return below.next(white) + above.next(numbers.white())
        case .band: return below.next(white)
        }
    }

    /// Simple filters, each a few times higher than the one before and weaker: a stair so fine that it is a slope.
    private mutating func pink(_ white: Double) -> Double {
        var sum = 0.0
        var frequency = 0.0004
        for index in poles.indices {
            let kept = 1 - min(1, 2 * Double.pi * frequency)
            poles[index] = kept * poles[index] + (1 - kept) * white
            sum += poles[index] / frequency.squareRoot()
            frequency *= 3.2
        }
        return sum
    }
}
