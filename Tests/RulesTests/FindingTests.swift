import HTTP
import JSON
import Records
import Testing
import Wire

@testable import Psychometrics
@testable import Rules
@testable import Scheduling
@testable import Therapies
@testable import Web

/// The rule vocabulary of `measurement.md`, on histories made by hand.
@Suite struct FindingTests {
    static let now = Instant("2026-11-20T09:00:00Z")!
    static let item = History.Item(key: "q", name: "s")

    static func day(_ back: Int64) -> Instant { now.adding(days: -back) }

    /// Values of one scale, the oldest first, one a day up to yesterday; nil where a sheet had none.
    static func history(_ values: [Double?], pauses: PauseSpans = PauseSpans([], Zone("UTC"))) -> History {
        var history = History(pairedAt: day(60), beginsAt: day(30), pauses: pauses)
        let count = Int64(values.count)
        history.scores["q"] = values.enumerated().map { index, value in
            let at = day(count - Int64(index))
            return History.Contribution(
                id: ID("\(index)"), completedAt: at, receivedAt: at, values: value.map { ["s": [$0]] } ?? [:])
        }
        history.points[item] = values.enumerated().compactMap { index, value in
            let at = day(count - Int64(index))
            return value.map { History.Point(id: ID("\(index)"), completedAt: at, receivedAt: at, value: $0) }
        }
        return history
    }

    static func rule(_ conditions: String, combine: String = "all", more: String = "") throws -> Rule {
        let text =
            #"{"name": "x", "combine": "\#(combine)", "conditions": [\#(conditions)], "briefing": "x"\#(more)}"#
        return try Rule.read(InputReader(json: try JSON.parse(Array(text.utf8))))
    }

    static func clause(_ kind: String, _ more: String) -> String {
        #"{"kind": "\#(kind)", "questionnaire_key": "q", "item": "s", \#(more)}"#
    }

