import Records
import Scheduling
import Wire

extension FiledValue {
    var end: Int { offset + length }

    /// The order inside a day: a moment may stand where another value begins.
    func isBefore(_ other: FiledValue) -> Bool {
        (offset, length, id) < (other.offset, other.length, other.id)
    }

    func overlaps(_ other: FiledValue) -> Bool { offset < other.end && other.offset < end }
}

/// A day while it is settled which values come into it: how much there is, and those of its values that can be met.
struct OpenDay {
    /// What speaks against a value.
    enum Objection {
        case overlaps, tooMany, impossible
    }

    private let type: MeasurementType
    private let limit: Int
    private var count = 0
    private var sum = 0.0
    /// In order, and each beside the others.
    private var values: [FiledValue] = []

    /// A day is not held whole: of the values that stay, one is kept for each new one that overlaps any.
    /// - Parameters:
    ///   - staying: in order.
    ///   - leaving: what is there so far, and gives way.
    init(
        _ type: MeasurementType, staying: [FiledValue], leaving: [FiledValue], new: [FiledValue], limit: Int
    ) {
        self.type = type
        self.limit = limit
        let met = Set(new.compactMap { Self.overlapped(staying, by: $0).first })
        values = met.sorted().map { staying[$0] }
        count = staying.count
        sum = staying.reduce(0) { $0 + $1.value }
        for value in leaving { add(value) }
    }

    private static func overlapped(_ values: [FiledValue], by value: FiledValue) -> Range<Int> {
        let first = values.partitioningIndex { $0.end > value.offset }
        return first..<max(first, values.partitioningIndex { $0.offset >= value.end })
    }

    func overlapped(by value: FiledValue) -> ArraySlice<FiledValue> {
        values[Self.overlapped(values, by: value)]
    }

    mutating func add(_ value: FiledValue) {
        values.insert(value, at: values.partitioningIndex { value.isBefore($0) })
        count += 1
        sum += value.value
    }

    /// - Parameter value: one that is there.
    mutating func remove(_ value: FiledValue) {
        values.remove(at: values.partitioningIndex { !$0.isBefore(value) })
        count -= 1
        sum -= value.value
    }

    // MARK: Rules

    /// Nil for a value that can be added.
    func objection(to value: FiledValue) -> Objection? {
        if !overlapped(by: value).isEmpty { return .overlaps }
        if count >= limit { return .tooMany }
        return isPossible(sum + value.value) ? nil : .impossible
    }

    /// Whether there is more than a day can have.
    func exceeds(_ rule: Objection) -> Bool {
        switch rule {
        case .overlaps: false
        case .tooMany: count > limit
        case .impossible: !isPossible(sum)
        }
    }

    /// To a thousandth, as `DaySums` has it.
    private func isPossible(_ sum: Double) -> Bool {
        !type.isSum || (sum * 1_000).rounded() / 1_000 <= type.range.upperBound
    }
}
