import Foundation

/// Samples that go round without a seam: the first follows on the last as if there had been no end.
struct LoopedSound {
    static let rate = 44_100

    /// Interleaved.
    private(set) var samples: [Float]
    let channels: Int

    var frames: Int { samples.count / channels }

    /// - Parameter made: one list for each channel, all as long.
    init(_ made: [[Double]]) {
        channels = made.count
        samples = [Float](repeating: 0, count: made.count * (made.first?.count ?? 0))
        for (channel, list) in made.enumerated() {
            for (index, sample) in list.enumerated() { samples[index * made.count + channel] = Float(sample) }
        }
    }

    /// A noise that meets itself: what would come after the end is faded into the begin, at the same power all along.
    static func noise(_ colour: Noise.Colour, seconds: Int, seed: UInt64) -> [Double] {
        var noise = Noise(colour, seed: seed, rate: Double(rate))
        let frames = seconds * rate
        let fade = rate
        // Filters begin with nothing behind them; what they say first is left out.
        for _ in 0..<rate / 2 { _ = noise.next() }
        var all = (0..<frames + fade).map { _ in noise.next() }
        for index in 0..<fade {
            let angle = Double.pi / 2 * Double(index) / Double(fade)
            all[index] = all[index] * sin(angle) + all[frames + index] * cos(angle)
        }
        return Array(all.prefix(frames))
    }

    /// Makes it as loud as all sounds of the library are meant to be, as far as its peaks allow.
    mutating func normalise() {
        guard let meter = LoudnessMeter(channels: channels, sampleRate: Self.rate),
            samples.withUnsafeBufferPointer({ meter.add($0) }), meter.loudness.isFinite
        else { return }
        let gain = Float(pow(10, min(-23 - meter.loudness, -1 - meter.truePeak) / 20))
        for index in samples.indices { samples[index] *= gain }
    }
}
