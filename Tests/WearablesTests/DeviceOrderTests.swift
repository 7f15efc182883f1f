import Database
import HTTP
import JSON
import Records
import Scheduling
import Testing
import Web

@testable import PortalTesting

/// RP-105: which of several devices counts for a day is a choice among all of them, whatever the order in which they tell it. The clock of
/// the portal stands still, so what is received last decides nothing here.
@Suite struct DeviceOrderTests {
    private struct Told {
        let device: String
        let series: String
        let total: String

        init(_ device: String, series: String = "", total: String = "null") {
            self.device = device
            self.series = series
            self.total = total
        }

        /// Any of few figures and hours, so that ties, empty days and circles are frequent.
        init(_ device: String, of type: String, _ chance: inout SplitMix64) {
            let figures = type == "steps" ? [0, 0, 20, 400, 900, 1_500, 2_000] : [50, 60, 70]
            let hours = chance.number(below: 4)
            let samples = (0..<hours).map { hour in
                "[\(hour * 3_600), 60, \(figures[chance.number(below: figures.count)])]"
            }
            let total = chance.number(below: hours == 0 ? 4 : 2)
            self.init(
                device, series: samples.joined(separator: ", "),
                total: total == 0 ? "null" : String(figures[chance.number(below: figures.count)]))
        }
    }

    private let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private func put(_ told: Told, _ type: String, on day: Int, until: String) {
        let date = "2026-10-\(day < 10 ? "0" : "")\(day)"
        let reply = portal.call(
            .put, "/my/measurement-days/\(type)/\(date)",
            """
            {"source": "health_connect", "device": "\(told.device)", "zone": "Europe/Vienna", "series": [\(told.series)],
             "total": \(told.total), "complete_until": "\(date)T\(until):00Z"}
            """, as: .pia)
        #expect([200, 201].contains(reply.status), "\(reply.text)")
    }

    /// The marks of the devices that count, by day.
    private func marks(_ type: String) throws -> [String] {
        try portal.services.records.read { connection in
            try connection.all(
                "SELECT device_mark FROM measurement_days WHERE type = \(type) AND date < '2026-11-01' ORDER BY date"
            ) { row in try row[0] }
        }
    }

    private static func orders<T>(_ things: [T]) -> [[T]] {
        guard !things.isEmpty else { return [[]] }
        return things.indices.flatMap { index in
            var rest = things
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test func `RP-105 of three devices whose figures form a circle the same one counts in every order`()
        throws
    {
        // By hours the watch comes before the phone, by figures the phone before the band, and the band before the watch.
        let circle = [
            Told("Uhr", series: "[0, 18000, 1000]"), Told("Pixel", series: "[0, 10800, 2000]"),
            Told("Band", total: "1500"),
        ]
        for (index, order) in Self.orders(circle).enumerated() {
            for told in order { put(told, "steps", on: index + 1, until: "20:00") }
            let day = portal.call(
                .get, "/my/measurement-days/steps/2026-10-0\(index + 1)", as: .pia
            ).attributes
            #expect(day["total"] == .number(1_500), "\(order.map(\.device))")
        }
    }

    @Test(arguments: ["steps", "heart_rate"], 1...8)
    func `RP-105 in every order the same of any devices counts`(type: String, seed: UInt64) throws {
        var chance = SplitMix64(seed)
        let count = 2 + chance.number(below: 3)
        let devices = (0..<count).map { Told("\($0)", of: type, &chance) }
        let before = (0..<count).map { Told("\($0)", of: type, &chance) }
        let orders = Self.orders(Array(devices.indices))
        for (index, order) in orders.enumerated() {
            // In some runs each device has told something else before.
            if seed.isMultiple(of: 2) {
                for device in order.reversed() { put(before[device], type, on: index + 1, until: "12:00") }
            }
            for device in order { put(devices[device], type, on: index + 1, until: "20:00") }
        }
        let marks = try marks(type)
        #expect(marks.count == orders.count)
        #expect(Set(marks).count == 1, "\(devices)")
    }
}
