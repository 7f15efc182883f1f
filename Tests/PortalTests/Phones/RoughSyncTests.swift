import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Web

/// What a review found: wrong clocks, gates before the portal, endings in between, and people who go on writing.
@Suite struct RoughSyncTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    var therapy: ID<Therapy> { portal.cast.therapies[.pia]! }

    // MARK: Nothing stands in the way of the rest

    @Test func `a therapy that ends between two things does not keep back the second`() async throws {
        await phone.sync()
        phone.line.isDown = true
        try phone.store.openIntervention(portal.cast.intervention, at: portal.now)
        let sheet = try phone.fillIn(portal.cast.assignment)
        portal.wait(seconds: 60)
        #expect(portal.call(.post, "/patients/\(therapy)/therapy/end", "{}", as: .ada).status == 200)
        phone.line.isDown = false
        let summary = await phone.sync()
        #expect(summary.outcome == .complete && summary.sent == 1)
        #expect(try phone.store.contributions().map(\.id).contains(sheet) && phone.store.waiting() == 0)
    }

    @Test func `what stands before the portal decides nothing`() async throws {
        await phone.sync()
        try phone.fillIn(portal.cast.assignment)
        for status in [302, 403, 404, 409, 422, 502, 504] {
            phone.line.next(.answered(status, [:]))
            let summary = await phone.sync(.asked)
            #expect(summary.refused == 0 && summary.requests == 1, "\(status)")
            #expect(try phone.store.sheets().first?.refusal == nil && phone.store.waiting() == 1)
            portal.wait(seconds: 1000)
        }
        #expect(await phone.sync().sent == 1)
    }

    @Test func `a gate that says 403 or 404 ends no therapy, deletes nothing and drops no wish to delete`()
        async throws
    {
        let start = portal.now.adding(days: 2)
        let appointment = Appointment(
            title: "Sitzung", startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
        let id = try phone.store.keepAppointment(nil, appointment)
        await phone.sync(.changed)
        // In the place of what has changed, and of the plan of dailies where the lists are read.
        for passing in [0, 2] {
            try phone.store.write { try LocalStore.forgetParts($0) }
            phone.line.next(Array(repeating: nil, count: passing) + [.answered(403, [:])])
            #expect(await phone.sync().outcome != .complete)
            #expect(try phone.store.interventions().count == 1)
        }
        try phone.store.deleteAppointment(id)
        phone.line.next(.answered(404, [:]))
        #expect(await phone.sync().outcome != .complete)
        #expect(try phone.store.waiting() == 1)
        #expect(await phone.sync().sent == 1)
        #expect(portal.call(.get, "/my/appointments/\(id)", as: .pia).status == 410)
    }

    @Test func `half-filled answers that the portal has let go are told anew, all of them`() async throws {
        let id = portal.cast.assignment
        await phone.sync()
        try phone.store.keepDraft(["came_back": .number(1), "dream": .number(0)], of: id)
        await phone.sync(.changed)
        try portal.services.records.writeUnaudited(.madeUp) { try $0.run("DELETE FROM answer_drafts") }
        let all: Answers = ["came_back": .number(1), "dream": .number(0), "lighter": .number(3)]
        try phone.store.keepDraft(all, of: id)
        #expect(await phone.sync(.changed).outcome == .complete)
        #expect(try phone.store.draft(of: id) == all)
        let there = portal.call(.get, "/my/drafts/\(id)", as: .pia).attributes["answers"]
        #expect(there?["came_back"]?.number == 1 && there?["lighter"]?.number == 3)
    }

    @Test func `a refused sheet can be tried again`() async throws {
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        let first = try phone.fillIn(portal.cast.assignment, with: 1)
        try other.fillIn(portal.cast.assignment, with: 3)
        await other.sync(.changed)
        #expect(await phone.sync(.changed).refused == 1)
        try phone.store.sendAgain(first)
        #expect(try phone.store.waiting() == 1)
        #expect(await phone.sync(.changed).refused == 1)
        #expect(try phone.store.sheets().first?.refusal?.status == 409)
        // By the other device, of which this one has heard.
        #expect(try phone.store.answered().contains(portal.cast.assignment))
    }

    // MARK: Clocks

    @Test func `times of a phone whose clock was wrong are brought into order, and told`() async throws {
        let given = portal.call(
            .post, "/patients/\(therapy)/interventions", #"{"kind": "task", "text": "x"}"#, as: .ada
        ).id
        await phone.sync()
        // Half an hour slow when it was opened, put back by another hour when it was finished.
        try phone.store.openIntervention(given, at: portal.now.adding(seconds: -1800))
        try phone.store.completeIntervention(given, isDone: true, at: portal.now.adding(seconds: -5400))
        // And one whose clock was days ahead.
        let other = portal.cast.intervention
        try phone.store.completeIntervention(other, isDone: true, at: portal.now.adding(days: 3))
        let summary = await phone.sync(.changed)
        #expect(summary.outcome == .complete && summary.sent == 2)
        for item in portal.call(.get, "/my/interventions", as: .pia).list {
            #expect(item["attributes"]?["opened_at"]?.string == portal.now.text)
            #expect(item["attributes"]?["completed_at"]?.string == portal.now.text)
        }
        #expect(try phone.store.waiting() == 0)
    }

    @Test func `a wait that was reckoned with a clock a year ahead is no wait`() async throws {
        portal.wait(days: 365)
        phone.line.isDown = true
        await phone.sync(.asked)
        phone.line.isDown = false
        portal.wait(days: -365)
        #expect(await phone.sync(.periodic).outcome == .complete)
    }

    // MARK: Dailies

    @Test func `a daily of the phone's own that is being filled in survives the portal's plan`() async throws
    {
        try portal.publish("intersession-daily")
        await phone.sync()
        try portal.wait(awake: 12)
        phone.line.isDown = true
        // The engine plans also where there is no network, there most of all.
        #expect(await phone.sync(.asked).outcome != .complete)
        let own = try #require(try phone.store.assignments().first(where: \.isOwn))
        portal.wait(seconds: own.availableFrom.seconds - portal.now.seconds + 120)
        try phone.store.keepDraft(["thought": .number(1)], of: own.id)
        phone.line.isDown = false
        portal.wait(seconds: 400)
        #expect(await phone.sync(.asked).outcome == .complete)
        #expect(try phone.store.draft(of: own.id) == ["thought": .number(1)])
        try phone.store.submit(
            own.id, ["thought": .number(0)], started: portal.now, at: portal.now, zone: Phone.zone)
        #expect(await phone.sync(.changed).sent == 1)
        #expect(try !phone.store.assignments().contains { $0.id == own.id })
    }

    @Test func `an answered daily does not come back with the plan, on no phone`() async throws {
        try portal.publish("intersession-daily")
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        let daily = try #require(
            try phone.store.assignments().first { $0.source == "daily" && $0.availableFrom > portal.now })
        portal.wait(seconds: daily.availableFrom.seconds - portal.now.seconds + 60)
        await other.sync()
        try phone.store.submit(
            daily.id, ["thought": .number(0)], started: portal.now, at: portal.now, zone: Phone.zone)
        await phone.sync(.changed)
        for phone in [phone, other] {
            await phone.sync()
            #expect(try !phone.store.assignments().contains { $0.id == daily.id })
        }
    }

    @Test func `a daily that was planned before a journey counts in the zone it was planned in`() async throws
    {
        try portal.publish("intersession-daily")
        await phone.sync()
        try portal.wait(awake: 12)
        phone.line.isDown = true
        await phone.sync(.asked)
        let own = try #require(try phone.store.assignments().first(where: \.isOwn))
        portal.wait(seconds: own.availableFrom.seconds - portal.now.seconds + 60)
        let tokyo = Zone("Asia/Tokyo")
        try phone.store.submit(
            own.id, ["thought": .number(0)], started: portal.now, at: portal.now, zone: tokyo)
        phone.line.isDown = false
        portal.wait(seconds: 100)
        let summary = await phone.sync(.asked)
        #expect(summary.sent == 1 && summary.refused == 0)
    }

    // MARK: Several devices

    @Test
    func `of two phones that half fill in the same, the later word on each question stands, in either order`()
        async throws
    {
        let other = try Phone(portal)
        let id = portal.cast.assignment
        await phone.sync()
        try phone.store.keepDraft(["came_back": .number(1)], of: id)
        await phone.sync(.changed)
        await other.sync()
        try other.store.keepDraft(["came_back": .number(4)], of: id)
        await other.sync(.changed)
        // Does not know of the 4, and says nothing to that question.
        try phone.store.keepDraft(["came_back": .number(1), "dream": .number(2)], of: id)
        await phone.sync(.changed)
        let both: Answers = ["came_back": .number(4), "dream": .number(2)]
        #expect(try phone.store.draft(of: id) == both)
        await other.sync()
        #expect(try other.store.draft(of: id) == both)
        // An answer that is taken back stays taken back.
        try other.store.keepDraft(["dream": .number(2)], of: id)
        await other.sync(.changed)
        try phone.store.keepDraft(both.merging(["lighter": .number(1)]) { mine, _ in mine }, of: id)
        await phone.sync(.changed)
        #expect(try phone.store.draft(of: id) == ["dream": .number(2), "lighter": .number(1)])
    }

    @Test func `an appointment that changes again during a conflict is shown as it is, whatever was chosen`()
        async throws
    {
        let other = try Phone(portal)
        let start = portal.now.adding(days: 2)
        let named = { (title: String) in
            Appointment(title: title, startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
        }
        let id = try phone.store.keepAppointment(nil, named("Sitzung"))
        await phone.sync(.changed)
        await other.sync()
        try phone.store.keepAppointment(id, named("eins"))
        try other.store.keepAppointment(id, named("zwei"))
        await phone.sync(.changed)
        await other.sync(.changed)
        #expect(try other.store.conflicts().count == 1)
        try phone.store.keepAppointment(id, named("drei"))
        await phone.sync(.changed)
        await other.sync()
        try other.store.resolve(id, .theirs)
        await other.sync(.changed)
        #expect(try other.store.appointments().map(\.appointment.title) == ["drei"])
    }

    @Test func `several answers that were lost are no conflict with oneself`() async throws {
        let start = portal.now.adding(days: 2)
        let named = { (title: String) in
            Appointment(title: title, startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil)
        }
        let id = try phone.store.keepAppointment(nil, named("eins"))
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        try phone.store.keepAppointment(id, named("zwei"))
        phone.line.next(.lost)
        await phone.sync(.asked)
        #expect(await phone.sync(.asked).outcome == .complete)
        #expect(try phone.store.conflicts().isEmpty)
        #expect(portal.call(.get, "/my/appointments/\(id)", as: .pia).attributes["title"]?.string == "zwei")
    }

    // MARK: Language and people

    @Test func `another language without a network leaves everything as it can be filled in`() async throws {
        await phone.sync()
        await phone.engine.use(.english)
        phone.line.isDown = true
        await phone.sync(.asked)
        #expect(try phone.store.assignment(portal.cast.assignment)?.isOpen(at: portal.now) == true)
        try phone.fillIn(portal.cast.assignment)
        phone.line.isDown = false
        #expect(await phone.sync(.asked).sent == 1)
    }

    @Test func `a store belongs to one person`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("whose-\(UUID().uuidString)")
            .path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        try LocalStore(path: path, person: "pia@example.org").close()
        try LocalStore(path: path, person: "pia@example.org").close()
        #expect(throws: LocalProblem.otherPerson) { try LocalStore(path: path, person: "quinn@example.org") }
    }

    // MARK: What was written

    @Test func `finishing without a word keeps what was written before, and a wrong clock loses nothing`()
        async throws
    {
        await phone.sync()
        let store = phone.store
        let id = portal.cast.intervention
        let ahead = portal.now.adding(days: 1)
        try store.writeNote(VaultNote(answer: "eins", isDone: nil, changedAt: ahead), of: id)
        try store.writeNote(VaultNote(answer: "zwei", isDone: nil, changedAt: portal.now), of: id)
        try store.completeIntervention(id, isDone: true, at: portal.now)
        let kept = try #require(try store.interventions().first)
        #expect(kept.answer == "zwei" && kept.isDone == true)
    }

    @Test
    func `a vault that says the same is not written again, and two notes of one second come out the same`()
        async throws
    {
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        let id = portal.cast.intervention
        let at = { (milliseconds: Int64) in Instant(milliseconds: portal.now.milliseconds + milliseconds) }
        try phone.store.writeNote(VaultNote(answer: "eins", isDone: nil, changedAt: at(700)), of: id)
        try other.store.writeNote(VaultNote(answer: "zwei", isDone: nil, changedAt: at(300)), of: id)
        for _ in 0..<2 {
            for phone in [phone, other] {
                try await SealedVault.exchange(phone.store, phone.client, password: "Fenster")
            }
        }
        #expect(try phone.store.notes() == other.store.notes())
        let revision = try await phone.client.vault().revision
        for phone in [phone, other] {
            try await SealedVault.exchange(phone.store, phone.client, password: "Fenster")
        }
        #expect(try await phone.client.vault().revision == revision)
    }
}
