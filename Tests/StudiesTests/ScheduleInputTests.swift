import JSON
import Testing
import Wire

@testable import Scheduling
@testable import Studies
@testable import Web
@testable import Wording

/// TYS-4: what leads may enter as a schedule.
@Suite struct ScheduleInputTests {
    func read(_ json: String) -> (schedule: Schedule?, wrong: [String]) {
        guard let json = try? JSON.parse(Array(json.utf8)) else { return (nil, ["json"]) }
        let fields = InputReader(json: json)
        let schedule = Schedule.read(fields)
        fields.adopt(nil)
        return (schedule, fields.errors.list.map(\.field))
    }

    static let wrong: [(String, [String])] = [
        (#"{"type": "between", "unit": "day", "start": "09:00", "end": "09:00"}"#, ["end"]),
        (#"{"type": "between", "unit": "day", "start": "21:00", "end": "09:00"}"#, ["end"]),
        (#"{"type": "between", "unit": "day", "start": "09:00", "end": "12:00", "amount": 12}"#, ["amount"]),
        (#"{"type": "between", "unit": "day", "start": "09:00"}"#, ["end"]),
        (#"{"type": "fixed", "unit": "day"}"#, ["at"]),
        (#"{"type": "fixed", "unit": "day", "at": "24:00"}"#, ["at"]),
        (#"{"type": "fixed", "unit": "day", "at": "9:00"}"#, ["at"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "amount": 2}"#, ["amount"]),
        (#"{"type": "fixed", "unit": "week", "at": "09:00", "amount": 8}"#, ["amount"]),
        (
            #"{"type": "between", "unit": "month", "start": "09:00", "end": "10:00", "amount": 29}"#,
            ["amount"]
        ),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "start": "08:00"}"#, ["start"]),
        (#"{"type": "fixed", "unit": "hour", "at": "09:00"}"#, ["unit"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "every": 0}"#, ["every"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "amount": 0}"#, ["amount"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "every": 1.5}"#, ["every"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "start_day": -1}"#, ["start_day"]),
        // ST-2
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "until": {"days": 3, "prompts": 4}}"#, ["until"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "until": {"days": 0}}"#, ["until.days"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "until": {"on": "2026-02-30"}}"#, ["until.on"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "until": {"weeks": 2}}"#, ["until.weeks"]),
        (#"{"type": "fixed", "unit": "day", "at": "09:00", "until": 14}"#, ["until"]),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "burst": {"days": 14}}"#,
            ["burst.repeat_every_days"]
        ),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "burst": {"days": 14, "repeat_every_days": 14}}"#,
            ["burst.repeat_every_days"]
        ),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "expires_after_minutes": 1441}"#,
            ["expires_after_minutes"]
        ),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "minimum_gap_minutes": 30}"#,
            ["minimum_gap_minutes"]
        ),
        (
            #"{"type": "between", "unit": "day", "start": "09:00", "end": "21:00", "minimum_gap_minutes": 14}"#,
            ["minimum_gap_minutes"]
        ),
        (
            #"{"type": "between", "unit": "day", "start": "09:00", "end": "21:00", "amount": 6, "minimum_gap_minutes": 120}"#,
            ["amount"]
        ),
        (
            #"{"type": "between", "unit": "day", "start": "06:00", "end": "23:00", "minimum_gap_minutes": 480}"#,
            ["minimum_gap_minutes"]
        ),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "late_grace_minutes": -1}"#,
            ["late_grace_minutes"]
        ),
        (
            #"{"type": "fixed", "unit": "day", "at": "09:00", "late_grace_minutes": 43201}"#,
            ["late_grace_minutes"]
        ),
    ]

    static let wrongRepeats: [(String, String)] = [
        (#""at": "09:00", "#, "[30, 30]"), (#""at": "09:00", "#, "[60, 30]"), (#""at": "09:00", "#, "[0]"),
        (#""at": "09:00", "#, "[10, 20, 30]"), (#""at": "09:00", "#, "[1.5]"),
        (#""at": "09:00", "#, #"["10"]"#),
        (#""at": "09:00", "#, "30"), (#""at": "23:00", "#, "[60]"),
        (#""at": "09:00", "expires_after_minutes": 30, "#, "[10, 30]"),
    ]

    @Test(arguments: wrongRepeats.indices)
    func `ST-2 calls that are too many, out of order, or never come are refused`(index: Int) {
        let (fields, repeats) = Self.wrongRepeats[index]
        let json = #"{"type": "fixed", "unit": "day", \#(fields)"repeat_after_minutes": \#(repeats)}"#
        #expect(read(json).wrong == ["repeat_after_minutes"], "\(json)")
    }

    @Test(arguments: ["[]", "null", "[59]", "[10, 59]"])
    func `ST-2 none, one and two calls are read`(_ repeats: String) throws {
        let json = #"{"type": "fixed", "unit": "day", "at": "23:00", "repeat_after_minutes": \#(repeats)}"#
        let schedule = try #require(read(json).schedule)
        #expect(schedule.repeatMinutes == ["[59]": [59], "[10, 59]": [10, 59]][repeats] ?? [])
        #expect(Schedule(schedule.wire) == schedule && read(json).wrong.isEmpty)
    }

    @Test(arguments: wrong.indices) func `one that never asks, or asks every minute, is refused`(index: Int) {
        let (json, fields) = Self.wrong[index]
        #expect(read(json).wrong == fields, "\(json)")
    }

    @Test func `ST-2 an end, bursts, a distance and a time to answer are read`() throws {
        let schedule = try #require(
            read(
                #"""
                {"type": "between", "unit": "day", "start": "09:00", "end": "21:00", "amount": 5, "start_day": 1,
                 "until": {"days": 14, "on": null}, "burst": {"days": 14, "repeat_every_days": 90},
                 "expires_after_minutes": 30, "minimum_gap_minutes": 120, "late_grace_minutes": 0}
                """#
            ).schedule)
        #expect(schedule.end == .days(14) && schedule.burst == ScheduleBurst(days: 14, everyDays: 90))
        #expect(schedule.validMinutes == 30 && schedule.gapMinutes == 120)
        #expect(schedule.graceMinutes == 0)
        #expect(Schedule(schedule.wire) == schedule)
    }

    @Test func `eleven fit into three hours, twelve do not`() {
        let json = #"{"type": "between", "unit": "day", "start": "09:00", "end": "12:00", "amount": 11}"#
        #expect(read(json).wrong == [] && read(json).schedule?.wire.amount == 11)
    }
}
