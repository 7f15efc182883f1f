import Psychometrics
import Testing

/// RP-124: a share of a hundred is one of all, a share of nothing one of none.
@Suite struct ShareTests {
    @Test(arguments: [
        (0, 0, 0), (0, 250, 0), (1, 250, 1), (1, 1000, 1), (1, 200, 1), (199, 200, 99), (200, 200, 100),
        (999, 1000, 99),
        (13, 21, 62), (1, 8, 13), (1, 2, 50), (2, 3, 67),
    ])
    func `RP-124 a hundred per cent are all, and none are nothing`(number: Int, all: Int, percent: Int) {
        #expect(Share.percent(number, of: all) == percent)
    }
}
