import Foundation
import Pictures
import Testing

@testable import SoundFiles

/// The sounds of our own.
@Suite struct StarterSoundsTests {
    static let short = StarterSounds(seed: 1, seconds: 4)

    @Test(arguments: StarterSounds.recipes.map(\.name))
    func `SN-1 a starter sound goes round without a seam, as loud as all`(
        name: String
    ) throws {
        let recipe = try #require(StarterSounds.recipes.first { $0.name == name })
        let sound = Self.short.sound(recipe)
        let frames = sound.frames
        let channels = (0..<sound.channels).map { channel in
            stride(from: channel, to: sound.samples.count, by: sound.channels).map {
                Double(sound.samples[$0])
            }
        }
        #expect(frames == 4 * 44_100)
        for samples in channels {
            // The step over the seam is one of the usual ones, and so is the bend.
            let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.sorted()
            #expect(abs(samples[0] - samples[frames - 1]) <= steps[steps.count * 9999 / 10_000])
            // Around it nothing swells or fades: a fifth of a second is as loud as its neighbours.
            let level = { (range: Range<Int>) in
                10
                    * log10(
                        range.reduce(0) {
                            $0 + samples[($1 + frames) % frames] * samples[($1 + frames) % frames]
                        })
            }
            let seam = level(-4410..<4410)
            let neighbours = (level(-13_230..<(-4410)) + level(4410..<13_230)) / 2
            #expect(
                abs(seam - neighbours) < (name == "brown-noise" || name == "sea" ? 4 : 1.5),
                "\(seam) \(neighbours)")
        }
        let meter = try #require(LoudnessMeter(channels: sound.channels, sampleRate: 44_100))
        // Round and round, as it is heard.
        for _ in 0..<2 { #expect(sound.samples.withUnsafeBufferPointer { meter.add($0) }) }
        #expect(abs(meter.loudness + 23) < 0.5, "\(meter.loudness)")
        #expect(meter.truePeak <= -0.9, "\(meter.truePeak)")
    }

    @Test func `a seed gives the same sounds, another one others`() throws {
        // SplitMix64, as others have published it.
        var numbers = SeededNumbers(seed: 1_234_567)
        let known: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        ]
        #expect((0..<3).map { _ in numbers.next() } == known)
        for name in ["pink-noise", "rain"] {
            let recipe = try #require(StarterSounds.recipes.first { $0.name == name })
            let sounds = [1, 1, 2].map { StarterSounds(seed: $0, seconds: 1).sound(recipe).samples }
            #expect(sounds[0] == sounds[1] && sounds[0] != sounds[2])
        }
    }

    /// Decibels of what lies in a band.
    private func level(_ samples: [Double], _ low: Double, _ high: Double) -> Double {
        var filters =
            Biquad.steep(.high, low, order: 32, rate: 44_100)
            + Biquad.steep(.low, high, order: 32, rate: 44_100)
        let power = samples.reduce(0) { sum, sample in
            let kept = filters.next(sample)
            return sum + kept * kept
        }
        return 10 * log10(power / Double(samples.count) / (high - low))
    }

    @Test func `the colours have their slopes`() {
        for (colour, slope) in [(Noise.Colour.white, 0.0), (.pink, -3), (.brown, -6)] {
            let samples = LoopedSound.noise(colour, seconds: 4, seed: 7)
            let levels = [250.0, 500, 1000, 2000, 4000, 8000].map { level(samples, $0 * 0.8, $0 * 1.25) }
            for (lower, higher) in zip(levels, levels.dropFirst()) {
                #expect(abs(higher - lower - slope) < 1, "\(colour): \(levels)")
            }
        }
    }

    @Test(arguments: [1000.0, 4000, 8000]) func `a notch takes one octave and leaves the rest`(centre: Double)
    {
        let samples = LoopedSound.noise(.notched(centre), seconds: 2, seed: 3)
        let around = level(samples, centre / 2, centre / 1.6)
        #expect(level(samples, centre / 1.05, centre * 1.05) < around - 35)
        #expect(abs(level(samples, centre * 1.6, centre * 2) - around) < 1)
    }

    @Test func `SN-1 the command's folder is measured, and its list read again`() throws {
        let sample = try SoundSample()
        let folder = sample.path("starter")
        let written = try StarterSounds(seed: 1, seconds: 2).write(to: folder)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(SoundManifest.file)")))
        #expect(try SoundManifest(bytes) == written)
        #expect(written.sounds.count == 10 && written.categories.count == 4)
        for sound in written.sounds {
            let measure = try SoundSample.scan.run(file: "\(folder)/\(sound.file)")
            #expect(measure.kind == .flac && measure.sampleRate == 44_100)
            #expect(measure.problem(loopStart: sound.loopStart, loopEnd: sound.loopEnd) == nil)
            let drawn = Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(sound.picture ?? "")")))
            let picture = try PictureFile(drawn)
            #expect(picture.width == 256 && picture.height == 256 && picture.kind == .png)
            #expect(sound.title.keys.sorted() == ["de", "en"] && sound.licence == "CC0-1.0")
            #expect(abs(measure.gain) < 1, "\(sound.file) \(measure.gain)")
        }
        // The same seed, the same bytes.
        let again = sample.path("again")
        try StarterSounds(seed: 1, seconds: 2).write(to: again)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(
                FileManager.default.contentsEqual(atPath: "\(folder)/\(name)", andPath: "\(again)/\(name)"),
                "\(name)")
        }
    }

    @Test func `a list that cannot be read says where`() throws {
        let sound =
            #""file": "a.flac", "category": "x", "title": {"de": "A"}, "credits": "B", "licence": "C""#
        let list = { (sound: String) in
            Array(
                #"{"format": "intersession-sounds/1", "categories": [{"key": "x", "title": {"de": "X"}}], "sounds": [{\#(sound)}]}"#
                    .utf8)
        }
        let read = try SoundManifest(list(sound))
        #expect(read.sounds[0].loopStart == nil && read.sounds[0].picture == nil)
        let wrong = [
            (#""a.flac""#, #""../a.flac""#, "sounds[0].file"), (#""x""#, #""y""#, "sounds[0].category"),
            (#""A""#, "1", "sounds[0].title.de"), (#""B""#, #"" ""#, "sounds[0].credits"),
            (#", "licence": "C""#, "", "sounds[0].licence"),
            (#""C""#, #""C", "loop_end": 1.5"#, "sounds[0].loop_end"),
            (#""C""#, #""C", "picture": ".x""#, "sounds[0].picture"),
            (#""C""#, #""C", "licence": "D""#, "line 1, column"),
        ]
        for (old, new, place) in wrong {
            do {
                _ = try SoundManifest(list(sound.replacingOccurrences(of: old, with: new)))
                Issue.record("\(new) was read")
            } catch {
                #expect("\(error)".contains(place), "\(error)")
            }
        }
        #expect(throws: SoundManifest.Failure.self) { try SoundManifest(Array("{}".utf8)) }
    }
}
