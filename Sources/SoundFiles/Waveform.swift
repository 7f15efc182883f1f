/// The lowest and the highest sample of each slice of a sound whose length is not known before it ends.
///
/// Slices double in length when there are twice as many as wanted, so that memory is limited.
struct Waveform {
    static let pairs = 400

    private struct Pair {
        var low = Float.infinity
        var high = -Float.infinity

        mutating func add(_ other: Pair) {
            low = min(low, other.low)
            high = max(high, other.high)
        }
    }

    private var done: [Pair] = []
    private var current = Pair()
    private var count = 0
    private var stretch = 1

    /// - Parameter samples: interleaved, all channels of each moment.
    mutating func add(_ samples: UnsafeBufferPointer<Float>, channels: Int) {
        var rest = samples[...]
        while !rest.isEmpty {
            let frames = min(stretch - count, rest.count / channels)
            for sample in UnsafeBufferPointer(rebasing: rest.prefix(frames * channels)) {
                if sample < current.low { current.low = sample }
                if sample > current.high { current.high = sample }
            }
            rest = rest.dropFirst(frames * channels)
            count += frames
            if count == stretch { close() }
        }
    }

    private mutating func close() {
        done.append(current)
        current = Pair()
        count = 0
        guard done.count == 2 * Self.pairs else { return }
        done = stride(from: 0, to: done.count, by: 2).map { index in
            var pair = done[index]
            pair.add(done[index + 1])
            return pair
        }
        stretch *= 2
    }

    /// In 127ths of full scale.
    func result() -> [[Int]] {
        let all = count > 0 ? done + [current] : done
        let wanted = min(Self.pairs, all.count)
        return (0..<wanted).map { index in
            var pair = Pair()
            for other in all[index * all.count / wanted..<(index + 1) * all.count / wanted] {
                pair.add(other)
            }
            return [Self.scaled(pair.low), Self.scaled(pair.high)]
        }
    }

    private static func scaled(_ sample: Float) -> Int { Int((max(-1, min(1, sample)) * 127).rounded()) }
}
