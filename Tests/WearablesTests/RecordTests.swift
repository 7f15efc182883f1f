import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Web

/// Sleeps, activities, goals and values that come singly (FB-2).
@Suite struct RecordTests {
    let portal: TestPortal
    private static let id = "5a1c9a0e-98a5-4a9f-8d3e-0000000000d1"

    init() throws { portal = try TestPortal() }

    private func sleep(_ from: Int64 = 30_000, _ to: Int64 = 3_000, more: String = "") -> String {
        """
        {"starts_at": "\(portal.now.adding(seconds: -from).text)", "ends_at": "\(portal.now.adding(seconds: -to).text)",
         "origin": "manual"\(more)}
        """
    }

    private func put(_ json: String, _ list: String = "sleeps", as person: Person = .pia) -> Response {
        portal.call(.put, "/my/\(list)/\(Self.id)", json, as: person)
    }

    @Test func `FB-2 a sleep entered by hand has no quality, and deleted it stays deleted`() throws {
        let made = put(sleep())
        #expect(made.status == 201 && made.attributes["efficiency"] == .null, "\(made.text)")
        let changes = try portal.audit().count
        #expect(put(sleep()).status == 200)
        #expect(try portal.audit().count == changes)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.count == 1)
        #expect(portal.call(.get, "/my/sleeps", as: .nora).list.isEmpty)
        // The same id is another's own.
        #expect(portal.call(.delete, "/my/sleeps/\(Self.id)", as: .nora).status == 404)
        #expect(portal.call(.delete, "/my/sleeps/\(Self.id)", as: .pia).status == 204)
        #expect(put(sleep()).status == 410)
        #expect(put(sleep().replacing("manual", with: "measured")).status == 410)
        #expect(portal.call(.delete, "/my/sleeps/\(Self.id)", as: .pia).status == 410)
        #expect(portal.call(.get, "/my/sleeps", as: .pia).list.isEmpty)
    }

