import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting
@testable import Records
@testable import Sounds

/// What is made once and never changes goes up once, whatever happens on the way (SN-2).
@Suite struct RecordSyncTests {
    let portal: TestPortal
    let phone: Phone
    let sound: ID<Sound>

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
        sound = try portal.addSound(bytes: (0..<25_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    }

    private func listened(_ seconds: Double = 120, ago: Int64 = 600, rating: Int? = 3) -> Client.Listened {
        Client.Listened(
            soundID: sound.text, startedAt: portal.now.adding(seconds: -ago), listenedSeconds: seconds,
            loopMinutes: 2, rating: rating, ratingState: rating == nil ? "declined" : "rated")
    }

    private var there: [JSON] { portal.call(.get, "/my/listening-sessions", as: .pia).list }

    @Test func `SN-2 what was heard without a network goes up later, in its order and once`() async throws {
        phone.line.isDown = true
        let first = try phone.store.heard(listened(60, ago: 4_000))
        portal.wait(seconds: 3_600)
        let second = try phone.store.heard(listened(rating: nil))
        await phone.sync(.changed)
        #expect(try there.isEmpty && phone.store.records().map(\.id) == [first, second])
        portal.wait(seconds: 2 * 86_400)
        phone.line.isDown = false
        #expect(await phone.sync().sent == 2)
        #expect(Set(there.compactMap { $0["id"]?.string }) == [first, second])
        #expect(try phone.store.records().isEmpty && phone.store.waiting() == 0)
        _ = phone.line.asked()
        #expect(await phone.sync().sent == 0)
        #expect(!phone.line.asked().contains { $0.hasPrefix("PUT") })
    }

    @Test func `an answer that was lost leaves one session, not two`() async throws {
        try phone.store.heard(listened())
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        #expect(try there.count == 1 && phone.store.waiting() == 1)
        portal.wait(seconds: 3_600)
        await phone.sync()
        #expect(try there.count == 1 && phone.store.waiting() == 0)
    }

    @Test func `one that is refused stays with its reason and holds up nothing`() async throws {
        // Longer than the time that has passed.
        let wrong = try phone.store.heard(listened(5_000, ago: 60))
        try phone.store.heard(listened())
        let summary = await phone.sync(.changed)
        #expect(summary.sent == 1 && summary.refused == 1 && there.count == 1)
        let kept = try phone.store.records()
        #expect(kept.map(\.id) == [wrong] && kept[0].refusal?.status == 422)
        // Once the time has passed it may be right.
        portal.wait(seconds: 3 * 3_600)
        try phone.store.sendRecordAgain(wrong)
        #expect(await phone.sync(.changed).sent == 1)
        #expect(try there.count == 2 && phone.store.records().isEmpty)
    }

    @Test func `what was refused can be let go, what waits cannot`() async throws {
        let wrong = try phone.store.heard(listened(5_000, ago: 60))
        try phone.store.discardRecord(wrong)
        #expect(try phone.store.records().count == 1)
        await phone.sync(.changed)
        try phone.store.discardRecord(wrong)
        #expect(try phone.store.records().isEmpty && phone.store.waiting() == 0)
    }

    @Test func `a match goes the same way`() async throws {
        try phone.store.matched(
            TinnitusMatch(
                matchedAt: portal.now, method: "slider", ear: "left", kind: "tone", frequencyHz: 6_000,
                levelSlDb: 9, certainty: 6, run: 1))
        phone.line.next(.lost)
        await phone.sync(.changed)
        portal.wait(seconds: 3_600)
        await phone.sync()
        #expect(portal.call(.get, "/my/tinnitus-matches", as: .pia).list.count == 1)
    }

    private func day(_ total: Double, until: Instant? = nil) -> Client.SentDay {
        Client.SentDay(
            source: .healthKit, zone: "Europe/Vienna", completeUntil: until ?? portal.now, series: [],
            total: total)
    }

    private var steps: [JSON?] {
        portal.call(.get, "/my/measurement-days?type=steps", as: .pia).list.map { $0["attributes"]?["total"] }
    }

    @Test func `FB-4 of a day only what the phone said last goes up, and once`() async throws {
        let date = LocalTime(portal.now, Phone.zone).date
        phone.line.isDown = true
        for total in [100.0, 200, 300] {
            try phone.store.measured(.steps, date, day(total))
            portal.wait(seconds: 600)
        }
        await phone.sync(.changed)
        phone.line.isDown = false
        portal.wait(seconds: 3_600)
        #expect(await phone.sync().sent == 1)
        #expect(try steps == [.number(300)] && phone.store.waiting() == 0)
    }

    @Test
    func `FB-4 a night goes up late and once, its correction too, and one deleted elsewhere stays deleted`()
        async throws
    {
        var night = Sleep(
            startsAt: portal.now.adding(seconds: -30_000), endsAt: portal.now.adding(seconds: -3_000),
            origin: "measured")
        phone.line.isDown = true
        let id = try phone.store.slept(night)
        try phone.store.moved(
            Activity(name: "Gehen", startsAt: portal.now.adding(seconds: -2_000), durationSeconds: 900))
        await phone.sync(.changed)
        phone.line.isDown = false
        portal.wait(seconds: 3_600)
        phone.line.next(.answerLost)
        await phone.sync()
        portal.wait(seconds: 3_600)
        await phone.sync()
        let sleeps = { portal.call(.get, "/my/sleeps", as: .pia).list }
        #expect(sleeps().map { $0["id"] } == [.string(id)])
        #expect(portal.call(.get, "/my/activities", as: .pia).list.count == 1)
        // The bracelet has thought it over.
        night.minutesAsleep = 400
        try phone.store.slept(night, id: id)
        #expect(await phone.sync(.changed).sent == 1)
        #expect(sleeps().first?["attributes"]?["minutes_asleep"] == .number(400))
        #expect(portal.call(.delete, "/my/sleeps/\(id)", as: .pia).status == 204)
        night.minutesAsleep = 410
        try phone.store.slept(night, id: id)
        let summary = await phone.sync(.changed)
        #expect(try summary.refused == 0 && phone.store.waiting() == 0 && phone.store.records().isEmpty)
        #expect(sleeps().isEmpty)
    }

    @Test
    func `a day that changes while it is on its way is sent again, and an answer that was lost does no harm`()
        async throws
    {
        let date = LocalTime(portal.now, Phone.zone).date
        let store = phone.store
        try store.measured(.steps, date, day(100))
        let later = day(200)
        phone.line.during { target in
            if target.contains("measurement-days") { try? store.measured(.steps, date, later) }
        }
        await phone.sync(.changed)
        phone.line.during(nil)
        #expect(try phone.store.waiting() == 1)
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        portal.wait(seconds: 3_600)
        await phone.sync()
        #expect(try steps == [.number(200)] && phone.store.waiting() == 0 && phone.store.records().isEmpty)
    }

    @Test func `what another phone knows until later is not rolled back, and nobody is troubled`()
        async throws
    {
        let date = LocalTime(portal.now, Phone.zone).date
        let old = day(100)
        portal.wait(seconds: 3_600)
        let other = try Phone(portal)
        try other.store.measured(.steps, date, day(900))
        await other.sync(.changed)
        try phone.store.measured(.steps, date, old)
        let summary = await phone.sync(.changed)
        #expect(summary.refused == 0 && summary.outcome == .complete)
        #expect(try steps == [.number(900)] && phone.store.waiting() == 0 && phone.store.records().isEmpty)
    }

    @Test(arguments: 1...20)
    func `FB-4 whatever two phones measure, lose and repeat, each day ends as it was measured last`(
        seed: UInt64
    ) async throws {
        var chance = Chance(seed)
        let phones = [phone, try Phone(portal)]
        let today = LocalTime(portal.now, Phone.zone).date
        var last: [LocalDate: Double] = [:]
        for turn in 1...60 {
            let one = phones[Int.random(in: 0...1, using: &chance)]
            portal.wait(seconds: Int64.random(in: 1...900, using: &chance))
            switch Int.random(in: 0...9, using: &chance) {
            case 0...4:
                let date = today.adding(days: -Int.random(in: 0...2, using: &chance))
                try one.store.measured(.steps, date, day(Double(turn)))
                last[date] = Double(turn)
            case 5: one.line.isDown.toggle()
            default:
                let faults: [Line.Fault?] = [nil, .lost, .answerLost, .answered(503, [:])]
                one.line.next((0..<4).map { _ in faults.randomElement(using: &chance) ?? nil })
                await one.sync(.changed)
            }
        }
        for one in phones {
            one.line.isDown = false
            one.line.next([])
        }
        // Once for what is left, once for what another phone has told meanwhile.
        for _ in 0..<2 {
            portal.wait(seconds: 7_200)
            for one in phones { await one.sync() }
        }
        for one in phones { #expect(try one.store.waiting() == 0 && one.store.records().isEmpty) }
        let range = "from=\(today.adding(days: -3).text)&to=\(today.text)&source=all"
        let days = portal.call(.get, "/my/measurement-days?type=steps&\(range)", as: .pia).list
        let totals = days.compactMap { item -> (LocalDate, Double)? in
            guard let date = LocalDate(item["attributes"]?["date"]?.string ?? ""),
                let total = item["attributes"]?["total"]?.number
            else { return nil }
            return (date, total)
        }
        #expect(totals.count == days.count && Dictionary(totals, uniquingKeysWith: +) == last)
    }

    @Test func `a sound is kept whole or not at all, and proved by its hash`() async throws {
        let kept = try phone.keptSounds(piece: 10_000)
        phone.line.next(nil, nil, .lost)
        await #expect(throws: ClientError.self) { try await kept.keep(sound.text, phone.client) }
        #expect(try kept.all().isEmpty && kept.file(of: sound.text) == nil)
        _ = phone.line.asked()
        try await kept.keep(sound.text, phone.client)
        let file = try #require(try kept.file(of: sound.text))
        let entry = try #require(try kept.all().first)
        #expect(try Data(contentsOf: file).count == entry.bytes && entry.bytes > 20_000)
        // It went on where it was cut off.
        let pieces = phone.line.asked().count { $0.contains("/sounds/files/") }
        #expect(pieces == (entry.bytes + 9_999) / 10_000 - 1)
        // Without a network it is there; asked for again, nothing is loaded.
        try await kept.keep(sound.text, phone.client)
        #expect(!phone.line.asked().contains { $0.contains("/sounds/files/") })
    }

    @Test func `a file that was changed or thrown away is noticed, and loaded anew`() async throws {
        let kept = try phone.keptSounds()
        try await kept.keep(sound.text, phone.client)
        #expect(try kept.check().isEmpty)
        let file = try #require(try kept.file(of: sound.text))
        var bytes = try Data(contentsOf: file)
        bytes[100] ^= 1
        try bytes.write(to: file)
        #expect(try kept.check() == [sound.text] && kept.file(of: sound.text) == nil)
        try await kept.keep(sound.text, phone.client)
        #expect(try kept.check().isEmpty)
        try kept.remove(sound.text)
        #expect(try kept.all().isEmpty && !FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `half a file of wrong bytes is thrown away and begun anew`() async throws {
        let kept = try phone.keptSounds(piece: 10_000)
        phone.line.next(nil, nil, .lost)
        await #expect(throws: ClientError.self) { try await kept.keep(sound.text, phone.client) }
        let half = try #require(
            try FileManager.default.contentsOfDirectory(
                at: phone.soundFolder, includingPropertiesForKeys: nil
            ).first)
        try Data(repeating: 7, count: 10_000).write(to: half)
        try await kept.keep(sound.text, phone.client)
        #expect(try kept.check().isEmpty && kept.all().count == 1)
    }
}

/// The same again for the same seed (SplitMix64).
private struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
