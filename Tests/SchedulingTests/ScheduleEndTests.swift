import Testing
import Wire

@testable import Scheduling

/// ST-2: sampling that ends, comes in bursts, keeps a distance, and can be answered for a while only.
@Suite struct ScheduleEndTests {
    private let vienna = Zone("Europe/Vienna")
    private let begin = LocalDate("2026-11-02")!

    private func days(
        _ schedule: Schedule, own: NotificationTimes? = nil, from: Instant = .distantPast
    ) -> [String] {
        schedule.prompts(
            enrolledOn: begin, ParticipantZones(vienna), seed: 1, own: own, from: from,
            until: vienna.instant(LocalDate("2027-11-02")!, hour: 0, minute: 0)
        ).map(\.day.text)
    }

    private func daily(_ amount: Int = 1, startDay: Int = 0) -> Schedule {
        Schedule(
            moment: .between(ClockTime("09:00")!, ClockTime("21:00")!), amount: amount, every: 1, unit: .day,
            startDay: startDay)
    }

    @Test func `so many days begin with the start day, and a last day is included`() {
        var schedule = daily(2, startDay: 1)
        schedule.end = .days(3)
        #expect(
            days(schedule) == [
                "2026-11-03", "2026-11-03", "2026-11-04", "2026-11-04", "2026-11-05", "2026-11-05",
            ])
        schedule.end = .on(LocalDate("2026-11-04")!)
        #expect(days(schedule) == ["2026-11-03", "2026-11-03", "2026-11-04", "2026-11-04"])
        schedule.end = .on(LocalDate("2026-11-02")!)
        #expect(days(schedule).isEmpty)
    }

    @Test func `a number of prompts ends within a day, a week and a month`() {
        var schedule = daily(2)
        schedule.end = .prompts(5)
        #expect(days(schedule) == ["2026-11-02", "2026-11-02", "2026-11-03", "2026-11-03", "2026-11-04"])
        for unit in [Schedule.Unit.week, .month] {
            var schedule = Schedule(
                moment: .fixed(ClockTime("18:00")!), amount: 2, every: 1, unit: unit, startDay: 0)
            let all = days(schedule)
            schedule.end = .prompts(5)
            #expect(days(schedule) == Array(all.prefix(5)))
        }
    }

    @Test func `bursts are counted from the start day, and prompts count in them alone`() {
        var schedule = daily(startDay: 1)
        schedule.burst = ScheduleBurst(days: 2, everyDays: 90)
        let bursts = ["2026-11-03", "2026-11-04", "2027-02-01", "2027-02-02", "2027-05-02", "2027-05-03"]
        #expect(Array(days(schedule).prefix(6)) == bursts)
        schedule.end = .prompts(5)
        #expect(days(schedule) == Array(bursts.prefix(5)))
        schedule.end = .days(91)
        #expect(days(schedule) == Array(bursts.prefix(3)))
    }

    @Test func `moved times end on the same day`() {
        var schedule = daily(2)
        schedule.end = .prompts(5)
        let times = ["08:00", "10:00", "12:00"].map {
            NotificationTimes.Time(weekday: nil, at: ClockTime($0)!, isFixed: false)
        }
        let own = NotificationTimes(option: .custom, amount: 0, windows: [], times: times)
        let moved = days(schedule, own: own)
        #expect(moved.count == 9 && Set(moved) == ["2026-11-02", "2026-11-03", "2026-11-04"])
    }

    @Test
    func `a prompt closes after its minutes, at the latest with its day, and does not tell a random moment`()
    {
        var schedule = daily()
        schedule.validMinutes = 90
        for prompt in schedule.prompts(
            enrolledOn: begin, ParticipantZones(vienna), seed: 4,
            until: vienna.instant(LocalDate("2026-12-24")!, hour: 0, minute: 0))
        {
            let night = vienna.instant(prompt.day.adding(days: 1), hour: 0, minute: 0).adding(seconds: -1)
            #expect(prompt.dueAt == min(night, prompt.at.adding(seconds: 5400)))
            let closes = prompt.closes(beforeEnd: nil)
            #expect(!closes.isTold(at: prompt.at.adding(seconds: -1)) && closes.isTold(at: closes.at))
        }
        schedule.validMinutes = 60
        let late = Prompt(on: begin, ClockTime("23:30")!, in: vienna).limited(by: schedule)
        #expect(LocalTime(late.dueAt, vienna).hour == 23 && late.closes(beforeEnd: nil).isTold(at: late.at))
        #expect(late.due(beforeEnd: late.at.adding(seconds: 60)) == late.at.adding(seconds: 60))
    }

    @Test func `ST-2 a participant is not called again after their own window, by day or over midnight`() {
        for (from, till) in [("08:00", "09:00"), ("23:00", "01:00")] {
            var schedule = daily()
            schedule.repeatMinutes = [10, 45]
            let windows = (1...7).map {
                NotificationTimes.Window(
                    weekday: $0, isEnabled: true, from: ClockTime(from)!, till: ClockTime(till)!)
            }
            let own = NotificationTimes(option: .standard, amount: 2, windows: windows, times: [])
            let prompts = schedule.prompts(
                enrolledOn: begin, ParticipantZones(vienna), seed: 3, own: own,
                until: vienna.instant(LocalDate("2026-12-24")!, hour: 0, minute: 0))
            let ends = prompts.map { prompt in
                vienna.instant(
                    prompt.day.adding(days: till < from ? 1 : 0), hour: till < from ? 1 : 9, minute: 0)
            }
            let calls = prompts.map { $0.calls(beforeEnd: nil) }
            #expect(zip(calls, ends).allSatisfy { calls, end in calls.allSatisfy { $0 < end } })
            // A time of one's own within the window keeps the same rest; one behind it was chosen nevertheless.
            if till > from {
                let late = ClockTime(minutes: ClockTime(till)!.minutes - 5)
                let behind = ClockTime(minutes: ClockTime(till)!.minutes + 60)
                let both = NotificationTimes(
                    option: .both, amount: 1, windows: windows,
                    times: [late, behind].map { .init(weekday: nil, at: $0, isFixed: true) })
                let own = schedule.prompts(
                    enrolledOn: begin, ParticipantZones(vienna), seed: 3, own: both,
                    until: vienna.instant(LocalDate("2026-11-28")!, hour: 0, minute: 0))
                let clock = { (prompt: Prompt) in
                    let local = LocalTime(prompt.at, vienna)
                    return local.hour * 60 + local.minute
                }
                #expect(own.contains { clock($0) == late.minutes })
                #expect(
                    own.filter { clock($0) == late.minutes }.allSatisfy { $0.calls(beforeEnd: nil).isEmpty })
                #expect(
                    own.filter { clock($0) == behind.minutes }.allSatisfy {
                        !$0.calls(beforeEnd: nil).isEmpty
                    })
            }
            // Some have both, some lose the second one, and some both.
            #expect(Set(calls.map(\.count)) == [0, 1, 2])
        }
    }

    @Test func `what phones and files hold of it comes back as it was`() throws {
        var schedule = daily(3, startDay: 2)
        schedule.burst = ScheduleBurst(days: 14, everyDays: 90)
        schedule.validMinutes = 30
        schedule.gapMinutes = 120
        schedule.graceMinutes = 60
        schedule.repeatMinutes = [10, 20]
        for end in [ScheduleEnd.on(begin), .days(14), .prompts(70)] {
            schedule.end = end
            #expect(Schedule(schedule.wire) == schedule)
        }
        #expect(Schedule(daily().wire) == daily())
    }

    /// Over ten years and six zones, from every moment on: nothing after its end, outside of its burst or window, or too near.
    @Test(arguments: [
        "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Chatham",
        "America/Santiago",
    ])
    func `no prompt comes after its end, outside of its window or too near to another`(name: String) {
        let home = Zone(name)
        var chance = SplitMix64(Schedule.seed(name))
        for round in 0..<60 {
            let first = begin.adding(days: chance.number(below: 3650))
            let start = ClockTime(minutes: 60 * chance.number(below: 12))
            let hours = 2 + chance.number(below: 11)
            let end = ClockTime(minutes: start.minutes + 60 * hours)
            let gap = 15 + 5 * chance.number(below: 12)
            let most = max(1, (60 * hours - 1) / gap)
            let unit = Schedule.Unit.allCases[chance.number(below: 3)]
            var schedule = Schedule(
                moment: .between(start, end), amount: 1 + chance.number(below: min(most, 6)),
                every: 1 + chance.number(below: 3), unit: unit, startDay: chance.number(below: 5))
            schedule.gapMinutes = gap
            schedule.validMinutes = 10 + chance.number(below: 400)
            schedule.repeatMinutes = [5, 5 + 1 + chance.number(below: 200)]
            let length = 1 + chance.number(below: 400)
            let day = first.adding(days: schedule.startDay)
            schedule.end =
                [nil, .days(length), .on(day.adding(days: length - 1)), .prompts(length)][round % 4]
            if round % 3 == 0 { schedule.burst = ScheduleBurst(days: 3, everyDays: 10) }
            let moved = Zone(["Europe/Vienna", "Pacific/Apia", "America/Anchorage"][chance.number(below: 3)])
            let change = home.instant(first.adding(days: 40), hour: 12, minute: 0)
            let zones = ParticipantZones(home, changes: round % 2 == 0 ? [] : [(at: change, zone: moved)])
            let until = home.instant(first.adding(days: 500), hour: 0, minute: 0)
            let all = schedule.prompts(enrolledOn: first, zones, seed: UInt64(round), until: until)
            let begins = zones.begin(of: day)
            for prompt in all {
                let number = Int(prompt.day.daysSince1970 - day.daysSince1970)
                #expect(prompt.at >= begins && number >= 0)
                let calls = schedule.repeatMinutes.map { prompt.at.adding(seconds: Int64($0) * 60) }
                #expect(prompt.calls(beforeEnd: nil) == calls.filter { $0 < prompt.dueAt })
                #expect(prompt.calls(beforeEnd: calls[1]) == [calls[0]].filter { $0 < prompt.dueAt })
                if case .prompts = schedule.end {} else if schedule.end != nil { #expect(number < length) }
                if schedule.burst != nil { #expect(number % 10 < 3) }
                let zone = zones.zone(on: prompt.day)
                let from = zone.instant(prompt.day, hour: start.minutes / 60, minute: 0)
                let till = zone.instant(prompt.day, hour: 0, minute: 0).adding(
                    seconds: Int64(end.minutes + 120) * 60)
                #expect(from <= prompt.at && prompt.at < till)
                #expect(prompt.dueAt <= prompt.at.adding(seconds: Int64(schedule.validMinutes ?? 0) * 60))
            }
            if case .prompts(let number) = schedule.end { #expect(all.count <= number) }
            for (one, next) in zip(all, all.dropFirst()) where one.day == next.day {
                #expect(
                    next.at.seconds - one.at.seconds >= Int64(gap) * 60, "\(name) \(one.day.text) \(schedule)"
                )
            }
            // Whatever part is asked for, it is the same.
            let since = home.instant(first.adding(days: chance.number(below: 500)), hour: 7, minute: 0)
            let part = schedule.prompts(
                enrolledOn: first, zones, seed: UInt64(round), from: since, until: until)
            #expect(part.map(\.at) == all.map(\.at).filter { $0 >= since })
        }
    }
}
