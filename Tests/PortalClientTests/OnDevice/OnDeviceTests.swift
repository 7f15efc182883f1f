import Scheduling
import Testing
import Wire

@testable import PortalClient

/// What phones work out by themselves.
@Suite struct OnDeviceTests {
    // MARK: Questionnaires

    static func question(_ key: String) -> Questionnaire.Question {
        Questionnaire.Question(
            key: key, type: "single", required: true, text: key, options: nil, minimum: nil, maximum: nil,
            step: nil, minimumLabel: nil, maximumLabel: nil, minimumChoices: nil, maximumChoices: nil,
            aspect: nil)
    }

    /// b is shown when a is 1, c when b is at least 2.
    static let sheet: Questionnaire = {
        var sheet = Questionnaire.example
        let section = { (key: String, condition: Condition?) in
            Questionnaire.Section(
                key: key, text: "", visibleIf: condition, options: nil, questions: [question(key)])
        }
        sheet.sections = [
            section("a", nil), section("b", .equals(question: "a", value: 1)),
            section("c", .atLeast(question: "b", value: 2)),
        ]
        return sheet
    }()

    @Test func `what is shown follows the answers, and a hidden answer opens nothing further down`() {
        let shown = { (answers: Answers) in Self.sheet.visibleSections(answers).map(\.key) }
        #expect(shown([:]) == ["a"])
        #expect(shown(["a": .number(1)]) == ["a", "b"])
        #expect(shown(["a": .number(1), "b": .number(2)]) == ["a", "b", "c"])
        #expect(shown(["a": .number(0), "b": .number(2)]) == ["a"])
    }

    @Test func `progress counts what is shown, and the next question is the first without an answer`() {
        let half: Answers = ["a": .number(1)]
        #expect(Self.sheet.progress(half) == .init(answered: 1, total: 2))
        #expect(Self.sheet.nextUnanswered(half)?.key == "b")
        let done: Answers = ["a": .number(0), "b": .number(2)]
        #expect(Self.sheet.progress(done) == .init(answered: 1, total: 1))
        #expect(Self.sheet.nextUnanswered(done) == nil)
        #expect(Self.sheet.sendable(done) == ["a": .number(0)])
    }

    // MARK: Results

    @Test(arguments: [
        (0, 0), (20, 20), (21, 21), (22, 21), (40, 31), (80, 54), (81, 51), (160, 90), (200, 90),
    ])
    func `TYT-2 long series are thinned as the source has it`(count: Int, left: Int) {
        let thinned = Thinning.thinned(Array(0..<count))
        #expect(thinned.count == left && thinned == thinned.sorted())
        #expect(thinned.last == (count == 0 ? nil : Array(0..<count).last))
        #expect(thinned.first == (count == 0 ? nil : max(0, count - Thinning.most)))
    }

    // MARK: Notifications

    @Test func `the next sixty-four of the wanted kinds are handed over in order`() {
        let now = Instant(milliseconds: 1_795_000_000_000)
        let all = (0..<100).flatMap { number in
            Notification.kinds.map { kind in
                Notification(
                    kind: kind, subjectID: "\(kind) \(number)",
                    firesAt: now.adding(seconds: Int64(number - 10) * 60), title: "")
            }
        }
        let settings = NotificationSettings(questionnaires: true, interventions: false, appointments: true)
        let chosen = NextNotifications.chosen(from: all.reversed(), settings: settings, after: now)
        #expect(chosen.count == 64 && chosen.allSatisfy { $0.kind != "intervention" && $0.firesAt > now })
        #expect(chosen.first?.subjectID == "appointment 11" && chosen.last?.subjectID == "questionnaire 42")
        let none = NotificationSettings(questionnaires: false, interventions: false, appointments: false)
        #expect(NextNotifications.chosen(from: all, settings: none, after: now).isEmpty)
    }

    @Test func `ST-2 where a device takes no more, later calls give way to what is told for the first time`()
    {
        let now = Instant("2026-11-20T09:00:00Z")!
        let all = (0..<90).map { number -> Wire.Notification in
            var notification = Wire.Notification(
                kind: "questionnaire", subjectID: "item",
                firesAt: now.adding(seconds: Int64(number) * 60 + 60),
                title: "")
            notification.call = number % 3 == 0 ? nil : number % 3 + 1
            return notification
        }
        let settings = NotificationSettings(questionnaires: true, interventions: true, appointments: true)
        let chosen = NextNotifications.chosen(from: all, settings: settings, after: now)
        #expect(chosen.count == 64 && chosen.count { $0.call == nil } == 30)
        #expect(chosen.map(\.firesAt) == chosen.map(\.firesAt).sorted())
        // Where even those are too many, the next ones.
        let firsts = all.map { one in
            Wire.Notification(kind: "questionnaire", subjectID: "item", firesAt: one.firesAt, title: "")
        }
        let next = NextNotifications.chosen(
            from: firsts + all.filter { $0.call != nil }, settings: settings, after: now)
        #expect(next.map(\.firesAt) == all.prefix(64).map(\.firesAt) && next.allSatisfy { $0.call == nil })
    }

    @Test func `ST-2 the later calls of a prompt that was answered on the device are withdrawn`() {
        let now = Instant("2026-11-20T09:00:00Z")!
        let calls = ["one", "other"].flatMap { asked in
            [nil, 2, 3].map { call -> Wire.Notification in
                var notification = Wire.Notification(
                    kind: "questionnaire", subjectID: "item",
                    firesAt: now.adding(seconds: Int64(call ?? 1) * 600 - 900), title: "")
                notification.assignmentID = asked
                notification.call = call
                return notification
            }
        }
        let settings = NotificationSettings(questionnaires: true, interventions: true, appointments: true)
        let before = NextNotifications.chosen(from: calls, settings: settings, after: now)
        #expect(before.map(\.call) == [2, 2, 3, 3])
        let after = NextNotifications.chosen(from: calls, settings: settings, answered: ["one"], after: now)
        #expect(after.map(\.call) == [2, 3] && after.allSatisfy { $0.assignmentID == "other" })
    }
}
