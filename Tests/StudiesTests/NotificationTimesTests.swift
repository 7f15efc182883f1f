import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Scheduling

/// TYS-6: participants choose when they are asked, where the study allows it.
@Suite struct NotificationTimesTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        try portal.publish("wellbeing-5")
    }

    func daily(_ isChangeable: Bool, unit: String = "day", more: String = "") -> String {
        let item = desk.add(
            "wellbeing-5", to: study,
            """
            , "is_schedule_changeable": \(isChangeable), "schedules": [{"type": "between", "amount": 3, "every": 1,
            "unit": "\(unit)", "start": "09:00", "end": "21:00", "start_day": 0}\(more)]
            """)
        #expect(desk.enrol(.nora, in: study).status == 201)
        return item
    }

    func plan(_ item: String, _ json: String? = nil) -> Response {
        portal.call(
            json == nil ? .get : .put, "/my/questionnaires/\(item)/notification-plan", json, as: .nora)
    }

    /// Local clock times of the coming prompts, by day.
    func clocks() -> [String: [String]] {
        let zone = Zone("Europe/Vienna")
        let times = portal.call(.get, "/my/notifications", as: .nora).list.compactMap {
            $0["attributes"]?["fires_at"]?.string.flatMap { Instant($0) }
        }
        return Dictionary(grouping: times) { LocalTime($0, zone).date.text }.mapValues { day in
            day.map { at in
                let local = LocalTime(at, zone)
                return ClockTime(minutes: local.hour * 60 + local.minute).text
            }
        }
    }

    @Test func `who has chosen nothing sees what the study asks`() {
        let item = daily(
            true,
            more:
                #", {"type": "fixed", "at": "12:30", "amount": 1, "every": 1, "unit": "day", "start_day": 0}"#
        )
        let shown = plan(item)
        #expect(shown.status == 200 && shown.json["data"]?["type"]?.string == "notification_plan")
        #expect(shown.attributes["option"]?.string == "both" && shown.attributes["amount"] == .number(3))
        #expect(shown.attributes["windows"]?.array?.count == 7)
        let monday = shown.attributes["windows"]?.array?.first
        #expect(monday?["weekday"] == .number(1) && monday?["from"]?.string == "09:00")
        #expect(monday?["till"]?.string == "21:00" && monday?["enabled"] == .bool(true))
        #expect(shown.attributes["times"]?.array?.first?["at"]?.string == "12:30")
        // What was read can be sent back.
        let body = String(decoding: (try? JSONWriter.bytes(of: shown.attributes)) ?? [], as: UTF8.self)
        #expect(plan(item, body).status == 200)
    }

    @Test func `own times hold from now on, by weekday, with the usual window where none is named`() throws {
        let item = daily(true)
        let chosen = plan(
            item,
            """
            {"option": "both", "amount": 2, "windows": [{"weekday": 6, "enabled": false},
             {"weekday": 7, "from": "20:00", "till": "18:00"}],
             "times": [{"at": "07:15"}, {"weekday": 7, "at": "19:00"}]}
            """)
        #expect(chosen.status == 200, "\(chosen.text)")
        let windows = chosen.attributes["windows"]?.array ?? []
        // Exchanged, because from is after till; not sent: the usual.
        #expect(windows.last?["from"]?.string == "18:00" && windows.last?["till"]?.string == "20:00")
        #expect(windows.first?["from"]?.string == "08:00" && windows.first?["till"]?.string == "22:00")
        // The last day is told only in part.
        let days = clocks().filter { $0.key < "2026-12-03" }
        for (text, times) in days where LocalDate(text) != LocalTime(portal.now, Zone("Europe/Vienna")).date {
            let weekday = LocalDate(text)?.weekday
            #expect(times.contains("07:15"), "\(text)")
            switch weekday {
            case 6: #expect(times == ["07:15"])
            case 7:
                #expect(times.contains("19:00") && times.count == 4)
                for random in times where random != "07:15" && random != "19:00" {
                    let minutes = ClockTime(random)?.minutes ?? 0
                    #expect((18 * 60..<20 * 60).contains(minutes) && abs(minutes - 19 * 60) >= 15)
                }
            default: #expect(times.count == 3)
            }
        }
        #expect(days.count > 10 && plan(item).attributes == chosen.attributes)
        #expect(try portal.audit().filter { $0 == "study.times_chosen" }.count == 1)
    }

    static let wrong: [(json: String, field: String)] = [
        (#"{"option": "often", "amount": 1}"#, "option"), (#"{"amount": 1}"#, "option"),
        (#"{"option": "standard", "amount": 0}"#, "amount"),
        (#"{"option": "standard", "amount": 49}"#, "amount"),
        // Fourteen hours have 56 quarters: strictly less.
        (
            #"{"option": "standard", "amount": 4, "windows": [{"weekday": 1, "from": "08:00", "till": "09:00"}]}"#,
            "windows.0"
        ),
        (
            #"{"option": "standard", "amount": 1, "windows": [{"weekday": 1, "from": "08:00", "till": "08:00"}]}"#,
            "windows.0"
        ),
        (#"{"option": "standard", "amount": 1, "windows": [{"weekday": 8}]}"#, "windows.0.weekday"),
        (#"{"option": "standard", "amount": 1, "windows": [{"enabled": true}]}"#, "windows.0.weekday"),
        (
            #"{"option": "standard", "amount": 1, "windows": [{"weekday": 1}, {"weekday": 1}]}"#,
            "windows.1.weekday"
        ),
        (#"{"option": "custom", "times": []}"#, "times"), (#"{"option": "custom"}"#, "times"),
        (#"{"option": "custom", "times": [{"at": "25:00"}]}"#, "times.0.at"),
        (#"{"option": "custom", "times": [{"at": "08:00"}, {"at": "08:00"}]}"#, "times.1.at"),
        (#"{"option": "custom", "times": [{"at": "08:00"}, {"at": "08:00", "weekday": 3}]}"#, "times.1.at"),
        (#"{"option": "custom", "times": [{"at": "08:00"}], "snooze": 5}"#, "snooze"),
    ]

    @Test(arguments: wrong.indices) func `what cannot be names its field and changes nothing`(index: Int) {
        let item = daily(true)
        let wrong = Self.wrong[index]
        let before = clocks()
        let refused = plan(item, wrong.json)
        #expect(refused.status == 422 && refused.json["errors"]?[wrong.field] != nil, "\(refused.text)")
        #expect(clocks() == before)
    }

    @Test func `strictly less than one in a quarter of an hour`() {
        let item = daily(true)
        let window = #""windows": [{"weekday": 1, "from": "08:00", "till": "09:00"}]"#
        #expect(plan(item, #"{"option": "standard", "amount": 3, \#(window)}"#).status == 200)
    }

    @Test func `by week only the time can be chosen`() {
        let item = daily(true, unit: "week")
        for wrong in [
            #"{"option": "standard", "amount": 1}"#, #"{"option": "custom", "times": []}"#,
            #"{"option": "custom", "times": [{"at": "08:00"}, {"at": "09:00"}]}"#,
            #"{"option": "custom", "times": [{"at": "08:00", "weekday": 2}]}"#,
        ] {
            #expect(plan(item, wrong).status == 422, "\(wrong)")
        }
        #expect(plan(item, #"{"option": "custom", "times": [{"at": "10:10"}]}"#).status == 200)
        let days = clocks()
        #expect(days.values.allSatisfy { $0 == ["10:10"] } && (4...7).contains(days.count))
    }

    @Test func `only where the study allows it, and only in one's own`() throws {
        let item = daily(false)
        let body = #"{"option": "custom", "times": [{"at": "08:00"}]}"#
        #expect(plan(item, body).status == 403)
        #expect(plan(item).attributes["times"]?.array == [])
        for person in [Person.pia, .quinn] {
            let path = "/my/questionnaires/\(item)/notification-plan"
            #expect(portal.call(.get, path, as: person).status == 404)
            #expect(portal.call(.put, path, body, as: person).status == 404)
        }
    }

    @Test func `what was asked before stays, and when the study takes its times back they hold again`() throws
    {
        let item = daily(true)
        let before = clocks().filter { $0.key < "2026-11-22" }
        try portal.wait(awake: 2)
        #expect(plan(item, #"{"option": "custom", "times": [{"at": "06:06"}]}"#).status == 200)
        let export = { try desk.export(study, "json")["occasions"]?.array ?? [] }
        let prompted = try export().compactMap { $0["prompted_at"]?.string }
        #expect(prompted.count >= before.values.joined().count)
        try portal.wait(awake: 2)
        #expect(try export().compactMap { $0["prompted_at"]?.string }.prefix(prompted.count) == prompted[...])
        #expect(clocks().values.allSatisfy { $0 == ["06:06"] })
        let taken = portal.change(
            .patch, "/studies/\(study)/questionnaires/\(item)", #"{"is_schedule_changeable": false}"#,
            as: .lena)
        #expect(taken.status == 200)
        try portal.wait(awake: 1)
        let days = clocks().values.filter { $0.count == 3 }
        #expect(days.count > 10 && !clocks().values.joined().contains("06:06"))
    }
}
