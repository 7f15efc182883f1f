import Psychometrics
import Testing

@testable import Tinnitus

/// What several runs say together.
@Suite struct MatchSummaryTests {
    @Test func `the median and the quartiles are of type 7`() {
        let summary = MatchSummary([6000, 4000, 8000, 5000])
        // numpy.percentile([4000, 5000, 6000, 8000], [25, 50, 75])
        #expect(summary.quartiles?.lower == 4750 && summary.quartiles?.median == 5500)
        #expect(summary.quartiles?.upper == 6500 && summary.runs == 4)
        #expect(MatchSummary([]).quartiles == nil && MatchSummary([]).runs == 0)
        let one = MatchSummary([6137.5]).quartiles
        #expect(one?.lower == 6137.5 && one?.median == 6137.5 && one?.upper == 6137.5)
    }

    @Test(arguments: [
        ([3000, 3100, 6000, 6200], true), ([3000, 3050, 3100, 6000, 6200], true),
        // Three quarters and five quarters of an octave are the limits.
        ([1000, 1000, 1690, 1690], true), ([1000, 1000, 1670, 1670], false),
        ([1000, 1000, 2370, 2370], true), ([1000, 1000, 2390, 2390], false),
        // One that strays is no cluster, and three runs are too few.
        ([3000, 3050, 3100, 3080, 6000], false), ([3000, 6000, 6000], false),
        // Two octaves are not one, and what spreads evenly has no clusters.
        ([1000, 1010, 4000, 4050], false), ([2000, 2600, 3400, 4400, 5700], false),
        ([5000, 5000, 5000, 5000, 5000], false), ([], false),
    ])
    func `two clusters an octave apart are told from everything else`(hertz: [Double], isApart: Bool) {
        #expect(MatchSummary(hertz).isOctaveApart == isApart)
        #expect(MatchSummary(hertz.reversed()).isOctaveApart == isApart)
    }
}
