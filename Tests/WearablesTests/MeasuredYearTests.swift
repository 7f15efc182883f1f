import Database
import Foundation
import Testing
import Wire

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Wearables
@testable import Web
@testable import Wording

/// W1: a thousand people, both changes of the clock, days sent in any order and again and again, some corrected later.
@Suite struct MeasuredYearSlowTests {
    private static let people = 1_000
    private static let days = 30
    private static let zone = "Europe/Vienna"

    /// Thirty days of a person: the requests in their order, and the totals that are true in the end.
    private struct Month {
        var sendings: [DayDraft] = []
        var truth: [LocalDate: Double] = [:]

        init(from begin: LocalDate, _ generator: inout some RandomNumberGenerator) {
            for offset in 0..<days {
                let date = begin.adding(days: offset)
                let length = DayDraft.length(of: date, in: Zone(zone))
                let samples = (0..<length / 3_600).map { hour in
                    Sample(hour * 3_600, 3_600, Double(Int.random(in: 0...900, using: &generator)))
                }
                let end = Zone(zone).instant(date, hour: 0, minute: 0).adding(seconds: Int64(length))
                var drafts = [draft(date, samples, until: end)]
                if Int.random(in: 0..<10, using: &generator) == 0 {
                    // Corrected: some hours are gone.
                    let left = samples.filter { _ in Bool.random(using: &generator) }
                    drafts.append(draft(date, left, until: end.adding(seconds: 3_600)))
                }
                truth[date] = DaySums(drafts.last?.samples ?? []).sum
                for draft in drafts {
                    sendings += Array(repeating: draft, count: Int.random(in: 1...5, using: &generator))
                }
            }
            sendings.shuffle(using: &generator)
        }
    }

    private static func draft(_ date: LocalDate, _ samples: [Sample], until: Instant) -> DayDraft {
        DayDraft(
            type: .steps, date: date, source: .healthConnect, device: nil, zone: DeviceZone(name: zone),
            completeUntil: until,
            samples: samples, total: nil)
    }

    @Test func `W1 every total is right, in whatever order days come and however often`() throws {
        let portal = try TestPortal()
        let pia = try #require(portal.cast.accounts[.pia])
        let account = try #require(try portal.services.records.read { try AccountStore.find(pia, $0) })
        let key = try account.key(portal.services.keys)
        let begins = ["2026-03-14", "2026-10-10"].compactMap { LocalDate($0) }
        var generator = SystemRandomNumberGenerator()
        var right = 0
        for person in 0..<Self.people {
            let begin = begins[person % 2]
            let month = Month(from: begin, &generator)
            try send(month.sendings, of: account, portal)
            let found = try portal.services.records.read { connection in
                try MeasurementDays.chosen(
                    .steps, of: pia, from: begin, to: begin.adding(days: Self.days - 1), connection)
            }
            right += found.count { $0.sums.sum == month.truth[$0.date] }
            let isWhole = try portal.services.records.read { connection in
                for day in found {
                    let samples = try MeasurementDayStore.contents(of: day, connection).samples(key)
                    if samples.count != day.sums.n { return false }
                }
                return true
            }
            #expect(isWhole)
        }
        #expect(right == Self.days * Self.people)
    }

    /// Of one account after the other's: nothing is left of the one before.
    private func send(_ drafts: [DayDraft], of account: AccountRecord, _ portal: TestPortal) throws {
        let (keys, now) = (portal.services.keys, portal.now)
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("DELETE FROM measurement_days")
            for draft in drafts {
                do {
                    try MeasurementDays.take(draft, of: account, keys, at: now, connection)
                } catch Problem.conflict {
                    // Known until later: the correction came first.
                }
            }
        }
    }
}