    @Test func `a night is listed on the day of waking, as pages show it`() throws {
        // From yesterday 23:00 until today 07:00 in Vienna, and from today 23:00 on.
        portal.wait(seconds: try #require(Instant("2026-11-22T09:00:00Z")).seconds - portal.now.seconds)
        try portal.wait(awake: 0)
        let night = { (begin: String, end: String) in
            #"{"starts_at": "\#(begin)", "ends_at": "\#(end)", "origin": "manual"}"#
        }
        #expect(put(night("2026-11-20T22:00:00Z", "2026-11-21T06:00:00Z")).status == 201)
        // Until midnight itself: it ends on the day that begins then.
        let other = Self.id.dropLast() + "2"
        let late = night("2026-11-21T20:00:00Z", "2026-11-21T23:00:00Z")
        #expect(portal.call(.put, "/my/sleeps/\(other)", late, as: .pia).status == 201)
        let listed = { (day: String) in
            portal.call(.get, "/my/sleeps?from=\(day)&to=\(day)", as: .pia).list.map { $0["id"]?.string }
        }
        #expect(listed("2026-11-20") == [])
        #expect(listed("2026-11-21") == [Self.id])
        #expect(listed("2026-11-22") == [String(other)])
    }

    @Test func `a sleep that cannot be is refused with its place`() {
        let wrong: [(String, String)] = [
            (sleep(3_000, 30_000), "ends_at"), (sleep(3_599, 3_000), "ends_at"),
            (sleep(3_000, -600), "ends_at"), (sleep(100_000, 3_000), "ends_at"),
            (sleep(more: #", "efficiency": 90"#), "efficiency"),
            (sleep().replacing("manual", with: "dreamt"), "origin"),
            (
                sleep(more: #", "minutes_asleep": 2000"#).replacing("manual", with: "measured"),
                "minutes_asleep"
            ),
        ]
        for (json, place) in wrong {
            let refused = put(json)
            #expect(
                refused.status == 422 && refused.json["errors"]?[place] != nil, "\(json): \(refused.text)")
        }
        #expect(put(sleep(3_600, 3_000)).status == 201)
    }

    @Test(arguments: ["asleep", "restless", "awake", "to_fall_asleep"])
    func `RP-112 no part of a night is longer than the time in bed, but for a minute of rounding`(
        part: String
    ) {
        // 450 minutes.
        let night = { (minutes: Int) in
            sleep(more: #", "minutes_\#(part)": \#(minutes)"#).replacing("manual", with: "measured")
        }
        let refused = put(night(452))
        #expect(refused.status == 422 && refused.wrongFields == ["minutes_\(part)"], "\(refused.text)")
        #expect(put(night(451)).status == 201)
    }

    @Test func `RP-114 a night that ended by a clock five minutes ahead has ended`() {
        #expect(put(sleep(30_000, -301)).wrongFields == ["ends_at"])
        #expect(put(sleep(30_000, -300)).status == 201)
    }

    @Test func `a measured sleep keeps its stages, an activity its zones`() {
        let more = #", "minutes_asleep": 400, "awakenings": 2, "efficiency": 91.5"#
        let made = put(sleep(more: more).replacing("manual", with: "measured"))
        #expect(made.status == 201 && made.attributes["efficiency"] == .number(91.5))
        let walk = """
            {"name": "Laufen", "starts_at": "\(portal.now.adding(seconds: -7_200).text)", "duration_seconds": 1800,
             "distance_m": 5200.5, "zones": [{"name": "cardio", "minimum": 130, "maximum": 158, "minutes": 21}]}
            """
        let run = put(walk, "activities")
        #expect(
            run.status == 201 && run.attributes["zones"]?.array?.first?["minutes"] == .number(21),
            "\(run.text)")
        let refused = put(walk.replacing("\"minutes\": 21", with: "\"minutes\": -1"), "activities")
        #expect(refused.json["errors"]?["zones.0.minutes"] != nil, "\(refused.text)")
        #expect(
            put(walk.replacing("1800", with: "0"), "activities").json["errors"]?["duration_seconds"] != nil)
    }

    // MARK: The state in view

    @Test(arguments: ["sleeps", "activities"])
    func `H2 what another device changed meanwhile is not replaced unseen`(list: String) throws {
        let walk = { (seconds: Int) in
            """
            {"name": "Gehen", "starts_at": "\(portal.now.adding(seconds: -9_000).text)", "duration_seconds": \(seconds)}
            """
        }
        let bodies =
            list == "sleeps"
            ? [sleep(), sleep(29_000), sleep(28_000)] : [walk(900), walk(1_200), walk(1_500)]
        let made = put(bodies[0], list)
        let first = try #require(made.headers["ETag"])
        let one = portal.call(.get, "/my/\(list)/\(Self.id)", as: .pia)
        #expect(made.status == 201 && one.headers["ETag"] == first)
        #expect(portal.call(.get, "/my/\(list)/\(Self.id)", as: .nora).status == 404)
        // The same again is harmless; another content says which state it was made with.
        #expect(put(bodies[0], list).status == 200)
        #expect(put(bodies[1], list).status == 428)
        let send = { (method: HTTP.Method, body: String?, tag: String) in
            portal.call(method, "/my/\(list)/\(Self.id)", body, as: .pia, ["If-Match": tag])
        }
        let changed = send(.put, bodies[1], first)
        #expect(changed.status == 200 && changed.headers["ETag"] != first)
        let stale = send(.put, bodies[2], first)
        #expect(stale.status == 412)
        #expect(stale.json["data"]?["attributes"] == changed.json["data"]?["attributes"], "\(stale.text)")
        #expect(send(.delete, nil, first).status == 412)
        #expect(send(.delete, nil, changed.headers["ETag"] ?? "").status == 204)
        #expect(portal.call(.get, "/my/\(list)/\(Self.id)", as: .pia).status == 410)
    }

    @Test func `H2 fifty changes of one sleep with one state in view: one is made`() async throws {
        let tag = try #require(put(sleep()).headers["ETag"])
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<50 {
                let body = sleep(29_000 - Int64(number) * 60)
                group.addTask {
                    portal.call(.put, "/my/sleeps/\(Self.id)", body, as: .pia, ["If-Match": tag]).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1 && statuses.count { $0 == 412 } == 49)
    }

    @Test func `zones that an app names itself are told by their name`() {
        let run = """
            {"name": "Laufen", "starts_at": "\(portal.now.adding(seconds: -7_200).text)", "duration_seconds": 1800,
             "zones": [{"name": "Aufwärmen", "minimum": 90, "maximum": 120, "minutes": 6},
                       {"name": "cardio", "minimum": 130, "maximum": 158, "minutes": 21}]}
            """
        #expect(put(run, "activities").status == 201)
        let page = portal.get("/my/health?type=activities", as: .pia).text
        #expect(page.contains("Aufwärmen ab 90/min 6 min, ab 130/min 21 min"), "\(page)")
        #expect(page.contains("1 Aktivität, zusammen 0 h 30 min."))
        let year = portal.get("/my/health?type=activities&span=year", as: .pia).text
        #expect(year.contains("November 2026") && year.contains("0 h 30 min"))
    }

    @Test func `FB-2 a measured night tells of its quality`() {
        let more =
            #", "minutes_asleep": 400, "minutes_to_fall_asleep": 12, "awakenings": 2, "efficiency": 91.5"#
        #expect(put(sleep(more: more).replacing("manual", with: "measured")).status == 201)
        let page = portal.get("/my/health?type=sleep", as: .pia).text
        #expect(page.contains("2-mal aufgewacht · Effizienz 92 %"), "\(page)")
        #expect(page.contains("eingeschlafen nach 12 min"))
        // What is asleep counts, above and in its row.
        #expect(page.components(separatedBy: "6 h 40 min").count >= 3)
    }

    // MARK: Single values

    private func item(
        _ number: Int, _ value: Double, ago: Int64 = 600, length: Int64 = 60, type: String = "steps"
    ) -> String {
        let begin = portal.now.adding(seconds: -ago)
        return """
            {"id": "5a1c9a0e-98a5-4a9f-8d3e-00000000\(1_000 + number)", "type": "\(type)", "source": "healthkit",
             "starts_at": "\(begin.text)", "ends_at": "\(begin.adding(seconds: length).text)", "value": \(value)}
            """
    }

    private func file(_ items: String...) -> Response {
        portal.call(.put, "/my/measurements", #"{"items": [\#(items.joined(separator: ","))]}"#, as: .pia)
    }

    private var sum: JSON? {
        portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list.first?["attributes"]?["sum"]
    }

    @Test func `single values are filed into their day, and the same id again replaces one`() throws {
        let filed = file(item(1, 10), item(2, 20, ago: 500), item(3, 64, length: 0, type: "heart_rate"))
        #expect(filed.status == 200 && filed.attributes["days"] == .number(2), "\(filed.text)")
        #expect(sum == .number(30))
        let audit = try portal.audit().count
        #expect(file(item(2, 20, ago: 500)).attributes["days"] == .number(0))
        #expect(try portal.audit().count == audit)
        #expect(file(item(2, 25, ago: 500)).attributes["days"] == .number(1))
        #expect(sum == .number(35))
        let overlapping = file(item(5, 5, ago: 590))
        #expect(overlapping.status == 422 && overlapping.wrongFields == ["items.0.starts_at"])
        #expect(sum == .number(35))
    }

    @Test func `RP-113 a value of the day of 25 hours is as long as its day`() throws {
        let filed = { (end: String) in
            portal.call(
                .put, "/my/measurements",
                """
                {"items": [{"id": "5a1c9a0e-98a5-4a9f-8d3e-0000000002f1", "type": "steps", "source": "healthkit",
                 "starts_at": "2026-10-24T22:00:00Z", "ends_at": "\(end)", "value": 9000}]}
                """, as: .pia)
        }
        #expect(filed("2026-10-25T23:00:01Z").wrongFields == ["items.0.ends_at"])
        #expect(filed("2026-10-25T23:00:00Z").status == 200)
        #expect(sum == .number(9000))
    }

    @Test func `a value that is corrected into another day leaves the one where it was`() throws {
        let days = {
            portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
                .compactMap { $0["attributes"]?["sum"]?.number }
        }
        #expect(file(item(1, 10), item(2, 20, ago: 500)).status == 200)
        #expect(file(item(2, 20, ago: 86_400)).attributes["days"] == .number(2))
        #expect(days() == [10, 20])
        // The last value of a day takes the day along.
        #expect(file(item(1, 10, ago: 87_000)).attributes["days"] == .number(2))
        #expect(days() == [30])
        // In one call the last word counts.
        #expect(file(item(1, 11, ago: 600), item(1, 12, ago: 87_000)).status == 200)
        #expect(days() == [32])
    }

    @Test func `values before and after a change of zone are filed by when they were, and none is refused`()
        throws
    {
        let zone = { (name: String) in
            #expect(portal.call(.patch, "/my/profile", #"{"timezone": "\#(name)"}"#, as: .pia).status == 200)
        }
        // 09:00 UTC by the clock of the tests: five in the morning there, and the same day.
        #expect(file(item(1, 100, ago: 3_600)).status == 200)
        zone("America/New_York")
        #expect(file(item(2, 20, ago: 600)).status == 200)
        // At this hour of the day before, by the clock of New York.
        #expect(file(item(3, 7, ago: 5 * 3_600)).status == 200)
        let days = portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
        #expect(days.compactMap { $0["attributes"]?["sum"]?.number }.reduce(0, +) == 127)
        let today = days.compactMap { $0["attributes"] }.first { $0["date"] == .string("2026-11-20") }
        #expect(today?["zone"] == .string("Europe/Vienna") && today?["sum"] == .number(120), "\(days)")
        zone("Pacific/Auckland")
        #expect(file(item(4, 5, ago: 300)).status == 200)
        // Sent once more, each is where it was.
        #expect(file(item(1, 100, ago: 3_600), item(2, 20, ago: 600), item(4, 5, ago: 300)).status == 200)
        let after = portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
        #expect(after.compactMap { $0["attributes"]?["sum"]?.number }.reduce(0, +) == 132)
    }

    @Test func `a day that was sent whole knows of everything`() {
        #expect(file(item(1, 10)).status == 200)
        let date =
            portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
            .first?["attributes"]?["date"]?.string ?? ""
        let whole = """
            {"source": "healthkit", "zone": "Europe/Vienna", "complete_until": "\(portal.now.text)",
             "series": [[0, 60, 100]], "total": 120}
            """
        #expect(portal.call(.put, "/my/measurement-days/steps/\(date)", whole, as: .pia).status == 200)
        #expect(file(item(2, 20, ago: 300)).attributes["days"] == .number(0))
        #expect(sum == .number(100))
    }

    @Test func `values none of which can be are refused with their places, and nothing is kept`() throws {
        let wrong: [(String, String)] = [
            (item(2, -1), "items.1.value"), (item(2, 1, ago: -600), "items.1.ends_at"),
            (item(2, 1).replacing("steps", with: "mood"), "items.1.type"),
            (item(2, 1, ago: 200_000, length: 90_000), "items.1.ends_at"),
            (item(2, 1).replacing("5a1c", with: "zzzz"), "items.1.id"), ("7", "items.1.id"),
        ]
        for (json, place) in wrong {
            let refused = file(item(1, -10), json)
            let places = refused.wrongFields
            #expect(refused.status == 422 && places.contains("items.0.value") && places.contains(place))
        }
        let many = Array(repeating: item(1, 1), count: 2_001).joined(separator: ",")
        #expect(file(many).json["errors"]?["items"] != nil)
        #expect(try portal.count("measurement_days") == 0)
    }

    @Test func `goals are set and taken away`() {
        let set = portal.call(.put, "/my/goals", #"{"steps_per_day": 8000, "sleep_minutes": 450}"#, as: .pia)
        #expect(set.status == 200 && set.attributes["steps_per_day"] == .number(8_000))
        #expect(portal.call(.put, "/my/goals", #"{"steps_per_day": 0}"#, as: .pia).status == 422)
        #expect(portal.change(.put, "/my/goals", #"{"steps_per_day": null}"#, as: .pia).status == 200)
        #expect(portal.call(.get, "/my/goals", as: .pia).attributes["sleep_minutes"] == .null)
    }

    @Test func `the own copy tells all of it, and as Open mHealth too (W7)`() throws {
        #expect(file(item(1, 4_000), item(2, 64, length: 0, type: "heart_rate")).status == 200)
        #expect(
            file(item(3, 97, length: 0, type: "oxygen_saturation"), item(4, 310, type: "active_energy"))
                .status == 200)
        #expect(put(sleep()).status == 201)
        let walk =
            #"{"name": "Gehen", "starts_at": "\#(portal.now.adding(seconds: -7_200).text)", "duration_seconds": 600}"#
        #expect(put(walk, "activities").status == 201)
        let copy = portal.call(.get, "/my/export", as: .pia).attributes
        #expect(copy["measurement_days"]?.array?.count == 4 && copy["sleeps"]?.array?.count == 1)
        let points = copy["open_mhealth"]?.array ?? []
        var seen: Set<String> = []
        for point in points {
            let header = point["header"]
            let schema = try #require(header?["schema_id"]?["name"]?.string)
            seen.insert(schema)
            #expect(header?["schema_id"]?["namespace"] == .string("omh"))
            #expect(header?["schema_id"]?["version"]?.string?.contains(".") == true)
            #expect(header?["id"]?.string?.isEmpty == false)
            #expect(header?["creation_date_time"]?.string.flatMap(Instant.init) != nil)
            let modality = header?["acquisition_provenance"]?["modality"]?.string ?? ""
            #expect(["sensed", "self-reported"].contains(modality))
            let interval = point["body"]?["effective_time_frame"]?["time_interval"]
            #expect(interval?["start_date_time"]?.string.flatMap(Instant.init) != nil)
            #expect(interval?["end_date_time"]?.string.flatMap(Instant.init) != nil)
            let units = [
                "step-count": ("step_count", "steps"), "heart-rate": ("heart_rate", "beats/min"),
                "oxygen-saturation": ("oxygen_saturation", "%"), "calories-burned": ("kcal_burned", "kcal"),
                "sleep-duration": ("sleep_duration", "min"), "physical-activity": ("duration", "sec"),
            ]
            let (member, unit) = try #require(units[schema])
            #expect(point["body"]?[member]?["value"]?.number != nil)
            #expect(point["body"]?[member]?["unit"] == .string(unit))
        }
        #expect(seen.count == 6 && points.count == 6)
        // By hand: said by the person.
        let sleeps = points.filter { $0["header"]?["schema_id"]?["name"] == .string("sleep-duration") }
        #expect(sleeps.first?["header"]?["acquisition_provenance"]?["modality"] == .string("self-reported"))
    }
}
