import PortalClient
import Testing
import Wire

@testable import PortalCLI

/// The judge of the simulation on what was measured.
@Suite struct MeasuredAgreementTests {
    private let date = LocalDate("2026-03-02") ?? LocalDate(daysSince1970: 0)

    private func judged(steps: Double?, rates: Int, refused: Set<String>) -> [String] {
        var diary = Diary()
        diary.steps = [date: ["Telefon 1": 4_000, "Ring": 6_000]]
        diary.rates = ["1": 60, "2": 400]
        var day = MeasurementDay.example
        day.date = date
        day.total = steps
        var rate = day
        rate.n = rates
        let phone = PhoneState(
            contributions: [:], sheets: [], appointments: [:], interventions: [:], refusedRecords: refused,
            waiting: 0, conflicts: 0)
        let portal = PortalState(
            contributions: [], appointments: [], interventions: [], listening: [], listeningStatistics: [],
            steps: [Item(id: "steps", day)], rates: [Item(id: "rate", rate)])
        var agreement = Agreement()
        agreement.add("x", diary, [phone], nil, portal)
        return agreement.differences
    }

    @Test
    func `RP-105 the larger sum of a day counts, RP-113 what can be is filed and what cannot is refused`() {
        #expect(judged(steps: 6_000, rates: 1, refused: ["2"]) == [])
        let smaller = ["x: steps of 2026-03-02: 4000.0 instead of 6000.0"]
        #expect(judged(steps: 4_000, rates: 1, refused: ["2"]) == smaller)
        #expect(judged(steps: 6_000, rates: 0, refused: ["2"]) == ["x: 0 rates are filed instead of 1"])
        #expect(judged(steps: 6_000, rates: 2, refused: []) == ["x: a rate of 400.0 was not refused"])
        #expect(judged(steps: 6_000, rates: 0, refused: ["1", "2"]) == ["x: a rate of 60.0 was refused"])
    }
}
