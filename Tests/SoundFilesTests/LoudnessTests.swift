import Foundation
import Testing

@testable import SoundFiles

/// Sounds are as loud as EBU R128 says.
@Suite struct LoudnessTests {
    /// A case of EBU Tech 3341: sines of 1000 Hz one after the other, each with the levels of its channels (dBFS) and its
    /// length in tenths of a second.
    struct Case: Sendable, CustomTestStringConvertible {
        let number: Int
        let parts: [(levels: [Double], tenths: Int)]
        let expected: Double
        var testDescription: String { "case \(number)" }
    }

    private static func stereo(_ parts: [(level: Double, tenths: Int)]) -> [(levels: [Double], tenths: Int)] {
        parts.map { ([$0.level, $0.level], $0.tenths) }
    }

    static let cases = [
        Case(number: 1, parts: stereo([(-23, 200)]), expected: -23),
        Case(number: 2, parts: stereo([(-33, 200)]), expected: -33),
        Case(number: 3, parts: stereo([(-36, 100), (-23, 600), (-36, 100)]), expected: -23),
        Case(
            number: 4, parts: stereo([(-72, 100), (-36, 100), (-23, 600), (-36, 100), (-72, 100)]),
            expected: -23),
        Case(number: 5, parts: stereo([(-26, 200), (-20, 201), (-26, 200)]), expected: -23),
        // Left, right, centre, left surround, right surround.
        Case(number: 6, parts: [([-28, -28, -24, -30, -30], 200)], expected: -23),
    ]

    /// A tenth of a second holds a hundred whole swings, so that pieces fit onto each other.
    private static func tenth(_ levels: [Double]) -> [Float] {
        (0..<4800).flatMap { index in
            let swing = sin(2 * Double.pi * 1000 * Double(index) / 48_000)
            return levels.map { Float(pow(10, $0 / 20) * swing) }
        }
    }

    @Test(arguments: cases) func `S1 the cases of EBU Tech 3341 are met within a tenth`(_ entry: Case) throws
    {
        let channels = entry.parts[0].levels.count
        let meter = try #require(LoudnessMeter(channels: channels, sampleRate: 48_000))
        for part in entry.parts {
            let piece = Self.tenth(part.levels)
            for _ in 0..<part.tenths { #expect(piece.withUnsafeBufferPointer { meter.add($0) }) }
        }
        #expect(abs(meter.loudness - entry.expected) <= 0.1, "\(meter.loudness)")
    }

    @Test func `S1 five channels in a file, and 997 Hz, are measured by the child`() throws {
        let sample = try SoundSample()
        let five = (0..<200).flatMap { _ in Self.tenth([-28, -28, -24, -30, -30]) }
        let surround = try sample.write("five.wav", SoundSample.wav(five, channels: 5, rate: 48_000))
        #expect(abs(try #require(try SoundSample.scan.run(file: surround).loudness) + 23) <= 0.1)
        let sine = SoundSample.wav(seconds: 20, hertz: 997, level: -23, channels: 2)
        let measure = try SoundSample.scan.run(file: try sample.write("997.wav", sine))
        #expect(abs(try #require(measure.loudness) + 23) <= 0.1)
        #expect(abs(try #require(measure.truePeak) + 23) <= 0.1)
    }

    @Test(arguments: [44_100, 48_000, 96_000]) func `S1 mono is as loud as the same on two channels`(
        rate: Int
    ) throws {
        let sample = try SoundSample()
        let loudness = try [1, 2].map { channels in
            let bytes = SoundSample.wav(seconds: 3, channels: channels, rate: rate)
            let path = try sample.write("\(channels).wav", bytes)
            return try #require(try SoundMeasure.measure(file: path).loudness)
        }
        #expect(loudness[0] == loudness[1])
    }

    @Test func `a peak between two samples counts`() throws {
        // A quarter of the sample rate, an eighth of a swing late: every sample misses the top by 3 dB.
        let samples = (0..<48_000).map { Float(sin(Double.pi / 2 * Double($0) + Double.pi / 4)) }
        let sample = try SoundSample()
        let path = try sample.write("peak.wav", SoundSample.wav(samples, channels: 1, rate: 48_000))
        let measure = try SoundMeasure.measure(file: path)
        #expect(abs(try #require(measure.truePeak)) < 0.3)
    }

    @Test func `the gain aims at -23 LUFS, keeps the peak below -1 dB, and stays between -24 and 12`() {
        #expect(SoundMeasure.gain(loudness: -30, truePeak: -20) == 7)
        #expect(SoundMeasure.gain(loudness: -30, truePeak: -3) == 2)
        #expect(SoundMeasure.gain(loudness: -14, truePeak: 0.5) == -9)
        #expect(SoundMeasure.gain(loudness: -60, truePeak: -50) == 12)
        #expect(SoundMeasure.gain(loudness: 10, truePeak: 12) == -24)
        #expect(SoundMeasure.gain(loudness: -10, truePeak: 40) == -24)
        #expect("\(SoundMeasure.gain(loudness: -22.999, truePeak: -20))" == "0.0")
        // Silence, and a short click.
        #expect(SoundMeasure.gain(loudness: nil, truePeak: nil) == 0)
        #expect(SoundMeasure.gain(loudness: nil, truePeak: 2) == -3)
    }

    @Test(arguments: [1, 399, 400, 401, 799, 800, 801, 5000])
    func `a waveform has at most 400 pairs and no sample is left out`(
        frames: Int
    ) {
        var waveform = Waveform()
        for index in 0..<frames {
            let frame: [Float] = [index == frames - 1 ? 1 : 0, index == 0 ? -1 : 0]
            frame.withUnsafeBufferPointer { waveform.add($0, channels: 2) }
        }
        let pairs = waveform.result()
        #expect(pairs.count == min(400, frames))
        #expect(pairs.first?.first == -127 && pairs.last?.last == 127)
        #expect(pairs.allSatisfy { $0[0] <= 0 && $0[1] >= 0 })
    }
}
