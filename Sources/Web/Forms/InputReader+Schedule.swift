import Scheduling
import Wording

extension InputReader {
    /// A local time of day, `HH:MM`.
    package func clock(_ name: String, required: Bool = false) -> ClockTime? {
        guard let text = text(name, required: required) else { return nil }
        guard let time = ClockTime(text) else {
            refuse(name, "errors.clock")
            return nil
        }
        return time
    }

    /// A whole number of a range.
    /// - Parameter first: the value when none was sent.
    package func whole(_ name: String, _ range: ClosedRange<Int>, first: Int) -> Int? {
        guard value(name) != nil else { return first }
        guard let number = number(name, .init(whole: range)) else { return nil }
        guard let whole = Int(exactly: number), range.contains(whole) else {
            refuse(name, "errors.whole", ["from": String(range.lowerBound), "to": String(range.upperBound)])
            return nil
        }
        return whole
    }

    /// The version of a text that was agreed to; nil where none was sent.
    package func consentVersion(_ name: String) -> Int? {
        value(name) == nil ? nil : whole(name, 1...1_000_000, first: 1)
    }
}
