import Database
import HTTP
import Scheduling
import Testing
import Wire
import Wording

@testable import Records
@testable import Therapies
@testable import Web

/// Days on which nothing is asked.
@Suite struct PauseTests {
    private let zone = Zone("Europe/Vienna")
    private let today = LocalDate(daysSince1970: 20_777)

    private func pause(_ from: Int, _ to: Int) throws -> PauseRecord {
        try row(
            """
            SELECT 'p' AS id, 'ada' AS therapist_id, NULL AS therapy_id, 0 AS made_at, \(today.adding(days: from)) AS starts_on,
                \(today.adding(days: to)) AS ends_on, NULL AS cover, NULL AS removed_at
            """)
    }

    private func spans(_ days: [(Int, Int)]) throws -> PauseSpans {
        PauseSpans(try days.map { try pause($0.0, $0.1) }, zone)
    }

    private func at(_ day: Int, _ hour: Int = 0) -> Instant {
        zone.instant(today.adding(days: day), hour: hour, minute: 0)
    }

    @Test func `pauses that touch or overlap are one, whatever their order`() throws {
        let all = try spans([(8, 9), (2, 3), (1, 1), (2, 2), (4, 5)])
        #expect(all.spans == [at(1)..<at(6), at(8)..<at(10)])
        #expect(try spans([]).spans.isEmpty)
    }

    @Test func `a pause holds its first and its last day whole`() throws {
        let all = try spans([(1, 2)])
        #expect([0, 1, 2, 3].map { all.contains(today.adding(days: $0)) } == [false, true, true, false])
        #expect(all.span(at: at(3)) == nil && all.span(at: at(2, 23)) != nil)
        #expect(all.lastEnd(before: at(3)) == at(3) && all.lastEnd(before: at(2)) == nil)
        #expect(all.days(since: at(0)) == 2 && all.days(since: at(2)) == 1 && all.days(since: at(3)) == 0)
    }

    @Test(
        arguments: [
            // Before, behind, opening in the pause, over its whole, with it in the middle.
            (-1, 1, -1, 1), (3, 4, 3, 4), (2, 5, 3, 6), (1, 3, 3, 5), (0, 4, 0, 6),
        ])
    func `a window that meets a pause of two days is moved or lengthened by what it lost`(
        _ from: Int, _ due: Int, _ movedFrom: Int, _ movedDue: Int
    ) throws {
        let moved = try spans([(1, 2)]).moved(at(from), at(due))
        #expect(moved.from == at(movedFrom) && moved.due == at(movedDue))
    }

    @Test func `a window pushed into the next pause is moved out of that, too`() throws {
        let moved = try spans([(1, 2), (4, 4)]).moved(at(2), at(4))
        #expect(moved.from == at(3) && moved.due == at(6))
    }

    @Test func `pauses add what others do not have`() throws {
        let mine = try spans([(1, 6)])
        #expect(mine.adding(to: try spans([(3, 3), (6, 9)])).spans == [at(1)..<at(3), at(4)..<at(6)])
        #expect(mine.adding(to: try spans([(0, 9)])).spans.isEmpty)
        #expect(mine.adding(to: try spans([])).spans == mine.spans)
    }

    @Test(
        arguments: [
            (0, 0, []), (-5, 0, []), (0, 365, []), (0, 366, ["ends_on pauses.long"]),
            (-5, -1, ["ends_on pauses.over"]),
            (3, 2, ["ends_on pauses.ends_before"]), (730, 731, []),
            (731, 731, ["starts_on errors.window_far"]),
        ] as [(Int, Int, [String])])
    func `a pause lasts a year at most and is not over`(_ from: Int, _ to: Int, _ errors: [String]) {
        let form: Form = ["starts_on": today.adding(days: from).text, "ends_on": today.adding(days: to).text]
        var found: [String] = []
        do {
            _ = try PauseDraft.read(InputReader(form: form), today: today)
        } catch { found = error.errors.list.map { "\($0.field) \($0.message.key)" } }
        #expect(found == errors)
    }
}
