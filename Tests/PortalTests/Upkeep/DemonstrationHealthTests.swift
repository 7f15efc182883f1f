import Database
import Testing
import Wire

@testable import Demonstration
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Wearables
@testable import Web

/// What the demonstration shows of phones and watches, whichever day it is made on (FB-2).
@Suite struct DemonstrationHealthTests {
    @Test(arguments: [
        "2026-11-24T08:00:00Z", "2026-12-05T20:00:00Z", "2027-03-20T08:00:00Z", "2027-10-20T22:30:00Z",
    ])
    func `ninety days, two sources that disagree, a change of the clocks, a gap`(time: String)
        throws
    {
        let portal = try TestPortal()
        let now = try #require(Instant(time))
        try DemonstrationHealth(services: portal.services, now: now).write()
        let account = try #require(portal.cast.accounts[.pia])
        let days = try portal.services.records.read { connection in
            try MeasurementDayStore.all(of: account, connection).filter { $0.type == .steps }
        }
        let dates = Set(days.map(\.date)).sorted()
        let first = try #require(dates.first)
        let today = LocalTime(now, Zone("Europe/Vienna")).date
        #expect(today.daysSince1970 - first.daysSince1970 >= 89)
        let lengths = Set(dates.map { DayDraft.length(of: $0, in: Zone("Europe/Vienna")) })
        #expect(lengths.count == 2, "\(lengths)")
        let gaps = zip(dates, dates.dropFirst()).map { $1.daysSince1970 - $0.daysSince1970 }
        #expect(gaps.filter { $0 == 8 }.count == 1 && gaps.allSatisfy { $0 == 1 || $0 == 8 }, "\(gaps)")
        let bySource = Dictionary(grouping: days, by: \.date)
        let disagreeing = bySource.values.filter { Set($0.compactMap(\.value)).count == 2 }
        #expect(disagreeing.count > 20)
    }
}
