import HTTP
import Scheduling
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting

/// ST-2: events that phones note without a network, and the sheets about them.
@Suite struct EventSyncTests {
    private let portal: TestPortal
    private let desk: StudyDesk
    private let study: String
    private let span: String
    private let phone: Phone

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        study = desk.begin()
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
        span = desk.add("wellbeing-5", to: study, #", "event": "span""#)
        #expect(desk.enrol(.nora, in: study).status == 201)
        portal.wait(seconds: 3600)
        try portal.wait(awake: 0)
        phone = try Phone(portal, of: .nora)
    }

    private func event(end: Int64? = nil, item: String? = nil) -> Client.NotedEvent {
        Client.NotedEvent(
            itemID: item ?? span, startedAt: portal.now.adding(seconds: -600),
            endedAt: end.map { portal.now.adding(seconds: $0) }, timezone: "Europe/Vienna")
    }

    @discardableResult
    private func fillIn(_ event: String) async throws -> String {
        let version = desk.version("wellbeing-5", .nora)
        let questionnaire = try await phone.client.questionnaire(version)
        let keys = questionnaire.sections.flatMap(\.questions).map(\.key)
        return try phone.store.submit(
            about: event, in: study, version: version, of: questionnaire,
            Dictionary(uniqueKeysWithValues: keys.map { ($0, .number(3)) }), started: portal.now,
            at: portal.now, zone: Phone.zone)
    }

    @Test func `ST-2 an event arrives once with the times of its phone, however often answers are lost`()
        async throws
    {
        let begun = event()
        let id = try phone.store.noted(begun)
        phone.line.isDown = true
        #expect(await phone.sync().outcome != .complete)
        portal.wait(seconds: 1200)
        try portal.wait(awake: 0)
        phone.line.isDown = false
        phone.line.next(.answerLost)
        #expect(await phone.sync().outcome != .complete)
        #expect(await phone.sync().outcome == .complete)
        var over = begun
        over.endedAt = portal.now
        #expect(try phone.store.noted(over, id: id) == id)
        phone.line.next(.lost)
        await phone.sync()
        #expect(await phone.sync().sent == 1)
        let known = try await phone.client.events()
        #expect(known.map(\.id) == [id] && known[0].attributes.startedAt == begun.startedAt.whole)
        #expect(known[0].attributes.endedAt == portal.now.whole)
        #expect(try phone.store.records().isEmpty && phone.store.waiting() == 0)
    }

    @Test func `ST-2 an event goes before the sheet about it, also where it was noted anew after that`()
        async throws
    {
        let begun = event()
        let id = try phone.store.noted(begun)
        let sheet = try await fillIn(id)
        var over = begun
        over.endedAt = portal.now
        try phone.store.noted(over, id: id)
        await #expect(throws: LocalProblem.alreadyFilledIn) { try await fillIn(id) }
        // A fault with the event alone: what is about it waits for it.
        phone.line.next(.answered(500, [:]))
        await phone.sync()
        #expect(try phone.store.sheets().map(\.id) == [sheet])
        #expect(try phone.store.sheets().allSatisfy { $0.refusal == nil })
        portal.wait(seconds: 120)
        #expect(await phone.sync().outcome == .complete)
        let known = try await phone.client.events()
        #expect(known.map(\.attributes.contributionID) == [sheet])
        #expect(known[0].attributes.endedAt == over.endedAt?.whole)
        await #expect(throws: LocalProblem.alreadyFilledIn) { try await fillIn(id) }
    }

    @Test func `ST-2 a refused event is told, and its sheet is kept until somebody has decided`() async throws
    {
        let id = try phone.store.noted(event(item: "7d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b42"))
        let sheet = try await fillIn(id)
        let summary = await phone.sync()
        #expect(summary.refused == 1 && summary.outcome == .complete)
        let refused = try phone.store.records()
        #expect(refused.map(\.id) == [id] && refused[0].refusal?.status == 422)
        #expect(try phone.store.sheets().first?.refusal == nil && phone.store.waiting() == 1)
        // Corrected, both go.
        try phone.store.noted(event(), id: id)
        #expect(await phone.sync().sent == 2)
        #expect(try await phone.client.events().map(\.attributes.contributionID) == [sheet])
        // Let go, its sheet is told as well, and not lost.
        let other = try phone.store.noted(event(item: "7d8e2c44-52b0-4a4c-8a5e-7d3d1f0a9b42"))
        try await fillIn(other)
        await phone.sync()
        try phone.store.discardRecord(other)
        #expect(await phone.sync().refused == 1)
        #expect(try phone.store.sheets().map(\.refusal?.status) == [422])
    }
}
