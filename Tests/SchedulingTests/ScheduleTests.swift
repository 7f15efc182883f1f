import Testing
import Wire

@testable import Scheduling

/// TYS-4, TYS-6: when a questionnaire of a study asks.
@Suite struct ScheduleTests {
    let vienna = Zone("Europe/Vienna")
    let begin = LocalDate("2026-11-02")!

    func clocks(_ prompts: [Instant]) -> [String] {
        prompts.map { prompt in
            let local = LocalTime(prompt, vienna)
            return "\(local.date.text) \(ClockTime(minutes: local.hour * 60 + local.minute).text)"
        }
    }

    func until(_ day: String) -> Instant { vienna.instant(LocalDate(day)!, hour: 0, minute: 0) }

    @Test func `a fixed time, every so many days, from a day on`() {
        let daily = Schedule(
            moment: .fixed(ClockTime("08:30")!), amount: 1, every: 2, unit: .day, startDay: 1)
        #expect(
            clocks(daily.prompts(enrolledOn: begin, vienna, seed: 1, until: until("2026-11-08"))) == [
                "2026-11-03 08:30", "2026-11-05 08:30", "2026-11-07 08:30",
            ])
    }

    @Test func `weeks begin on the day of enrolment, and several prompts of a week lie apart`() {
        let weekly = Schedule(
            moment: .fixed(ClockTime("18:00")!), amount: 2, every: 1, unit: .week, startDay: 0)
        #expect(
            clocks(weekly.prompts(enrolledOn: begin, vienna, seed: 1, until: until("2026-11-14"))) == [
                "2026-11-02 18:00", "2026-11-05 18:00", "2026-11-09 18:00", "2026-11-12 18:00",
            ])
    }

    @Test func `months keep the day of the month, or take their last one`() {
        let monthly = Schedule(
            moment: .fixed(ClockTime("12:00")!), amount: 1, every: 1, unit: .month, startDay: 0)
        let prompts = monthly.prompts(
            enrolledOn: LocalDate("2026-12-31")!, vienna, seed: 1, until: until("2027-05-01"))
        #expect(
            clocks(prompts) == [
                "2026-12-31 12:00", "2027-01-31 12:00", "2027-02-28 12:00", "2027-03-31 12:00",
                "2027-04-30 12:00",
            ])
    }

    @Test func `FD-24 a minute is random where it was drawn, and nowhere else`() {
        let until = until("2026-12-30")
        let ask = { (moment: Schedule.Moment, unit: Schedule.Unit, own: NotificationTimes?) -> Set<Bool> in
            let schedule = Schedule(moment: moment, amount: 2, every: 1, unit: unit, startDay: 0)
            let prompts = schedule.prompts(
                enrolledOn: begin, ParticipantZones(vienna), seed: 1, own: own, until: until)
            return Set(prompts.map(\.isRandom))
        }
        let noon = ClockTime(minutes: 720)
        let between = Schedule.Moment.between(ClockTime(minutes: 540), ClockTime(minutes: 1200))
        let time = NotificationTimes.Time(weekday: nil, at: noon, isFixed: false)
        let windows = (1...7).map {
            NotificationTimes.Window(
                weekday: $0, isEnabled: true, from: ClockTime(minutes: 780), till: ClockTime(minutes: 900))
        }
        let own = { (option: NotificationTimes.Option) in
            NotificationTimes(option: option, amount: 1, windows: windows, times: [time])
        }
        for unit in Schedule.Unit.allCases {
            #expect(ask(.fixed(noon), unit, nil) == [false] && ask(between, unit, nil) == [true])
            #expect(ask(between, unit, own(.custom)) == [false])
        }
        #expect(ask(between, .day, own(.both)) == [false, true])
        #expect(ask(.fixed(noon), .day, own(.standard)) == [true])
    }

    @Test func `TYS-6 random moments stay in the window and a quarter of an hour apart`() {
        let window = (ClockTime("09:00")!, ClockTime("12:00")!)
        let often = Schedule(
            moment: .between(window.0, window.1), amount: 11, every: 1, unit: .day, startDay: 0)
        for seed in 0..<200 as Range<UInt64> {
            let prompts = often.prompts(enrolledOn: begin, vienna, seed: seed, until: until("2026-11-05"))
            #expect(prompts.count == 33)
            for (one, next) in zip(prompts, prompts.dropFirst()) {
                #expect(next.seconds - one.seconds >= 15 * 60)
            }
            for prompt in prompts {
                let local = LocalTime(prompt, vienna)
                #expect((9..<12).contains(local.hour))
            }
        }
        let one = often.prompts(enrolledOn: begin, vienna, seed: 7, until: until("2026-11-05"))
        #expect(one == often.prompts(enrolledOn: begin, vienna, seed: 7, until: until("2026-11-05")))
        #expect(one != often.prompts(enrolledOn: begin, vienna, seed: 8, until: until("2026-11-05")))
    }

    @Test func `what was asked before does not change with how far one looks`() {
        let schedule = Schedule(
            moment: .between(ClockTime("09:00")!, ClockTime("21:00")!), amount: 3, every: 1, unit: .day,
            startDay: 0)
        let short = schedule.prompts(enrolledOn: begin, vienna, seed: 3, until: until("2026-11-06"))
        let long = schedule.prompts(enrolledOn: begin, vienna, seed: 3, until: until("2026-12-06"))
        #expect(short.count == 12 && Array(long.prefix(12)) == short)
        let part = schedule.prompts(
            enrolledOn: begin, vienna, seed: 3, from: short[5], until: until("2026-11-06"))
        #expect(part == Array(short[5...]))
    }

    @Test func `a time that the clocks leave out moves to the next there is`() {
        let night = Schedule(
            moment: .fixed(ClockTime("02:30")!), amount: 1, every: 1, unit: .day, startDay: 0)
        let prompts = night.prompts(
            enrolledOn: LocalDate("2027-03-27")!, vienna, seed: 1, until: until("2027-03-30"))
        #expect(clocks(prompts) == ["2027-03-27 02:30", "2027-03-28 03:00", "2027-03-29 02:30"])
    }
}

extension Schedule {
    /// The moments alone, for a participant who never travels.
    fileprivate func prompts(
        enrolledOn day: LocalDate, _ zone: Zone, seed: UInt64, from: Instant = .distantPast, until: Instant
    ) -> [Instant] {
        prompts(enrolledOn: day, ParticipantZones(zone), seed: seed, from: from, until: until).map(\.at)
    }
}
