import Database
import Foundation
import HTTP
import JSON
import Records
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Wearables
@testable import Web

/// RP-105: two telephones of one person, of which one lies in a drawer.
@Suite struct DeviceDayTests {
    let portal: TestPortal
    let path = "/my/measurement-days/steps/2026-11-19"

    init() throws { portal = try TestPortal() }

    private func body(_ device: String?, _ series: String, _ total: String, until: String) -> String {
        let name = device.map { "\"device\": \"\($0)\", " } ?? ""
        return """
            {"source": "health_connect", \(name)"zone": "Europe/Vienna", "series": [\(series)], "total": \(total),
             "complete_until": "2026-11-19T\(until):00Z"}
            """
    }

    @discardableResult
    private func put(
        _ device: String?, _ series: String = "", total: String = "null", until: String = "22:00",
        type: String = "steps"
    ) -> Response {
        portal.call(
            .put, path.replacing("steps", with: type), body(device, series, total, until: until), as: .pia)
    }

    private var steps: Double? { portal.call(.get, path, as: .pia).attributes["total"]?.number }

    @Test func `RP-105 a phone in a drawer does not take the other one's steps away`() {
        #expect(
            put("Pixel", "[28800, 3600, 4000], [61200, 3600, 5000]", total: "9000", until: "19:00").status
                == 201)
        let drawer = put("altes Telefon", total: "0", until: "22:00")
        #expect(drawer.status == 200 && drawer.attributes["total"] == .number(9_000))
        #expect(steps == 9_000)
        // The one that is carried goes on, also when it knows less of the day.
        #expect(
            put("Pixel", "[28800, 3600, 4000], [61200, 7200, 6000]", total: "10000", until: "20:00").status
                == 200)
        #expect(steps == 10_000)
        #expect(put("Pixel", total: "1", until: "19:30").json["code"]?.string == "older_day")
        #expect(put("altes Telefon", total: "5", until: "21:00").json["code"]?.string == "older_day")
        #expect(portal.call(.get, "/my/measurement-days?type=steps&source=all", as: .pia).list.count == 1)
    }

    @Test
    func `RP-105 it counts which one covers more hours, else the larger sum, else the one received last`() {
        put("A", "[0, 3600, 500], [3600, 3600, 400]")
        put("B", "[36000, 3600, 300], [39600, 3600, 300], [43200, 3600, 500]")
        #expect(portal.call(.get, path, as: .pia).attributes["sum"] == .number(1_100))
        put("C", total: "700")
        #expect(portal.call(.get, path, as: .pia).attributes["sum"] == .number(1_100))
        put("C", total: "7000", until: "22:30")
        #expect(steps == 7_000)
        put(nil, total: "7000")
        #expect(steps == 7_000 && portal.call(.get, path, as: .pia).attributes["version"] == .number(4))
        // The one that counted has lost what it had: another one counts again.
        put(nil, total: "3", until: "22:40")
        #expect(steps == 7_000)
    }

    @Test func `RP-105 a series of nothing but zeros counts as empty`() {
        let zeros = (0..<20).map { "[\($0 * 3_600), 3600, 0]" }.joined(separator: ", ")
        put("Pixel", total: "3")
        put("Lade", zeros)
        #expect(steps == 3)
        put("Uhr", zeros, total: "0", until: "22:30")
        #expect(steps == 3)
        put("Pixel", total: "0", until: "22:40")
        put("Uhr", "[28800, 60, 2]", until: "22:50")
        #expect(portal.call(.get, path, as: .pia).attributes["sum"] == .number(2))
    }

    @Test func `RP-105 a tablet without a pulse takes none away`() {
        put("Pixel", "[0, 60, 61], [3600, 60, 65]", type: "heart_rate")
        put("iPad", until: "22:30", type: "heart_rate")
        #expect(
            portal.call(.get, "/my/measurement-days/heart_rate/2026-11-19", as: .pia).attributes["mean"]
                == .number(63))
    }

    @Test func `RP-105 the same again writes nothing, for either of them`() throws {
        put("Pixel", total: "9000")
        put("Lade", total: "4")
        let before = try portal.audit().count
        let version = portal.call(.get, path, as: .pia).attributes["version"]
        #expect(put("Lade", total: "4").status == 200 && put("Pixel", total: "9000").status == 200)
        #expect(try portal.audit().count == before)
        #expect(portal.call(.get, path, as: .pia).attributes["version"] == version)
    }

    @Test func `RP-105 deleting a day takes what all devices of its source have told`() throws {
        put("Pixel", total: "9000")
        put("Lade", total: "4")
        #expect(try portal.count("other_device_days") == 1)
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["measurement_days"]?.array ?? []
        #expect(copy.compactMap { $0["device"]?.string } == ["Lade"] && copy.count == 2)
        #expect(portal.call(.delete, path + "?source=health_connect", as: .pia).status == 204)
        #expect(try portal.count("other_device_days") == 0 && portal.count("measurement_days") == 0)
    }

    @Test func `RP-105 a day from before devices were told apart belongs to the one that is named in it`()
        throws
    {
        put("Pixel", total: "9000", until: "19:00")
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE measurement_days SET device_mark = NULL")
        }
        put("Lade", total: "4")
        #expect(steps == 9_000)
        put("Pixel", total: "9500", until: "20:00")
        #expect(try steps == 9_500 && portal.count("other_device_days") == 1)
    }

    private func file(_ id: Int, at: String, _ value: Int, lasting minutes: Int = 60) -> Response {
        let start = Instant(at) ?? .distantPast
        return portal.call(
            .put, "/my/measurements",
            """
            {"items": [{"id": "00000000-0000-4000-8000-00000000000\(id)", "type": "steps", "source": "health_connect",
             "starts_at": "\(start.text)", "ends_at": "\(start.adding(seconds: Int64(minutes) * 60).text)", "value": \(value)}]}
            """, as: .pia)
    }

    @Test
    func `RP-105 single values go on beside a device that tells whole days, and count when they cover more`()
        throws
    {
        #expect(file(1, at: "2026-11-19T07:00:00Z", 300).status == 200)
        put("Pixel", "[28800, 7200, 4000]", total: "4000")
        #expect(steps == 4_000)
        // A watch without a name goes on.
        #expect(file(2, at: "2026-11-19T09:00:00Z", 2_000, lasting: 180).status == 200)
        let day = portal.call(.get, path, as: .pia).attributes
        #expect(day["total"] == .null && day["sum"] == .number(2_300))
        // Corrected into the day before, its time is in no day twice, and the phone covers more again.
        #expect(file(2, at: "2026-11-18T09:00:00Z", 2_000, lasting: 180).status == 200)
        #expect(steps == 4_000)
        let before = portal.call(.get, "/my/measurement-days/steps/2026-11-18", as: .pia).attributes
        #expect(before["sum"] == .number(2_000))
        // One that lies beside the day that counts is taken away there, too.
        #expect(file(1, at: "2026-11-18T07:00:00Z", 300).status == 200)
        #expect(try portal.count("other_device_days") == 0 && steps == 4_000)
    }
}
