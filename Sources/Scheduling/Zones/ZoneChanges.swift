/// The changes of a stretch of time, written out.
struct ZoneChanges: Sendable {
    static let none = ZoneChanges(from: 0, until: 0, times: [], offsets: [])

    private let from: Int64
    private let until: Int64
    /// The begins of the stretches with one offset, the earliest first.
    private let times: [Int64]
    private let offsets: [Int64]

    init(from: Int64, until: Int64, times: [Int64], offsets: [Int64]) {
        self.from = from
        self.until = until
        self.times = times
        self.offsets = offsets
    }

    /// Seconds east of Greenwich; nil outside of the stretch.
    func offset(at second: Int64) -> Int64? {
        guard from <= second, second < until else { return nil }
        return offsets[times.partitioningIndex { $0 > second } - 1]
    }
}
