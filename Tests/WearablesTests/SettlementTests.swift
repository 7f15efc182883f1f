import Scheduling
import Testing
import Wire

@testable import Wearables

/// Days that are full, in small.
@Suite struct SettlementTests {
    private func date(_ day: Int) -> LocalDate { LocalDate(daysSince1970: 20_776 + Int64(day)) }

    private func value(_ id: String, at offset: Int, lasting length: Int = 10) -> FiledValue {
        FiledValue(id: id, offset: offset, length: length, value: 60)
    }

    private func refused(
        _ known: [FiledValue], _ new: [FiledValue], limit: Int
    ) -> [String: OpenDay.Objection] {
        var settlement = Settlement(.heartRate, Set(new.map(\.id)), limit: limit)
        settlement.open(date(0), known, new: new)
        settlement.settle()
        return settlement.refused
    }

    @Test func `RP-113 of too many the last ones are refused, and no correction among them`() {
        let known = [value("a", at: 0), value("b", at: 20), value("c", at: 900)]
        let new = [value("c", at: 901), value("d", at: 40), value("e", at: 60)]
        #expect(refused(known, new, limit: 4) == ["e": .tooMany])
        #expect(refused(known, new, limit: 3) == ["d": .tooMany, "e": .tooMany])
    }

    @Test func `RP-113 what overlaps only one that is one too many is filed`() {
        let known = [value("a", at: 0), value("b", at: 20)]
        // Alone the new one, which ends first, would go before the correction.
        let new = [value("a", at: 100, lasting: 100), value("c", at: 150)]
        #expect(refused(known, new, limit: 3) == ["a": .overlaps])
        #expect(refused(known, new, limit: 2) == ["c": .overlaps])
    }

    // MARK: At random

    @Test(arguments: 1...60)
    func `RP-113 in full days, too, each value is there once, and what is refused would break a rule`(
        seed: UInt64
    ) {
        var chance = SplitMix64(seed)
        let type: MeasurementType = seed.isMultiple(of: 2) ? .steps : .heartRate
        var days: [[FiledValue]] = [[], [], []]
        for step in 0..<20 {
            var sent: [String: (day: Int, value: FiledValue)] = [:]
            for _ in 0...chance.number(below: 8) {
                let id = String(chance.number(below: 14))
                let value = FiledValue(
                    id: id, offset: chance.number(below: 60), length: chance.number(below: 9),
                    value: Double(chance.number(below: 70_000)))
                sent[id] = (chance.number(below: days.count), value)
            }
            var settlement = Settlement(type, Set(sent.keys), limit: 4)
            for day in days.indices {
                let new = sent.values.filter { $0.day == day }.map(\.value)
                settlement.open(date(day), days[day], new: new)
            }
            settlement.settle()
            let refused = settlement.refused
            let filed = sent.filter { refused[$0.key] == nil }
            for day in days.indices {
                days[day].removeAll { filed[$0.id] != nil }
                days[day] += filed.values.filter { $0.day == day }.map(\.value)
                days[day].sort { $0.isBefore($1) }
                #expect(broken(days[day], type) == [], "seed \(seed), step \(step)")
            }
            for (id, objection) in refused {
                guard let one = sent[id] else { continue }
                let with = days[one.day].filter { $0.id != id } + [one.value]
                #expect(broken(with, type).contains(objection), "seed \(seed), step \(step): \(id)")
            }
        }
    }

    /// The rules that a day breaks, each told in the plainest way.
    private func broken(_ day: [FiledValue], _ type: MeasurementType) -> Set<OpenDay.Objection> {
        var rules: Set<OpenDay.Objection> = []
        for one in day {
            let later = day.filter { $0.id != one.id && $0.offset < one.offset + one.length }
            if later.contains(where: { one.offset < $0.offset + $0.length }) { rules.insert(.overlaps) }
        }
        if day.count > 4 { rules.insert(.tooMany) }
        if type == .steps, day.reduce(0, { $0 + $1.value }) > 120_000 { rules.insert(.impossible) }
        return rules
    }
}
