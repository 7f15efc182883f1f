import JSON
import Records
import Testing
import Wire

@testable import Contributions

/// TYT-3, without a database: two devices that go on with one sheet.
@Suite struct DraftAnswersTests {
    private let now = Instant("2026-11-20T09:00:00Z") ?? .distantPast

    private func draft(_ answers: [String: Double], at seconds: Int64) -> DraftAnswers {
        var draft = DraftAnswers()
        draft.merge(
            answers.mapValues { .init(.number($0), at: now.adding(seconds: seconds)) }, at: now)
        return draft
    }

    /// What is known, what another device says and when (seconds from now; nil for now), and what counts after it.
    @Test(
        arguments: [
            (first: -10, second: -60, counts: 1.0), (first: -60, second: -10, counts: 2.0),
            (first: -10, second: -10, counts: 2.0), (first: -10, second: nil, counts: 2.0),
            // A clock that runs ahead wins nothing: both count as now, and the last one said stays.
            (first: 900, second: nil, counts: 2.0), (first: nil, second: -1, counts: 1.0),
        ] as [(first: Int64?, second: Int64?, counts: Double)])
    func `of each answer the later one counts`(first: Int64?, second: Int64?, counts: Double) {
        var merged = draft(["a": 1], at: first ?? 0)
        merged.merge(["a": .init(.number(2), at: second.map { now.adding(seconds: $0) })], at: now)
        #expect(merged.answers["a"] == .number(counts))
    }

    @Test func `an answer that was taken back stays taken back, and is stored with its time`() throws {
        var taken = draft(["a": 1, "b": 2], at: -10)
        taken.merge(["a": .init(nil)], at: now)
        taken.merge(["a": .init(.number(3), at: now.adding(seconds: -5))], at: now)
        #expect(taken.answers == ["b": .number(2)])
        let stored = try DraftAnswers(stored: try taken.bytes, updatedAt: .distantPast)
        #expect(stored == taken && stored.items["a"]?.at == now)
        #expect(
            taken.answersJSON(withNull: true)["a"] == .null && taken.answersJSON(withNull: false)["a"] == nil)
    }

    @Test func `a sheet completed up to five minutes before its window counts from the opening`() {
        for (before, isCounted) in [(300, true), (301, false), (-1, false)] as [(Int64, Bool)] {
            let end = now.adding(seconds: -before)
            let sheet = Submission(
                reason: .paper, startedAt: end, completedAt: end, timezone: "UTC", answers: nil)
            #expect(sheet.counted(from: now).completedAt == (isCounted ? now : end), "\(before)")
        }
    }
}
