import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Wearables
@testable import Web

/// Days of phones and watches over the API (FB-2, FB-4).
@Suite struct DayTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private var today: LocalDate { LocalTime(portal.now, Zone("Europe/Vienna")).date }

    private func day(
        series: String = "[[0, 300, 41], [300, 300, 12]]", total: String = "8123",
        source: String = "health_connect", zone: String = "Europe/Vienna", until: Instant? = nil,
        more: String = ""
    ) -> String {
        """
        {"source": "\(source)", "zone": "\(zone)", "complete_until": "\((until ?? portal.now).text)",
         "series": \(series), "total": \(total)\(more)}
        """
    }

    private func put(
        _ json: String, _ type: String = "steps", on date: LocalDate? = nil, as person: Person = .pia
    ) -> Response {
        portal.call(.put, "/my/measurement-days/\(type)/\((date ?? today).text)", json, as: person)
    }

    @Test func `FB-4 a day is kept whole, the same again changes nothing, a later one takes its place`()
        throws
    {
        let made = put(day())
        #expect(made.status == 201, "\(made.text)")
        #expect(made.json["data"]?["type"] == .string("measurement_day"))
        #expect(made.attributes["n"] == .number(2) && made.attributes["sum"] == .number(53))
        #expect(made.attributes["total"] == .number(8_123) && made.attributes["version"] == .number(1))
        #expect(made.attributes["series"]?.array?.count == 2)
        let audit = try portal.audit().count
        #expect(put(day()).status == 200)
        #expect(try portal.audit().count == audit && portal.count("measurement_days") == 1)
        portal.wait(seconds: 3_600)
        // A late correction takes samples away as well.
        let later = put(day(series: "[[600, 60, 5]]", total: "8000"))
        #expect(later.status == 200 && later.attributes["version"] == .number(2))
        #expect(later.attributes["n"] == .number(1) && later.attributes["total"] == .number(8_000))
        // A second phone that knows less cannot roll it back.
        let older = put(day(until: portal.now.adding(seconds: -60)))
        #expect(older.status == 409 && older.json["code"] == .string("older_day"))
        let list = portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
        #expect(list.count == 1 && list[0]["attributes"]?["total"] == .number(8_000))
        #expect(list[0]["attributes"]?["series"] == .null)
        #expect(portal.call(.get, "/my/measurement-days?type=steps", as: .nora).list.isEmpty)
    }

    @Test func `another state than the one in view is not replaced`() throws {
        let path = "/my/measurement-days/steps/\(today.text)"
        let made = put(day())
        let tag = try #require(made.headers["ETag"])
        let put = { (headers: Headers, total: String) in
            var all = headers
            all.append("Authorization", "Bearer \(portal.cast.tokens[.pia] ?? "")")
            all.append("Content-Type", "application/json")
            return portal.send(.put, "/api/v1" + path, all, body: Array(day(total: total).utf8)).status
        }
        #expect(put(["If-None-Match": "*"], "1") == 412)
        // The same again is harmless, whatever was in view.
        #expect(put(["If-None-Match": "*"], "8123") == 200)
        #expect(put(["If-Match": tag], "8124") == 200)
        #expect(put(["If-Match": tag], "8125") == 412)
        #expect(portal.call(.get, path, as: .pia).attributes["total"] == .number(8_124))
        let removal = path + "?source=health_connect"
        #expect(portal.call(.delete, removal, as: .pia, ["If-Match": tag]).status == 412)
        #expect(portal.change(.delete, removal, as: .pia).status == 204)
        // A tag of before a deletion does not fit what came after it.
        portal.wait(seconds: 1)
        #expect(put([:], "8123") == 201)
        #expect(put(["If-Match": tag], "8126") == 412)
    }

    @Test func `412 carries the present state of the source that was meant, with its tag`() throws {
        let path = "/my/measurement-days/steps/\(today.text)"
        let tag = try #require(put(day(source: "healthkit")).headers["ETag"])
        #expect(put(day(total: "9000")).status == 201)
        #expect(put(day(total: "8200", source: "healthkit")).status == 200)
        let refused = portal.call(
            .put, path, day(total: "8300", source: "healthkit"), as: .pia, ["If-Match": tag])
        #expect(refused.status == 412 && refused.json["code"] == .string("stale"))
        #expect(refused.attributes["source"] == .string("healthkit"))
        #expect(refused.attributes["total"] == .number(8_200))
        let present = try #require(refused.headers["ETag"])
        let again = portal.call(
            .put, path, day(total: "8300", source: "healthkit"), as: .pia, ["If-Match": present])
        #expect(again.status == 200 && again.attributes["total"] == .number(8_300))
        // Where there is none of this source there is no state to show.
        let none = portal.call(.put, path, day(source: "manual"), as: .pia, ["If-Match": tag])
        #expect(none.status == 412 && none.json["data"] == .null)
        let removal = portal.call(.delete, path + "?source=healthkit", as: .pia, ["If-Match": tag])
        #expect(removal.status == 412 && removal.attributes["total"] == .number(8_300))
    }

    @Test(arguments: [
        ("[[0, 300, 41], [200, 300, 12]]", "series.1"), ("[[300, 300, 41], [0, 300, 12]]", "series.1"),
        ("[[0, 300, -1]]", "series.0"), ("[[0, 300, 120001]]", "series.0"), ("[[-1, 300, 1]]", "series.0"),
        ("[[86000, 500, 1]]", "series.0"), ("[[0, 1]]", "series.0"), ("[[0.5, 1, 1]]", "series.0"),
        ("[[0, 1, \"NaN\"]]", "series.0"), ("[[300, 1e18, 1]]", "series.0"),
        ("[[9.2e18, 9.2e18, 1]]", "series.0"), ("[[0, 1, 1e300]]", "series.0"),
        ("[[0, 1, null]]", "series.0"), ("7", "series"),
        ("null", "series"),
        ("[[0, 60, 70000], [60, 60, 70000]]", "series"),
    ])
    func `samples that cannot be are refused with their place`(series: String, place: String) {
        let refused = put(day(series: series))
        #expect(refused.status == 422, "\(refused.text)")
        #expect(refused.json["errors"]?[place]?.array?.count == 1, "\(refused.text)")
    }

    @Test func `a day, a source, a zone or a total that cannot be is refused with its place`() throws {
        let wrong: [(String, Response)] = [
            ("total", put(day(total: "-1"))), ("total", put(day(total: "120001"))),
            ("zone", put(day().replacing("\"Europe/Vienna\"", with: "7"))),
            ("source", put(day(source: "abacus"))),
            ("complete_until", put(day(until: portal.now.adding(seconds: 3_600)))),
            ("date", put(day(), on: today.adding(days: 2))),
            ("date", put(day(), on: LocalDate(daysSince1970: 2_932_896))),
            ("colour", put(day(more: #", "colour": 1"#))),
        ]
        for (place, refused) in wrong {
            #expect(
                refused.status == 422 && refused.json["errors"]?[place] != nil, "\(place): \(refused.text)")
        }
        #expect(put(day(), "mood").status == 404)
        #expect(put(day(), "steps", on: LocalDate("2026-11-20")).status == 201)
        let many = "[" + (0..<20_001).map { "[\($0), 1, 1]" }.joined(separator: ",") + "]"
        #expect(put(day(series: many)).json["errors"]?["series"] != nil)
        #expect(try portal.count("measurement_days") == 1)
    }

    @Test func `RP-29 a day of an unknown zone is kept in the account's, with the word`() throws {
        let long = "[[0, 300, 41], [85000, 5000, 12]]"
        let unknown = day(series: long, zone: "Mars/Olympus")
        let made = put(unknown)
        #expect(made.status == 201, "\(made.text)")
        #expect(made.attributes["zone"] == .string("Europe/Vienna"))
        #expect(made.attributes["zone_word"] == .string("Mars/Olympus"))
        // Of a day that may be longer there, what lies in the day here.
        #expect(
            made.attributes["series"]?.array?.last == .array([.number(85_000), .number(1_400), .number(12)]))
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "America/Vancouver"}"#, as: .pia).status == 200)
        let again = put(unknown, on: today)
        #expect(again.status == 200 && again.attributes["version"] == .number(1), "\(again.text)")
        let copy = portal.call(.get, "/my/export", as: .pia).attributes["measurement_days"]?.array ?? []
        #expect(copy.first?["zone_word"] == .string("Mars/Olympus"))
        #expect(put(day(), on: today.adding(days: -1)).attributes["zone_word"] == .null)
    }

    @Test(arguments: [("2026-03-29", 82_800), ("2026-10-25", 90_000), ("2026-11-01", 86_400)])
    func `a day on which the clocks change is as long as it is`(date: String, length: Int) throws {
        let date = try #require(LocalDate(date))
        let last = "[[\(length - 60), 60, 5]]"
        #expect(put(day(series: last), on: date).status == 201)
        #expect(put(day(series: "[[\(length - 59), 60, 5]]"), on: date).json["errors"]?["series.0"] != nil)
    }

    @Test func `FB-2 sources of one day are never added up`() throws {
        let now = portal.now
        #expect(put(day(total: "6000", source: "manual")).status == 201)
        #expect(
            put(day(total: "5000", source: "gadgetbridge", until: now.adding(seconds: -600))).status == 201)
        let chosen = { portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list }
        // The one that is known the longest.
        #expect(chosen().count == 1 && chosen()[0]["attributes"]?["total"] == .number(6_000))
        try portal.services.records.writeUnaudited(.madeUp) { [portal] connection in
            let pia = try #require(portal.cast.accounts[.pia])
            try GoalStore.save(HealthWishes(sources: [.gadgetbridge]), of: pia, connection)
        }
        #expect(chosen()[0]["attributes"]?["total"] == .number(5_000))
        // The phone's own sum knows of both.
        #expect(put(day(total: "7000", until: now.adding(seconds: -6_000))).status == 201)
        #expect(chosen()[0]["attributes"]?["source"] == .string("health_connect"))
        let all = portal.call(.get, "/my/measurement-days?type=steps&source=all", as: .pia).list
        #expect(all.count == 3)
        let path = "/my/measurement-days/steps/\(today.text)"
        #expect(portal.call(.delete, path, as: .pia).status == 422)
        #expect(portal.call(.delete, path + "?source=health_connect", as: .pia).status == 204)
        #expect(portal.call(.delete, path + "?source=health_connect", as: .pia).status == 404)
        #expect(chosen()[0]["attributes"]?["source"] == .string("gadgetbridge"))
    }

    @Test func `months are means of their days, and a year opens no series`() throws {
        for offset in 0..<60 {
            let date = today.adding(days: -offset)
            if date.text.hasPrefix("2026-10") { continue }
            #expect(put(day(series: "[]", total: "\(5_000 + offset)"), on: date).status == 201)
        }
        let path = "/my/measurements?type=steps&resolution=month&from=2026-09-01"
        let months = portal.call(.get, path, as: .pia).list
        #expect(!months.contains { $0["attributes"]?["date"] == .string("2026-10-01") })
        let november = months.first { $0["attributes"]?["date"] == .string("2026-11-01") }?["attributes"]
        let days = Int(november?["days"]?.number ?? 0)
        #expect(days == Int(today.text.suffix(2)))
        #expect(november?["value"] == .number(5_000 + Double(days - 1) / 2))
        // What cannot be opened any more is not asked for.
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE measurement_days SET series = \([0] as [UInt8])")
        }
        #expect(portal.call(.get, path, as: .pia).list.count == months.count)
        #expect(portal.call(.get, "/my/measurements/latest", as: .pia).list.count == 1)
    }

    @Test
    func `FB-2 rates that a phone tells of moments are minutes in zones, until the next one or five minutes`()
    {
        let samples = (0..<120).map { "[\($0 * 60), 0, 130]" }.joined(separator: ",")
        #expect(put(day(series: "[\(samples)]", total: "null"), "heart_rate").status == 201)
        let zones = portal.call(.get, "/my/heart-days", as: .pia).list.first?["attributes"]?["zones"]?.array
        let minutes = zones?.compactMap { $0["minutes"]?.number } ?? []
        #expect(minutes.reduce(0, +) == 124 && minutes.filter { $0 > 0 }.count == 1, "\(minutes)")
    }

    @Test func `a value that begins after the day is known is refused with its place`() {
        // Ten in the morning there; the whole day has 86,400 seconds.
        let refused = put(day(series: "[[0, 300, 41], [80000, 60, 50]]", total: "null"))
        #expect(refused.status == 422 && refused.json["errors"]?["series.1"] != nil, "\(refused.text)")
        // The quarter of an hour that is not over may be told.
        #expect(put(day(series: "[[35100, 900, 41]]", total: "null")).status == 201)
        let latest = portal.call(.get, "/my/measurements/latest", as: .pia).list.first?["attributes"]
        #expect(latest?["measured_at"] == .string(portal.now.text), "\(String(describing: latest))")
    }

    @Test func `the newest figure is of the newest day that has one`() {
        let yesterday = day(series: "[[0, 60, 97]]", total: "null")
        #expect(put(yesterday, "oxygen_saturation", on: today.adding(days: -1)).status == 201)
        #expect(put(day(series: "[]", total: "null"), "oxygen_saturation").status == 201)
        let latest = portal.call(.get, "/my/measurements/latest", as: .pia).list
        #expect(latest.first?["attributes"]?["value"] == .number(97), "\(latest)")
    }

    @Test func `FB-2 a day is drawn as its series tells it, with every source and the one that counts`()
        throws
    {
        #expect(put(day(series: "[[0, 3600, 400], [7200, 3600, 200]]", total: "600")).status == 201)
        #expect(put(day(series: "[[0, 3600, 90]]", total: "null", source: "gadgetbridge")).status == 201)
        let page = portal.get("/my/health?type=steps&span=day&to=\(today.text)", as: .pia).text
        #expect(page.contains("600 Schritte") && page.contains("Health Connect"), "\(page)")
        #expect(page.contains("Gadgetbridge · zählt nicht mit"))
        // Hours of which nothing was told are left out of the drawing: two bars.
        let path = try #require(page.firstMatch(of: /class="health__bars" d="([^"]*)"/)).1
        #expect(path.components(separatedBy: "M").count == 3, "\(path)")
        let week = portal.get("/my/health?type=steps", as: .pia).text
        #expect(week.contains("span=day&amp;to=\(today.text)\">"))
        // A day on which nothing was told.
        let none = portal.get("/my/health?type=steps&span=day&to=2026-11-01", as: .pia)
        #expect(none.status == 200 && none.text.contains("In dieser Zeit gibt es keine Werte."))
    }

    @Test func `FB-2 the sum of a day that is not over lowers no mean`() {
        #expect(put(day(series: "[]", total: "100")).status == 201)
        let alone = portal.get("/my/health?type=steps", as: .pia).text
        #expect(alone.contains("100 Schritte am Tag, 1 von 7 Tagen"), "\(alone)")
        for back in 1...3 {
            #expect(put(day(series: "[]", total: "6000"), on: today.adding(days: -back)).status == 201)
        }
        let page = portal.get("/my/health?type=steps", as: .pia).text
        #expect(page.contains("6.000 Schritte am Tag, 3 von 7 Tagen"), "\(page)")
    }

    @Test func `FB-2 on how many days a goal was reached is said in the number it has`() {
        #expect(portal.change(.put, "/my/goals", #"{"steps_per_day": 8000}"#, as: .pia).status == 200)
        for (back, told) in [(1, "an 1 Tag erreicht."), (2, "an 2 Tagen erreicht.")] {
            #expect(put(day(), on: today.adding(days: -back)).status == 201)
            let page = portal.get("/my/health?type=steps", as: .pia).text
            #expect(page.contains("Ziel 8.000 Schritte: \(told)"), "\(page)")
        }
    }

    @Test func `FB-2 a year's pages open no series, neither the person's own nor the therapist's`() throws {
        for offset in 0..<60 where offset != 30 {
            let date = today.adding(days: -offset)
            if date.text.hasPrefix("2026-10") { continue }
            #expect(put(day(series: "[[0, 60, 9]]", total: "\(5_000 + offset)"), on: date).status == 201)
        }
        #expect(portal.call(.put, "/my/measurement-sharing", #"{"steps": true}"#, as: .pia).status == 200)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE measurement_days SET series = \([0] as [UInt8])")
        }
        let patient = portal.cast.therapies[.pia]?.text ?? ""
        for (path, person) in [("/my/health", Person.pia), ("/patients/\(patient)/health", .ada)] {
            let page = portal.get(path + "?type=steps&span=year", as: person)
            // The mean of November's days that are over, their number, and a month without any is a gap.
            #expect(page.status == 200 && page.text.contains("November 2026"), "\(path)")
            #expect(page.text.contains("19 Tage") && page.text.contains("5.010 Schritte"), "\(page.text)")
            #expect(!page.text.contains("Oktober 2026"))
        }
    }

    @Test func `W4 a day of 17,280 heart rates takes no more than 15 kB sealed`() throws {
        var generator = SystemRandomNumberGenerator()
        var rate = 62.0
        let samples = (0..<17_280).map { index -> String in
            rate = min(180, max(45, rate + Double(Int.random(in: -1...1, using: &generator))))
            return "[\(index * 5), 5, \(Int(rate))]"
        }
        let json = day(series: "[\(samples.joined(separator: ","))]", total: "null", until: portal.now)
        #expect(put(json, "heart_rate", on: today.adding(days: -1)).status == 201)
        let size = try portal.services.records.read { connection -> Int in
            try connection.count("SELECT length(series) FROM measurement_days")
        }
        #expect(size <= 15_000, "\(size)")
        let path = "/my/measurement-days/heart_rate/\(today.adding(days: -1).text)"
        let back = portal.call(.get, path, as: .pia).attributes["series"]?.array ?? []
        #expect(back.count == 17_280)
        #expect(back.last?.array?.first == .number(86_395))
        let zones = portal.call(.get, "/my/heart-days", as: .pia).list.first?["attributes"]?["zones"]?.array
        let minutes = zones?.compactMap { $0["minutes"]?.number }.reduce(0, +)
        #expect(abs((minutes ?? 0) - 1_440) < 0.001)
    }
}
