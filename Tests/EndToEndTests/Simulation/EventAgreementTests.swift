import PortalClient
import Testing
import Wire

@testable import PortalCLI

/// The judge of the simulation on what was pressed (ST-2).
@Suite struct EventAgreementTests {
    private let at = Instant(milliseconds: 1_772_431_200_000)

    private func there(_ id: String = "1", end: Int64? = 600, sheet: String? = nil) -> PortalEvent {
        PortalEvent(
            id: id, started_at: at, ended_at: end.map { at.adding(seconds: $0) }, contribution_id: sheet)
    }

    private func judged(_ events: [PortalEvent], refused: Set<String> = []) -> [String] {
        var diary = Diary()
        diary.events["1"] = Diary.NotedEvent(
            item: "i", isSpan: true, phone: 0, startedAt: at, endedAt: at.adding(seconds: 600))
        let phone = PhoneState(
            contributions: [:], sheets: [], appointments: [:], interventions: [:], refusedRecords: refused,
            waiting: 0, conflicts: 0)
        let portal = PortalState(
            contributions: [], appointments: [], interventions: [], listening: [], listeningStatistics: [],
            events: events)
        var agreement = Agreement()
        agreement.add("x", diary, [phone], nil, portal)
        return agreement.differences
    }

    @Test func `ST-2 an event is there once, with its times and its sheet, or its loss is told`() {
        #expect(judged([there()]) == [])
        #expect(judged([]) == ["x: event 1 is lost"])
        #expect(judged([], refused: ["1"]) == ["x: event 1 is refused"])
        #expect(judged([there(), there()]) == ["x: an event is there twice"])
        #expect(judged([there(end: nil)]) == ["x: event 1 says something else"])
        #expect(judged([there(end: 601)]) == ["x: event 1 says something else"])
        #expect(judged([there(sheet: "s")]) == ["x: event 1 says something else"])
        #expect(judged([there(), there("2")]) == ["x: event 2 was never pressed"])
    }
}
