import Wire

/// A day as one of several devices of its source told it.
package struct DeviceDay: Sendable {
    let mark: String
    let told: ToldDay
}

/// Which of several devices of one source counts for a day, the phone in a pocket or the one in a drawer (RP-105). One choice among all of
/// them, so that the order in which they tell the day does not matter: compared two by two, they can form a circle.
enum DeviceChoice {
    /// Below this share of the largest figure, a device has lain still.
    private static let leastShare = 0.05

    /// Of those that tell a series the one that covers most hours; of those that tell only a sum the largest figure; and of
    /// these two the larger figure. Nil for none.
    static func counting(among days: [DeviceDay]) -> DeviceDay? {
        let full = days.filter { !$0.told.isEmpty }
        let told = full.isEmpty ? days : full
        guard let type = told.first?.told.draft.type, type.isSum else { return most(told, by: \.hours) }
        let largest = told.map(\.told.figure).max() ?? 0
        let moved = told.filter { $0.told.figure >= leastShare * largest }
        let series = most(moved.filter { $0.told.hours > 0 }, by: \.hours)
        let sum = most(moved.filter { $0.told.hours == 0 }, by: \.figure)
        return most([series, sum].compactMap(\.self), by: \.figure)
    }

    /// At a tie the one received last; in the same moment one without a name, then any, but always the same.
    private static func most<Value: Comparable>(
        _ days: [DeviceDay], by value: (ToldDay) -> Value
    ) -> DeviceDay? {
        days.max { one, other in
            let mine = value(one.told)
            let others = value(other.told)
            if mine != others { return mine < others }
            if one.told.receivedAt != other.told.receivedAt {
                return one.told.receivedAt < other.told.receivedAt
            }
            return one.mark > other.mark
        }
    }
}
