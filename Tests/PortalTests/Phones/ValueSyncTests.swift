import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting

/// Values that an app sends singly, and days of several devices, through its outbox.
@Suite struct ValueSyncTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    private func value(_ id: String, _ value: Double, ago: Int64) -> Client.SingleMeasurement {
        let begin = portal.now.adding(seconds: -ago)
        return Client.SingleMeasurement(
            id: id, type: .steps, startsAt: begin, endsAt: begin.adding(seconds: 60), value: value,
            source: .healthKit)
    }

    private var sum: JSON? {
        portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list.first?["attributes"]?["sum"]
    }

    @Test func `RP-113 what is refused of a call stays with its reason, and goes up corrected`() async throws
    {
        let (good, bad) = (NewID.make(), NewID.make())
        try phone.store.measured(value(good, 10, ago: 600))
        try phone.store.measured(value(bad, -1, ago: 500))
        let summary = await phone.sync(.changed)
        #expect(summary.sent == 1 && summary.refused == 1 && sum == .number(10))
        let kept = try phone.store.records()
        #expect(kept.map(\.id) == [bad] && kept[0].kind == .value && kept[0].refusal?.status == 422)
        #expect(kept[0].refusal?.message == "Möglich sind Werte von 0 bis 120000.")
        #expect(try phone.store.waiting() == 0)
        try phone.store.measured(value(bad, 5, ago: 500))
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        portal.wait(seconds: 3_600)
        await phone.sync()
        #expect(try sum == .number(15) && phone.store.records().isEmpty && phone.store.waiting() == 0)
    }

    @Test func `RP-113 where none is good each stays, also those that the refusal does not name any more`()
        async throws
    {
        for number in 0..<150 {
            try phone.store.measured(value(NewID.make(), -1, ago: 60 * Int64(number + 1)))
        }
        #expect(await phone.sync(.changed).refused == 150)
        #expect(try phone.store.records().allSatisfy { $0.refusal != nil } && phone.store.waiting() == 0)
        // A fault of the portal refuses nothing.
        let waiting = NewID.make()
        try phone.store.measured(value(waiting, 7, ago: 60))
        phone.line.next(.answered(500, [:]))
        await phone.sync(.changed)
        #expect(try phone.store.waiting() == 1)
        portal.wait(seconds: 7_200)
        await phone.sync()
        #expect(try sum == .number(7) && phone.store.waiting() == 0)
    }

    @Test func `RP-105 a phone and a ring of one source have days of their own in the outbox`() async throws {
        let today = LocalTime(portal.now, Phone.zone).date
        let day = { (device: String, total: Double) in
            Client.SentDay(
                source: .healthConnect, device: device, zone: "Europe/Vienna", completeUntil: portal.now,
                series: [], total: total)
        }
        phone.line.isDown = true
        try phone.store.measured(.steps, today, day("Pixel", 300))
        try phone.store.measured(.steps, today, day("Ring", 4_000))
        try phone.store.measured(.steps, today, day("Pixel", 310))
        phone.line.isDown = false
        #expect(await phone.sync(.changed).sent == 2)
        let told = portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list
        #expect(told.map { $0["attributes"]?["total"] } == [.number(4_000)])
    }
}
