import Database
import Foundation
import HTTP
import JSON
import Scheduling
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// RP-103: until when something can be answered is one moment, over ten years in six zones: what lists say, until when sheets are
/// taken, how long messages live, and from when on exports count it as missed.
struct UntilWhen {
    static let zones = [
        "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago",
        "Pacific/Auckland",
    ]

    private let called: CalledPortal
    private let desk: StudyDesk
    private var portal: TestPortal { called.portal }
    private let name: String
    private let zone: Zone

    init(in zone: String) throws {
        self.name = zone
        self.zone = Zone(zone)
        called = try CalledPortal()
        desk = StudyDesk(portal: called.portal)
        try called.portal.publish("wellbeing-5")
        called.subscribe(.nora)
        #expect(
            portal.call(.patch, "/my/profile", #"{"timezone": "\#(zone)"}"#, as: .nora).status == 200)
        // A zone counts from the second day on.
        try wait(until: portal.now.adding(days: 3))
    }

    private func wait(until moment: Instant) throws {
        portal.wait(seconds: moment.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    private func told(_ study: String) -> [JSON] {
        let ids = Set(
            portal.call(.get, "/my/questionnaires", as: .nora).list.filter {
                $0["attributes"]?["study_id"]?.string == study
            }.compactMap { $0["attributes"]?["questionnaire_id"]?.string })
        return portal.call(.get, "/my/assignments", as: .nora).list.filter {
            ids.contains($0["attributes"]?["questionnaire_id"]?.string ?? "")
        }
    }

    private func moment(_ asked: JSON, _ field: String) throws -> Instant {
        try #require(Instant(asked["attributes"]?[field]?.string ?? ""))
    }

    private func messages(of asked: JSON) throws -> [(due: Instant, expires: Instant)] {
        let id = asked["id"]?.string ?? ""
        return try portal.services.records.read { connection in
            try connection.all(
                """
                SELECT due_at, expires_at FROM push_messages WHERE subject = \(id) OR subject LIKE \(id + "/%")
                ORDER BY due_at
                """
            ) { row in (due: try row[0], expires: try row[1]) }
        }
    }

    /// When a phone is told to call of it.
    private func toldCalls(_ asked: JSON) -> [Instant] {
        portal.call(.get, "/my/notifications", as: .nora).list.filter {
            $0["attributes"]?["assignment_id"] == asked["id"]
        }.compactMap { Instant($0["attributes"]?["fires_at"]?.string ?? "") }
    }

    private func missed(_ study: String, _ prompt: Instant) throws -> Bool {
        try (desk.export(study, "json")["occasions"]?.array ?? []).contains {
            $0["prompted_at"]?.string == prompt.text && $0["completed_at"]?.string == nil
        }
    }

    private func send(_ asked: JSON, completed: Instant) -> Response {
        portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"assignment_id": "\(asked["id"]?.string ?? "")", "started_at": "\(completed.text)",
             "completed_at": "\(completed.text)", "timezone": "\(name)", "answers": \(StudyDesk.wellbeing)}
            """, as: .nora)
    }

    /// A study of one prompt that comes within the next day, and ends with its day or before it.
    mutating func look(_ step: Int, _ chance: inout SplitMix64) throws {
        // Half of the days are near one on which the clocks change.
        let day = 1 + Int64(chance.number(below: 140))
        try wait(until: portal.now.adding(days: day))
        if step.isMultiple(of: 2), let change = nextChange() { try wait(until: change.adding(days: -1)) }
        let title = "until-\(step)"
        let study = desk.begin(named: title)
        let hour = 8 + chance.number(below: 12)
        let clock = "\(hour < 10 ? "0" : "")\(hour):\(["00", "15", "47"][chance.number(below: 3)])"
        let end = "\(hour + 2 < 10 ? "0" : "")\(hour + 2):30"
        let grace = [nil, 0, 45][chance.number(below: 3)] as Int64?
        let plain =
            chance.number(below: 2) == 0
            ? StudyDesk.daily(clock, startDay: 1)
            : #", "schedules": [{"type": "between", "start": "\#(clock)", "end": "\#(end)", "amount": 1, "every": 1, "unit": "day", "start_day": 1}]"#
        // The second call of a late prompt would come after its day.
        let repeats = [[], [25], [25, 131]][chance.number(below: 3)] as [Int64]
        let field =
            (grace.map { #""late_grace_minutes": \#($0), "# } ?? "")
            + (repeats.isEmpty ? "" : #""repeat_after_minutes": \#(repeats), "#)
        _ = desk.add("wellbeing-5", to: study, plain.replacing(#""unit""#, with: field + #""unit""#))
        #expect(desk.enrol(.nora, in: study).status == 201)
        // Within the prompt's day, or after it.
        let noon = portal.now.adding(days: 1)
        let tomorrow = LocalTime(noon, zone).date
        let ends = zone.instant(tomorrow, hour: 22, minute: 40).adding(
            seconds: Int64(chance.number(below: 3 * 3600)))
        let midnight = zone.instant(tomorrow.adding(days: 1), hour: 0, minute: 0)
        let changed = portal.change(.patch, "/studies/\(study)", #"{"ends_at": "\#(ends.text)"}"#, as: .lena)
        #expect(changed.status == 200, "\(changed.text)")
        try wait(until: zone.instant(tomorrow, hour: 22, minute: 31))

        let asked = try #require(told(study).first, "\(title) \(name) \(portal.now.text)")
        let prompt = try moment(asked, "available_from")
        let due = try moment(asked, "due_at")
        let place = "\(title) \(name): asked at \(prompt.text), told until \(due.text)"
        #expect(due <= ends && LocalTime(due, zone).date == tomorrow && prompt <= due, "\(place)")
        try called.send()
        let lives = try messages(of: asked)
        let calls = [prompt] + repeats.map { prompt.adding(seconds: $0 * 60) }.filter { $0 < due }
        #expect(lives.map(\.due) == calls, "\(place), called at \(lives.map(\.due.text))")
        // Each lives until the next one takes its place, and none longer than the prompt.
        #expect(
            lives.map(\.expires) == calls.dropFirst() + [due],
            "\(place), pushed until \(lives.map(\.expires.text))")
        #expect(
            toldCalls(asked).filter { $0 > portal.now } == calls.filter { $0 > portal.now },
            "\(place): \(toldCalls(asked).map(\.text))")
        #expect(try !missed(study, prompt), "\(place): missed too early")
        if chance.number(below: 3) == 0 { return try answerAtOnce(asked, place) }
        // The study's last second is not one in which it runs, though what is completed in it is taken.
        try wait(until: due == ends ? due.adding(seconds: -1) : due)
        #expect(told(study).contains { $0["id"] == asked["id"] }, "\(place): not listed at its end")
        if chance.number(below: 2) == 0 {
            // Sent later, as from a device without a network.
            let last = grace.map { midnight.adding(seconds: $0 * 60 - 1) }
            let isLate = last != nil && chance.number(below: 2) == 0
            try wait(until: last?.adding(seconds: isLate ? 1 : 0) ?? due.adding(days: 1))
            let sent = send(asked, completed: due)
            #expect(sent.status == (isLate ? 422 : 201), "\(place), grace \(grace ?? -1): \(sent.text)")
            #expect(try missed(study, prompt) == isLate, "\(place): answered and missed, or neither")
            try called.send()
            #expect(toldCalls(asked).isEmpty, "\(place): called after its end")
            let held = portal.call(.get, "/studies/\(study)/quarantine", as: .lena).list
            #expect(held.count == (isLate ? 1 : 0), "\(place): \(held.count) held")
        } else {
            try wait(until: due.adding(seconds: 1))
            #expect(!told(study).contains { $0["id"] == asked["id"] }, "\(place): listed after its end")
            #expect(try missed(study, prompt), "\(place): not missed")
            // What devices held longer than the study lasted is taken until the end of the day (`takenUntil`).
            if ends > due {
                #expect(send(asked, completed: portal.now).status == 422, "\(place)")
            }
        }
    }

    /// Once it is answered nothing calls of it any more, whatever waits in the queue.
    private func answerAtOnce(_ asked: JSON, _ place: String) throws {
        let due = try moment(asked, "due_at")
        let sent = send(asked, completed: portal.now)
        #expect(sent.status == 201, "\(place): \(sent.text)")
        #expect(toldCalls(asked).isEmpty, "\(place): called after its answer")
        let before = called.relay.messages.count
        for call in try messages(of: asked).map(\.due) where call > portal.now && call < due {
            try wait(until: call)
            try called.send()
        }
        #expect(called.relay.messages.count == before, "\(place): pushed after its answer")
        #expect(try messages(of: asked).allSatisfy { $0.due <= portal.now }, "\(place): still in the queue")
    }

    /// The next change of the clocks within half a year.
    private func nextChange() -> Instant? {
        let offset = { (moment: Instant) in zone.offset(at: moment) }
        let days = (1..<183 as Range<Int64>).map { portal.now.adding(days: $0) }
        return zip(days, days.dropFirst()).first { offset($0) != offset($1) }?.0
    }
}

@Suite struct UntilWhenPropertyTests {
    @Test(arguments: UntilWhen.zones)
    func `RP-103 property: what is said, taken, pushed and counted as missed agrees`(_ zone: String) throws {
        var until = try UntilWhen(in: zone)
        var chance = SplitMix64(UInt64(zone.utf8.count))
        for step in 0..<4 { try until.look(step, &chance) }
    }
}

@Suite struct UntilWhenSlowTests {
    @Test(arguments: UntilWhen.zones)
    func `RP-103 property: what is said, taken, pushed and counted as missed agrees, over ten years`(
        _ zone: String
    ) throws {
        var until = try UntilWhen(in: zone)
        let seed = UInt64.random(in: 0..<1_000_000)
        print("UntilWhenSlowTests \(zone): seed \(seed)")
        var chance = SplitMix64(seed)
        for step in 0..<50 { try until.look(step, &chance) }
    }
}
