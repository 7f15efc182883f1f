/// Random numbers from a seed, the same on every machine and with every compiler version: SplitMix64 (Steele, Lea,
/// Flood 2014, "Fast Splittable Pseudorandom Number Generators").
public struct SplitMix64: Sendable {
    private var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// From 0 up to, not including, `limit`. The standard library's may change with its versions; plans must not.
    public mutating func number(below limit: Int) -> Int {
        Int(next().multipliedFullWidth(by: UInt64(limit)).high)
    }
}
