import Locks
import Records
import Scheduling

/// The randomness of the demonstration: one seed for everything.
public final class SeededRandom: Sendable {
    private let generator: Lock<SplitMix64>

    public init(_ seed: UInt64) { generator = Lock(SplitMix64(seed)) }

    public func next() -> UInt64 { generator.withLock { $0.next() } }

    /// From 0 up to, not including, 1.
    public func share() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    public func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(share() * Double(range.count))
    }

    package var chance: Randomness {
        Randomness { [self] count in (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
    }
}