    static let table: [(String, String, [Double?], Bool)] = [
        ("score", #""comparison": "at_least", "value": 3"#, [1, 3], true),
        ("score", #""comparison": "at_least", "value": 3"#, [3, 1], false),
        ("score", #""comparison": "at_least", "value": 3"#, [], false),
        ("score", #""comparison": "at_least", "value": 3"#, [3, nil], false),
        ("score", #""comparison": "above", "value": 3"#, [3], false),
        ("score", #""comparison": "below", "value": 3"#, [2.9], true),
        ("score", #""comparison": "equals", "value": 0.3"#, [0.1 + 0.2], true),
        ("score", #""comparison": "at_most", "value": 2, "times": 2, "of": 3"#, [2, 5, 1], true),
        ("score", #""comparison": "at_most", "value": 2, "times": 2, "of": 3"#, [2, 2, 5, 5], false),
        ("score", #""comparison": "at_most", "value": 2, "times": 2, "of": 3"#, [2, nil, 1], true),
        ("score", #""comparison": "at_most", "value": 2, "times": 3"#, [1, 1], false),
        ("mean", #""comparison": "at_least", "value": 2, "of": 3"#, [9, 1, 2, 3], true),
        ("mean", #""comparison": "at_least", "value": 2, "of": 3"#, [3, 3], false),
        ("mean", #""comparison": "at_least", "value": 2, "of": 2"#, [3, nil, 1], true),
        ("change", #""comparison": "at_least", "value": 5, "since": "begin""#, [1, 9, 6], true),
        ("change", #""comparison": "at_least", "value": 5, "since": "last""#, [1, 9, 6], false),
        ("change", #""comparison": "at_most", "value": -3, "since": "last""#, [1, 9, 6], true),
        ("change", #""comparison": "at_least", "value": 0"#, [4], false),
        ("reliable_worsening", #""since": "begin""#, [10, 19.2], false),
        ("reliable_worsening", #""since": "begin""#, [10, 19.4], true),
        ("reliable_worsening", #""since": "begin""#, [19.4, 10], false),
        ("reliable_improvement", #""since": "begin""#, [19.4, 10], true),
        ("reliable_improvement", #""since": "last""#, [19.4, 15, 10], false),
    ]

    @Test(arguments: table.indices) func `a condition holds, or does not`(index: Int) throws {
        let (kind, more, values, isMet) = Self.table[index]
        var history = Self.history(values)
        // SD 7.5 and r 0.80: 9.297 points are reliable (measurement.md).
        history.figures[Self.item] = ReliableChange(
            standardDeviation: 7.5, reliability: 0.8, higherIsWorse: true)
        let rule = try Self.rule(Self.clause(kind, more))
        #expect((rule.finding(in: history, at: Self.now) != nil) == isMet)
    }

    @Test func `reliable change after Jacobson and Truax, to the vector's digits`() throws {
        let change = try #require(
            ReliableChange(standardDeviation: 7.5, reliability: 0.8, higherIsWorse: false))
        #expect(abs(change.criterion - 9.297) < 0.001)
        #expect(abs(change.index(from: 32.5, to: 47.5) - 3.162) < 0.001)
        #expect(change.isImprovement(15) && !change.isWorsening(15) && change.isWorsening(-15))
        #expect(ReliableChange(standardDeviation: 7.5, reliability: 1, higherIsWorse: true) == nil)
        #expect(ReliableChange(standardDeviation: 0, reliability: 0.8, higherIsWorse: true) == nil)
    }

    @Test func `all and any`() throws {
        let history = Self.history([1, 4])
        let high = Self.clause("score", #""comparison": "at_least", "value": 4"#)
        let low = Self.clause("score", #""comparison": "at_most", "value": 1"#)
        #expect(try Self.rule("\(high),\(low)").finding(in: history, at: Self.now) == nil)
        let any = try Self.rule("\(low),\(high)", combine: "any").finding(in: history, at: Self.now)
        #expect(any?.facts.map(\.clause) == [1])
    }

    @Test func `what had not come in yet did not count yet`() throws {
        var history = Self.history([1, 5])
        let late = Self.now.adding(seconds: 3600)
        history.scores["q"]?[1] = History.Contribution(
            id: "1", completedAt: Self.day(1), receivedAt: late, values: ["s": [5]])
        let rule = try Self.rule(Self.clause("score", #""comparison": "at_least", "value": 5"#))
        #expect(rule.finding(in: history, at: Self.now) == nil)
        #expect(rule.finding(in: history, at: late) != nil)
    }

    @Test func `silence counts from the last answer, the pairing, or the end of a pause`() throws {
        let rule = try Self.rule(#"{"kind": "silent", "days": 10}"#)
        var history = History(
            pairedAt: Self.day(11), beginsAt: Self.day(11), pauses: PauseSpans([], Zone("UTC")))
        #expect(rule.finding(in: history, at: Self.now)?.facts.first?.count == 11)
        history.signs = [Self.day(10)]
        #expect(rule.finding(in: history, at: Self.now) != nil)
        history.signs = [Self.day(9)]
        #expect(rule.finding(in: history, at: Self.now) == nil)
    }

    @Test func `three missed in a row, with an answer in between it is none`() throws {
        let rule = try Self.rule(#"{"kind": "missed", "questionnaire_key": "q", "times": 3}"#)
        var history = Self.history([])
        let slot = { (id: Int, answered: Bool) in
            let closes = Self.day(Int64(5 - id))
            return History.Slot(id: ID("\(id)"), closes: closes, answeredAt: answered ? closes : nil)
        }
        history.slots["q"] = [slot(0, true), slot(1, false), slot(2, false)]
        #expect(rule.finding(in: history, at: Self.now) == nil)
        history.slots["q"]?.append(slot(3, false))
        #expect(rule.finding(in: history, at: Self.now) != nil)
        history.slots["q"]?.append(slot(4, true))
        #expect(rule.finding(in: history, at: Self.now) == nil)
    }
}
