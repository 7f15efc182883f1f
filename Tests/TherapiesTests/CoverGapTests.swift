import Records
import Testing
import Wire

@testable import Therapies

/// PR-30: the first day of an absence on which patients have no cover.
@Suite struct CoverGapTests {
    private func day(_ number: Int64) -> LocalDate { LocalDate(daysSince1970: 20_800 + number) }
    private let both: [ID<Therapy>] = ["a", "b"]

    private func gap(
        today: Int64 = 0, running: [ID<Therapy>]? = nil, _ covers: [(Int64, Int64, Set<ID<Therapy>>?)]
    ) -> CoverGap? {
        CoverGap(
            from: day(2), until: day(6), today: day(today), running: running ?? both,
            covers: covers.map { (day($0.0), day($0.1), $0.2) })
    }

    @Test func `PR-30 it is the first day without, with the number of patients`() {
        #expect(gap([])?.day == day(2) && gap([])?.count == 2)
        #expect(gap([(2, 6, nil)]) == nil)
        #expect(gap([(0, 4, nil)])?.day == day(5))
        #expect(gap([(3, 6, nil)])?.day == day(2))
        #expect(gap([(2, 4, nil), (5, 9, nil)]) == nil)
        let some = gap([(2, 6, ["a"])])
        #expect(some?.day == day(2) && some?.count == 1 && some?.of == 2)
        #expect(gap([(2, 6, ["a"]), (2, 4, ["b"])])?.day == day(5))
    }

    @Test func `PR-30 days that are over, and therapists without patients, have none`() {
        #expect(gap(today: 4, [(4, 6, nil)]) == nil)
        #expect(gap(today: 4, [])?.day == day(4))
        #expect(gap(today: 7, []) == nil)
        #expect(gap(running: [], []) == nil)
    }
}
