import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Delivery
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Web

/// IO-11 as devices see it: one plan for all of them, stable, and sheets of their own.
@Suite struct DailyAPITests {
    let portal: TestPortal
    let version: String
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws {
        portal = try TestPortal()
        version = try portal.publish("intersession-daily")
    }

    func plan(_ days: Int = 7, as person: Person = .pia) -> [JSON] {
        portal.call(.get, "/my/dailies?days=\(days)", as: person).list.compactMap { $0["attributes"] }
    }

    func moments(_ plan: [JSON]) -> [String] { plan.compactMap { $0["available_from"]?.string } }

    @Test func `IO-11 only paired patients have a plan, and only for one to seven days`() {
        #expect(portal.call(.get, "/my/dailies", as: .nora).status == 403)
        for days in ["0", "8", "1.5", "x"] {
            #expect(
                portal.call(.get, "/my/dailies?days=\(days)", as: .pia).wrongFields == ["days"], "\(days)")
        }
    }

    @Test func `IO-11 a week ahead, three a day, in order, and the same for every device`() throws {
        let plan = plan()
        // Ten in the morning: the rest of today, and seven whole days.
        let today = plan.filter { ($0["available_from"]?.string ?? "").hasPrefix("2026-11-20") }.count
        #expect((2...3).contains(today) && plan.count == today + 21)
        #expect(moments(plan) == moments(plan).sorted())
        #expect(moments(self.plan()) == moments(plan))
        #expect(self.plan(1).count == today + 3)
        let list = portal.call(.get, "/my/assignments", as: .pia).list
        let begun = moments(plan).filter { $0 <= portal.now.text }.count
        #expect(list.count { $0["attributes"]?["source"] == .string("daily") } == begun)
    }

    @Test func `IO-11 the first plan leaves alone what is there for a day already`() throws {
        let day = try #require(LocalDate("2026-11-20"))
        let window = DailyPlan.Window(
            day: day, period: 2, opens: Cast.now.adding(seconds: -7200),
            closes: Cast.now.adding(seconds: -5400))
        let id: ID<Assignment> = portal.services.chance.id()
        try portal.services.records.writeUnaudited(.madeUp) { [pia, version] connection in
            try DailyStore.insert(
                window, id: id, therapy: pia, questionnaire: ID(version), zone: "Europe/Vienna", at: Cast.now,
                connection)
        }
        #expect(plan().count >= 21)
        let evening = plan().filter { ($0["available_from"]?.string ?? "").hasPrefix("2026-11-20T1") }
        // Of today's periods the last one is taken.
        #expect(evening.allSatisfy { ($0["available_from"]?.string ?? "") < "2026-11-20T15:00:00Z" })
    }

    @Test func `IO-11 planning starts on the day after pairing`() throws {
        let body = """
            {"code": "\(portal.cast.openCode)", "birth_date": "1990-05-17", "gender": "diverse"}
            """
        #expect(portal.call(.post, "/my/pairing", body, as: .nora).status == 201)
        let plan = plan(as: .nora)
        #expect(plan.count == 21)
        #expect(moments(plan).first?.hasPrefix("2026-11-21") == true)
        #expect(moments(plan) != moments(self.plan()).filter { $0 >= "2026-11-21" })
    }

    @Test func `IO-11 the plan grows day by day and what was fetched stays`() throws {
        let before = moments(plan())
        portal.wait(days: 1)
        let after = moments(plan())
        #expect(
            after.filter { $0 < "2026-11-28" }
                == before.filter { $0 >= portal.now.adding(seconds: -1800).text })
        #expect(after.count { $0.hasPrefix("2026-11-28") } == 3)
        #expect(try portal.count("assignments") == 2 + before.count + 3)
    }

    @Test func `IO-11 in another zone the future is planned anew and no period of a day comes twice`() throws
    {
        let before = plan()
        let change = #"{"timezone": "America/New_York"}"#
        #expect(portal.call(.patch, "/my/profile", change, as: .pia).status == 200)
        let after = plan()
        let zone = Zone("America/New_York")
        // One that opened at this very moment stays.
        let future = moments(after).compactMap { Instant($0) }.filter { $0 > portal.now }
        let locals = future.map { LocalTime($0, zone) }
        #expect(locals.allSatisfy { DailyPlan.period(of: $0) != nil })
        var seen: Set<String> = []
        for local in locals {
            #expect(seen.insert("\(local.date.text)/\(DailyPlan.period(of: local) ?? 9)").inserted)
        }
        for day in 21...27 { #expect(locals.count { $0.date.day == day } == 3) }
        // The same seed, in the other zone.
        var clock = ZoneClock(zone)
        let days = (21...27).compactMap { LocalDate("2026-11-\($0)") }
        let expected = days.flatMap { DailyPlan(therapy: pia).windows(on: $0, &clock) }.map(\.opens.text)
        #expect(moments(after).suffix(21) == expected[...])
        // Home again: nothing overlaps, nothing is doubled.
        let back = #"{"timezone": "Europe/Vienna"}"#
        #expect(portal.call(.patch, "/my/profile", back, as: .pia).status == 200)
        let home = plan()
        #expect(home == before)
        let count = try portal.count("assignments")
        for zone in ["America/New_York", "Europe/Vienna", "America/New_York", "Europe/Vienna"] {
            _ = portal.call(.patch, "/my/profile", #"{"timezone": "\#(zone)"}"#, as: .pia)
            _ = plan()
        }
        // Travelling back and forth finds the same plans again, not ever more of them.
        #expect(try portal.count("assignments") == count && plan() == before)
    }

    @Test func `IO-11 in another zone what is open stays open`() throws {
        let opens = try #require(Instant(moments(plan()).first ?? ""))
        portal.wait(seconds: (opens.milliseconds - portal.now.milliseconds) / 1000)
        let open = try #require(plan().first)
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "Asia/Kathmandu"}"#, as: .pia).status == 200)
        let after = plan()
        #expect(after.first == open && after.count { $0["available_from"] == open["available_from"] } == 1)
    }

    @Test func `IO-11 an answer to a daily that was replaced meanwhile is kept for the staff`() throws {
        let last = try #require(plan().last)
        let fetched = try #require(last["assignment_id"]?.string)
        let opens = try #require(Instant(last["available_from"]?.string ?? ""))
        let change = portal.call(.patch, "/my/profile", #"{"timezone": "Asia/Kathmandu"}"#, as: .pia)
        #expect(change.status == 200)
        #expect(!plan().contains { $0["assignment_id"]?.string == fetched })
        portal.wait(days: 8)
        let answer = send(1, sheet(assignment: fetched, at: opens.adding(seconds: 60).text))
        #expect(answer.status == 409)
        #expect(try portal.count("quarantined_sheets") == 1)
    }

    @Test func `the planner plans everybody, and a second run nothing`() throws {
        try DailyPlanning.run(portal.services, part: 1)
        let count = try portal.count("assignments")
        #expect(count > 2 + 2 * 21)
        try DailyPlanning.run(portal.services)
        #expect(try portal.count("assignments") == count)
        #expect(plan(as: .quinn).count >= 21)
    }

    @Test func `TYT-5 a new version reaches what no device has fetched`() throws {
        try DailyPlanning.run(portal.services)
        _ = plan(1)
        let next = try portal.publish("intersession-daily")
        portal.wait(days: 1)
        _ = plan()
        let versions: [String: Int] = try portal.services.records.read { connection in
            let rows: [(String, Int)] = try connection.all(
                """
                SELECT questionnaire_id, count(*) FROM assignments
                WHERE therapy_id = \(pia) AND planned_on IS NOT NULL GROUP BY questionnaire_id
                """
            ) { row in (try row[0], try row[1]) }
            return Dictionary(uniqueKeysWithValues: rows)
        }
        #expect((versions[version] ?? 0) >= 5 && (versions[next] ?? 0) >= 18)
    }

    // MARK: Dailies of the device's own

    func sheetID(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

    func sheet(assignment: String, at moment: String = "2026-11-20T08:32:00Z") -> String {
        """
        {"assignment_id": "\(assignment)", "started_at": "\(moment)", "completed_at": "\(moment)",
         "timezone": "Europe/Vienna", "answers": {"thought": 0}}
        """
    }

    func own(
        from: String = "2026-11-20T08:30:00Z", due: String = "2026-11-20T09:00:00Z",
        completed: String = "2026-11-20T08:32:00Z", version: String? = nil, mood: String = #""thought": 0"#
    ) -> String {
        """
        {"daily": {"questionnaire_id": "\(version ?? self.version)", "available_from": "\(from)", "due_at": "\(due)"},
         "started_at": "\(completed)", "completed_at": "\(completed)", "timezone": "Europe/Vienna",
         "answers": {\(mood)}}
        """
    }

    func send(_ number: Int, _ body: String, as person: Person = .pia) -> Response {
        portal.call(.put, "/my/contributions/\(sheetID(number))", body, as: person)
    }

    @Test func `IO-11 a daily that the device made counts, once for its period of the day`() throws {
        let first = send(1, own())
        #expect(first.status == 201 && first.attributes["assignment_id"] == .null)
        #expect(first.attributes["questionnaire_key"] == .string("intersession-daily"))
        #expect(send(1, own()).status == 200)
        #expect(
            send(2, own(completed: "2026-11-20T08:31:00Z", mood: #""thought": 1, "feeling": 4"#)).status
                == 201)
        let extras: [Bool] = try portal.services.records.read { connection in
            try connection.all("SELECT extra FROM contributions WHERE daily_from IS NOT NULL ORDER BY id") {
                row in
                try row[0]
            }
        }
        // The first that was completed counts, not the first that came.
        #expect(extras == [true, false])
        let slots = try portal.services.records.read { connection in
            try DailyStore.slots(in: pia, from: .distantPast, until: .distantFuture, connection)
        }
        #expect(slots.count { $0.isAnswered } == 1 && slots.count { $0.isDelivered } == 1)
        let page = portal.get("/patients/\(pia)/timeline", as: .ada).text
        #expect(page.contains("1 von 1"))
    }

    @Test func `IO-11 three a day and device, each inside a period and its own half hour`() throws {
        portal.wait(seconds: 12 * 3600)
        for (number, from) in ["07:00", "07:40", "11:00", "15:00"].enumerated() {
            let end = from.dropLast(2) + (from.hasSuffix("40") ? "59" : "20")
            let body = own(
                from: "2026-11-20T\(from):00Z", due: "2026-11-20T\(end):00Z",
                completed: "2026-11-20T\(from):30Z")
            #expect(send(number, body).status == (number < 3 ? 201 : 409), "\(from)")
        }
        let wrong: [(String, String, String, String)] = [
            ("2026-11-20T06:59:00Z", "2026-11-20T07:20:00Z", "2026-11-20T07:00:00Z", "daily.available_from"),
            ("2026-11-20T19:00:00Z", "2026-11-20T19:20:00Z", "2026-11-20T19:01:00Z", "daily.available_from"),
            ("2026-11-19T08:00:00Z", "2026-11-19T08:31:00Z", "2026-11-19T08:01:00Z", "daily.due_at"),
            ("2026-11-19T08:00:00Z", "2026-11-19T08:00:00Z", "2026-11-19T08:00:00Z", "daily.due_at"),
            ("2026-11-19T08:00:00Z", "2026-11-19T08:30:00Z", "2026-11-19T08:30:01Z", "completed_at"),
        ]
        for (from, due, completed, field) in wrong {
            let answer = send(9, own(from: from, due: due, completed: completed))
            #expect(answer.status == 422 && answer.wrongFields == [field], "\(from) \(due)")
        }
    }

    @Test func `a planned daily goes before those of the device, whenever it comes in`() throws {
        portal.wait(days: 1)
        let planned = try #require(plan().first)
        let from = try #require(planned["available_from"]?.string.flatMap { Instant($0) })
        portal.wait(seconds: from.seconds - portal.now.seconds + 60)
        let stamp = portal.now.text
        let mine = own(
            from: portal.now.adding(seconds: -30).text, due: portal.now.adding(seconds: 300).text,
            completed: stamp)
        #expect(send(1, mine).status == 201)
        let body = sheet(assignment: planned["assignment_id"]?.string ?? "").replacing(
            "2026-11-20T08:31:00Z", with: stamp
        )
        .replacing("2026-11-20T08:32:00Z", with: stamp)
        #expect(send(2, body).status == 201)
        let counted: [String] = try portal.services.records.read { connection in
            try connection.all(
                "SELECT id FROM contributions WHERE planned_on IS NOT NULL AND extra = 0"
            ) { row in try row[0] }
        }
        #expect(counted == [sheetID(2)])
    }
}
