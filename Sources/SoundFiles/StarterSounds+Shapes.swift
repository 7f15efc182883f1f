import Foundation

extension StarterSounds {
    private var frames: Int { seconds * LoopedSound.rate }

    /// Two channels that know nothing of each other sound wide, where one would sit in the middle of the head.
    func noises(_ colour: Noise.Colour, _ seed: UInt64) -> [[Double]] {
        [0, 1].map { LoopedSound.noise(colour, seconds: seconds, seed: seed + $0) }
    }

    /// A tone that goes up and down six octaves, as evenly as hearing has it.
    func sweep() -> [[Double]] {
        let steps = (0..<frames).map { index in
            let height = 0.5 - 0.5 * cos(2 * Double.pi * Double(index) / Double(frames))
            return 125 * pow(64, height) / Double(LoopedSound.rate)
        }
        // A hair faster or slower, so that whole swings fit and the end meets the begin.
        let turns = steps.reduce(0, +)
        let scale = turns.rounded() / turns
        var phase = 0.0
        return [
            steps.map { step in
                defer { phase += step * scale }
                return sin(2 * Double.pi * phase)
            }
        ]
    }

    /// Two waves that come and go, each rising faster than it runs out, over a sea that never is quite still.
    func sea(_ seed: UInt64) -> [[Double]] {
        let near = noises(.pink, seed)
        let far = noises(.brown, seed + 2)
        return (0..<2).map { channel in
            let farLevel = level(far[channel])
            let nearLevel = level(near[channel])
            return (0..<frames).map { index in
                let turn = Double(index) / Double(frames)
                // The second wave is smaller; both ears hear them a little apart.
                let place = 2 * Double.pi * (2 * turn + 0.02 * Double(channel))
                let swell = 0.5 - 0.5 * cos(place + 0.7 * sin(place))
                let size = 1 + 0.25 * cos(2 * Double.pi * turn)
                let wave = 0.12 + 0.88 * size * swell * swell
                return near[channel][index] / nearLevel * wave + 0.35 * far[channel][index] / farLevel
            }
        }
    }

    /// Rain from afar as noise, and drops that fall close by, each a short ringing of its own pitch and place.
    func rain(_ seed: UInt64) -> [[Double]] {
        var channels = noises(.band(700, 11_000), seed).map { list in
            let level = level(list)
            return list.map { $0 / level }
        }
        var numbers = SeededNumbers(seed: seed + 2)
        for _ in 0..<seconds * 90 {
            let start = Int(numbers.unit() * Double(frames))
            let pitch = 1200 * pow(6, numbers.unit())
            let loudness = 0.4 + 2.2 * pow(numbers.unit(), 3)
            let place = numbers.unit()
            var ring = Biquad(.band, pitch, quality: 6, rate: Double(LoopedSound.rate))
            for index in 0..<LoopedSound.rate / 50 {
                let push = index < 40 ? numbers.white() * (1 - Double(index) / 40) : 0
                let sample = 4 * loudness * ring.next(push)
                // A drop at the end rings on at the begin.
                let at = (start + index) % frames
                channels[0][at] += sample * (1 - place).squareRoot()
                channels[1][at] += sample * place.squareRoot()
            }
        }
        return channels
    }

    private func level(_ samples: [Double]) -> Double {
        (samples.reduce(0) { $0 + $1 * $1 } / Double(max(1, samples.count))).squareRoot()
    }
}
