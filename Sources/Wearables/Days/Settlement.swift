import Records
import Wire

/// Settles which of the values sent for one type and source go together with one another and with what is known (RP-113).
/// A value that is refused leaves what it would have corrected where it is.
///
/// Of two that overlap the known one stays; of two new ones the one that ends first, so that one long value does not
/// take many short ones along.
struct Settlement {
    private struct Spot {
        let date: LocalDate
        let value: FiledValue
    }

    private struct Sent {
        let spot: Spot
        /// Where it was so far.
        var former: [Spot] = []
        var isIn = false
        /// Why it is refused.
        var objection: OpenDay.Objection?
    }

    private let type: MeasurementType
    private let ids: Set<String>
    private let limit: Int
    private var days: [LocalDate: OpenDay] = [:]
    private var sent: [Sent] = []
    private var former: [String: [Spot]] = [:]
    /// The places in `sent` by the ids.
    private var numbers: [String: Int] = [:]

    /// - Parameter ids: of all that is sent, also into days that were sent whole: it leaves where it was.
    init(_ type: MeasurementType, _ ids: Set<String>, limit: Int = MeasurementDay.sampleLimit) {
        self.type = type
        self.ids = ids
        self.limit = limit
    }

    /// The days that can have changed.
    var dates: [LocalDate] { days.keys.sorted() }

    /// What is refused, by the ids.
    var refused: [String: OpenDay.Objection] { numbers.compactMapValues { sent[$0].objection } }

    /// Adds a day that was not sent whole.
    mutating func open(_ date: LocalDate, _ known: [FiledValue], new: [FiledValue]) {
        let leaving = known.filter { ids.contains($0.id) }
        if leaving.isEmpty, new.isEmpty { return }
        days[date] = OpenDay(
            type, staying: known.filter { !ids.contains($0.id) }, leaving: leaving, new: new, limit: limit)
        for value in leaving { former[value.id, default: []].append(Spot(date: date, value: value)) }
        sent += new.map { Sent(spot: Spot(date: date, value: $0)) }
    }

    mutating func settle() {
        sent.sort {
            ($0.spot.date, $0.spot.value.end, $0.spot.value.id)
                < ($1.spot.date, $1.spot.value.end, $1.spot.value.id)
        }
        for number in sent.indices {
            let id = sent[number].spot.value.id
            numbers[id] = number
            sent[number].former = former.removeValue(forKey: id) ?? []
        }
        // What is left goes into days that were sent whole.
        for spot in former.values.joined() { days[spot.date]?.remove(spot.value) }
        attempt(Array(sent.indices))
        // What is refused together may go together, as two do that change places.
        var corrections = sent.indices.filter { isRefused($0) && !sent[$0].former.isEmpty }
        while !corrections.isEmpty {
            attempt(corrections)
            let left = corrections.filter(isRefused)
            if left.count == corrections.count { return }
            corrections = left
        }
    }

    private func isRefused(_ number: Int) -> Bool { sent[number].objection != nil }

    /// Takes all of them as good, refuses those that are not, and looks once more at all that is refused then.
    private mutating func attempt(_ numbers: [Int]) {
        for number in numbers {
            sent[number].objection = nil
            takeFormer(number)
        }
        for number in numbers {
            let spot = sent[number].spot
            if days[spot.date]?.overlapped(by: spot.value).isEmpty == true {
                put(number)
            } else {
                refuse(number, .overlaps)
            }
        }
        trim(numbers)
        reconsider()
    }

    // MARK: Taking and putting

    private mutating func put(_ number: Int) {
        let spot = sent[number].spot
        days[spot.date]?.add(spot.value)
        sent[number].isIn = true
        sent[number].objection = nil
    }

    private mutating func takeFormer(_ number: Int) {
        for spot in sent[number].former { days[spot.date]?.remove(spot.value) }
    }

    private mutating func refuse(_ number: Int, _ objection: OpenDay.Objection) {
        takeOut(number, objection)
        var rest = [number]
        while let number = rest.popLast() {
            for spot in sent[number].former {
                for other in days[spot.date]?.overlapped(by: spot.value) ?? [] {
                    guard let met = numbers[other.id], sent[met].isIn else { continue }
                    takeOut(met, .overlaps)
                    rest.append(met)
                }
                days[spot.date]?.add(spot.value)
            }
        }
    }

    private mutating func takeOut(_ number: Int, _ objection: OpenDay.Objection) {
        let spot = sent[number].spot
        if sent[number].isIn { days[spot.date]?.remove(spot.value) }
        sent[number].isIn = false
        sent[number].objection = objection
    }

    // MARK: Limits

    /// Of too many the last ones are refused, of an impossible sum the largest.
    private mutating func trim(_ numbers: [Int]) {
        let byDate = Dictionary(grouping: numbers) { sent[$0].spot.date }
        var isSettled = false
        while !isSettled {
            isSettled = true
            for date in byDate.keys.sorted() {
                for rule in [OpenDay.Objection.tooMany, .impossible] where exceeds(rule, date) {
                    let worst = (byDate[date] ?? []).sorted { weight($0, rule) > weight($1, rule) }
                    for number in worst where sent[number].isIn && exceeds(rule, date) {
                        refuse(number, rule)
                        isSettled = false
                    }
                }
            }
        }
    }

    private func exceeds(_ rule: OpenDay.Objection, _ date: LocalDate) -> Bool {
        days[date]?.exceeds(rule) == true
    }

    private func weight(_ number: Int, _ rule: OpenDay.Objection) -> Double {
        let value = sent[number].spot.value
        return rule == .tooMany ? Double(value.offset) : value.value
    }

    // MARK: Once more

    /// What stood in the way of a value may itself have been refused, or have left since.
    private mutating func reconsider() {
        var queue = Array(sent.indices.reversed().filter(isRefused))
        while let number = queue.popLast() {
            guard isRefused(number) else { continue }
            let spot = sent[number].spot
            takeFormer(number)
            if let objection = days[spot.date]?.objection(to: spot.value) {
                sent[number].objection = objection
                for former in sent[number].former { days[former.date]?.add(former.value) }
                continue
            }
            put(number)
            for gone in sent[number].former {
                queue += sent.indices.reversed().filter { hasHope($0, without: gone) }
            }
        }
    }

    private func hasHope(_ number: Int, without gone: Spot) -> Bool {
        let one = sent[number]
        guard let objection = one.objection, one.spot.date == gone.date else { return false }
        return objection != .overlaps || one.spot.value.overlaps(gone.value)
    }
}
