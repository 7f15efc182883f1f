import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting

/// RP-113: values and corrections at random over some days, beside a model that only knows what was taken.
@Suite struct FilingPropertyTests {
    @Test(arguments: 1...16)
    func `RP-113 what is taken is there once, what is refused changes nothing and would break a rule`(
        seed: UInt64
    ) throws {
        let random = try RandomFiling(seed)
        for step in 0..<25 {
            random.step("seed \(seed), step \(step)")
        }
    }
}

/// A person whose phone sends values of six days, most of them at odds with others.
private final class RandomFiling: ValueFiling {
    private struct Value: Equatable {
        let date: Int
        let offset: Int
        let length: Int
        let number: Double

        var triple: [Double] { [Double(offset), Double(length), number] }

        func overlaps(_ other: Value) -> Bool {
            date == other.date && offset < other.offset + other.length && other.offset < offset + length
        }
    }

    private static let days = 13...18
    private static let most = 120_000.0

    let portal: TestPortal
    private var chance: SplitMix64
    private var known: [String: Value] = [:]
    private var whole: [Int: Double] = [:]
    private var made = 0

    init(_ seed: UInt64) throws {
        portal = try TestPortal()
        chance = SplitMix64(seed)
    }

    func step(_ place: String) {
        if chance.number(below: 12) == 0 { sendWhole(place) } else { sendValues(place) }
        for date in Self.days { compare(date, place) }
    }

    private func sendWhole(_ place: String) {
        let date = Self.days.lowerBound + chance.number(below: Self.days.count)
        let sum = Double(chance.number(below: 1_000))
        #expect([200, 201].contains(send(whole: "2026-11-\(date)", sum)), "\(place)")
        whole[date] = sum
        known = known.filter { $0.value.date != date }
    }

    private func sendValues(_ place: String) {
        var items: [String] = []
        var sent: [String: Value] = [:]
        for _ in 0...chance.number(below: 14) {
            let number = chance.number(below: 24)
            let value = value(near: known[id(number)]?.date)
            sent[id(number)] = value
            items.append(
                item(
                    number, value.number, at: begin(value), lasting: Int64(value.length)))
        }
        let answer = file(items)
        #expect([200, 422].contains(answer.status), "\(place): \(answer.text)")
        let refused =
            answer.status == 422
            ? Set(sent.keys)
            : Set((answer.attributes["refused"]?.array ?? []).compactMap { $0["id"]?.string })
        for (id, value) in sent where !refused.contains(id) {
            known[id] = whole[value.date] == nil ? value : nil
        }
        for (id, value) in sent where refused.contains(id) {
            let others = known.filter { $0.key != id && $0.value.date == value.date }.values
            #expect(
                others.contains { $0.overlaps(value) } || isImpossible(others.map(\.number) + [value.number]),
                "\(place): \(id) was refused for nothing: \(answer.text)")
        }
    }

    /// A time is corrected by two days at most.
    private func value(near date: Int?) -> Value {
        made += 1
        let to =
            date.map { $0 - 2 + chance.number(below: 5) }
            ?? Self.days.lowerBound + chance.number(below: Self.days.count)
        let size = [10, 10, 10, 20_000, 50_000, 90_000][chance.number(below: 6)]
        return Value(
            date: min(max(to, Self.days.lowerBound), Self.days.upperBound),
            // From nine o'clock in Vienna on.
            offset: 9 * 3_600 + chance.number(below: 24) * 30,
            length: [0, 30, 60, 60, 240][chance.number(below: 5)],
            // Each value is told from every other by its thousandths.
            number: Double(size) + Double(made) / 1_000)
    }

    private func begin(_ value: Value) -> String {
        (Instant("2026-11-\(value.date - 1)T23:00:00Z") ?? .distantPast)
            .adding(seconds: Int64(value.offset)).text
    }

    private func isImpossible(_ numbers: [Double]) -> Bool {
        (numbers.reduce(0, +) * 1_000).rounded() > Self.most * 1_000
    }

    private func compare(_ date: Int, _ place: String) {
        let told = portal.call(
            .get, "/my/measurement-days/steps/2026-11-\(date)?source=healthkit", as: .pia)
        let series = (told.attributes["series"]?.array ?? []).map { sample in
            (sample.array ?? []).compactMap(\.number)
        }
        if let sum = whole[date] {
            #expect(series == [[0, 60, sum]], "\(place)")
            return
        }
        let here = known.values.filter { $0.date == date }
        let order = { (a: [Double], b: [Double]) in a.lexicographicallyPrecedes(b) }
        #expect(series.sorted(by: order) == here.map(\.triple).sorted(by: order), "\(place): \(date)")
        #expect(told.status == (here.isEmpty ? 404 : 200) && !isImpossible(here.map(\.number)), "\(place)")
        let isApart = here.allSatisfy { one in here.allSatisfy { $0 == one || !$0.overlaps(one) } }
        #expect(isApart, "\(place): \(date)")
    }
}
