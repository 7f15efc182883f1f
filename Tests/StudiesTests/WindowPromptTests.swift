import Testing
import Wire

@testable import Records
@testable import Scheduling
@testable import Studies

/// ST-1: the one prompt of a time point, against the plans and dates that came one after the other.
@Suite struct WindowPromptTests {
    private static let zones = [
        "Europe/Vienna", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe", "UTC",
    ]

    private typealias Stretch = WindowPrompt.Stretch

    private static let begin = LocalDate(year: 2026, month: 1, day: 1)!

    private static func day(_ number: Int) -> LocalDate { begin.adding(days: number) }

    /// Ten years in six zones: plans that follow each other, each with days somewhere around it; now and then the person moves.
    @Test(arguments: 0..<600) func `ST-1 property one prompt, on the days that were planned last`(
        _ number: Int
    ) throws {
        var chance = SplitMix64(UInt64(number) &* 7919 &+ 41)
        func pick(_ range: ClosedRange<Int>) -> Int { range.lowerBound + chance.number(below: range.count) }
        let first = pick(0...3650)
        let moved: [(at: Instant, zone: Zone)] =
            pick(0...2) > 0
            ? []
            : [
                (
                    at: Zone("UTC").instant(Self.day(first + pick(0...20)), hour: pick(0...23), minute: 0),
                    zone: Zone(Self.zones[pick(0...5)])
                )
            ]
        let zones = ParticipantZones(Zone(Self.zones[number % 6]), changes: moved)
        var moment = zones.begin(of: Self.day(first)).adding(seconds: Int64(pick(0...86_399)))
        let enrolled = moment
        var stretches: [Stretch] = []
        let count = pick(1...4)
        for index in 0..<count {
            let next =
                index + 1 == count
                ? Instant.distantFuture : moment.adding(seconds: Int64(pick(1...2_000_000)))
            let low = Int(zones.day(of: moment).daysSince1970 - Self.begin.daysSince1970) + pick(-10...20)
            let days = Self.day(low)...Self.day(low + pick(0...14))
            stretches.append(Stretch(days: pick(0...6) == 0 ? nil : days, from: moment, to: next))
            moment = next
        }
        let runs = StudyRuns(ranges: [.distantPast..<Instant.distantFuture])
        let prompt = WindowPrompt(runs: runs, zones: zones).prompt(stretches)
        let begin = { (stretch: Stretch) -> Instant? in
            stretch.days.map { max(zones.begin(of: $0.lowerBound), stretch.from) }
        }
        let end = { (stretch: Stretch) -> Instant? in
            stretch.days.map { zones.begin(of: $0.upperBound.adding(days: 1)).adding(seconds: -1) }
        }
        // Of what is planned, what could ever be open.
        let open = stretches.filter { stretch in
            guard let begin = begin(stretch), let end = end(stretch) else { return false }
            return begin <= end && begin < stretch.to
        }
        let last = try #require(stretches.last)
        let isLastOpen = open.contains { $0.from == last.from }
        guard let found = prompt else {
            #expect(!isLastOpen)
            return
        }
        #expect(isLastOpen ? found.dueAt == end(last) : found.dueAt < last.from)
        #expect(found.at >= enrolled && found.at <= found.dueAt)
        #expect(open.compactMap(begin).contains(found.at))
        // No stretch in which nothing is open is in the middle of it.
        for stretch in stretches where !open.contains(where: { $0.from == stretch.from }) {
            #expect(found.at >= stretch.from || found.dueAt < stretch.from)
        }
        // It is told by day, never in the night before.
        #expect(
            found.announcedAt >= found.at
                && LocalTime(found.announcedAt, zones.zone(on: found.day)).date == found.day)
    }

    @Test func `ST-1 a window begins with the study, and not while it stands still`() throws {
        let zones = ParticipantZones(Zone("Europe/Vienna"))
        let at = { (day: Int, hour: Int) in
            Zone("Europe/Vienna").instant(Self.day(day), hour: hour, minute: 0)
        }
        let stretch = Stretch(days: Self.day(10)...Self.day(12), from: at(0, 9), to: .distantFuture)
        let late = StudyRuns(ranges: [at(0, 0)..<at(5, 0), at(11, 15)..<at(20, 0)])
        let prompt = WindowPrompt(runs: late, zones: zones).prompt([stretch])
        #expect(prompt?.at == at(11, 15) && prompt?.dueAt == at(13, 0).adding(seconds: -1))
        let never = StudyRuns(ranges: [at(0, 0)..<at(5, 0)])
        #expect(WindowPrompt(runs: never, zones: zones).prompt([stretch]) == nil)
    }
}
