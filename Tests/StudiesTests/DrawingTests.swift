import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Studies
@testable import Web

/// What was drawn stays drawn: a version of drawing counts from a moment on (RP-122, RP-125).
@Suite struct DrawingTests {
    let portal: TestPortal
    let desk: StudyDesk
    let study: String

    init() throws {
        portal = try TestPortal()
        desk = StudyDesk(portal: portal)
        study = desk.begin()
        try portal.publish("wellbeing-5")
    }

    func wait(until moment: String) throws {
        let at = try #require(Instant(moment))
        portal.wait(seconds: at.seconds - portal.now.seconds)
        try portal.wait(awake: 0)
    }

    /// A portal of the release before, as far as drawing goes.
    func beAsBefore() throws {
        let later = portal.now.adding(days: 10_000)
        try portal.services.records.writeUnaudited(.madeUp) {
            try $0.run("DELETE FROM prompt_drawings")
            try $0.run("INSERT INTO prompt_drawings (version, since) VALUES (2, \(later))")
        }
    }

    /// The start of this release.
    func start() throws {
        try portal.services.records.writeUnaudited(.madeUp) { try $0.run("DELETE FROM prompt_drawings") }
        try DrawingVersions.begin(portal.services.records, at: portal.now)
    }

    func asked(_ from: String, _ till: String, _ amount: Int) -> String {
        let item = desk.add(
            "wellbeing-5", to: study,
            """
            , "is_schedule_changeable": true, "schedules": [{"type": "between", "amount": \(amount), "every": 1,
            "unit": "day", "start": "\(from)", "end": "\(till)", "start_day": 0}]
            """)
        #expect(desk.enrol(.nora, in: study).status == 201)
        return item
    }

    /// Nora's questionnaire and all that decides its prompts.
    func drawn() throws -> (item: StudyItem, prompts: ParticipantPrompts) {
        let id = try #require(ID<Study>(uuid: study))
        return try portal.services.records.read { connection in
            let record = try #require(try StudyStore.find(id, connection))
            let enrolment = try #require(try EnrolmentStore.consenting(in: id, connection).first)
            let all = try StudyPrompts(record, connection)
            return (try #require(all.items.first), try all.of(enrolment, connection))
        }
    }

    /// Moments and ids until a moment.
    func told(until moment: Instant) throws -> [String] {
        let (item, prompts) = try drawn()
        return prompts.prompts(of: item, until: moment).map {
            "\($0.at.text) \(PromptMatch.id($0.at, of: item, as: prompts.enrolment))"
        }
    }

    func counts() -> [JSON?] {
        let row = portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]
        return [row?["prompted"], row?["answered"]]
    }

    /// Answers what is open by its name.
    func answerAll() -> Int {
        let open = portal.call(.get, "/my/assignments", as: .nora).list.filter {
            let from = $0["attributes"]?["available_from"]?.string.flatMap { Instant($0) }
            return $0["attributes"]?["source"]?.string == "study" && from.map { $0 <= portal.now } ?? false
        }.compactMap { $0["id"]?.string }
        for id in open {
            #expect(desk.answer("wellbeing-5", in: study, as: .nora, assignment: id).status == 201)
        }
        return open.count
    }

    func move(_ item: String, from: String, till: String, amount: Int) {
        let windows = (1...7).map { #"{"weekday": \#($0), "from": "\#(from)", "till": "\#(till)"}"# }
        let body =
            #"{"option": "standard", "amount": \#(amount), "windows": [\#(windows.joined(separator: ", "))]}"#
        let moved = portal.call(.put, "/my/questionnaires/\(item)/notification-plan", body, as: .nora)
        #expect(moved.status == 200, "\(moved.text)")
    }

    @Test
    func `RP-122 answers of the night before the version stay, with their ids, and later nights are new`()
        throws
    {
        try wait(until: "2027-03-26T12:00:00Z")
        _ = asked("01:00", "05:00", 8)
        try beAsBefore()
        try wait(until: "2027-03-28T12:00:00Z")
        let night = try told(until: portal.now).filter { $0.hasPrefix("2027-03-28") }
        #expect(answerAll() == night.count)
        let before = (ids: try told(until: portal.now.adding(seconds: 36 * 3600)), counts: counts())
        try start()
        #expect(try told(until: portal.now.adding(seconds: 36 * 3600)) == before.ids)
        #expect(counts() == before.counts && answerAll() == 0)
        // The next spring all eight come, a quarter of an hour apart.
        try wait(until: "2028-03-26T12:00:00Z")
        let (item, prompts) = try drawn()
        let spring = prompts.prompts(
            of: item, since: Instant("2028-03-25T23:00:00Z"), until: portal.now)
        #expect(spring.count == 8)
        #expect(zip(spring, spring.dropFirst()).allSatisfy { $1.at.seconds - $0.at.seconds >= 900 })
        #expect(answerAll() == 8)
        #expect(try Array(told(until: portal.now).prefix(before.ids.count)) == before.ids)
    }

    @Test func `RP-125 a day on which own times are moved keeps its number, whatever was moved`() throws {
        let item = asked("09:00", "21:00", 5)
        try wait(until: "2026-11-23T14:00:00Z")
        let first = try told(until: portal.now)
        _ = answerAll()
        // All five of these lie ahead.
        move(item, from: "15:05", till: "22:00", amount: 5)
        let second = try told(until: portal.now.adding(seconds: 3 * 3600))
        try wait(until: "2026-11-23T17:00:00Z")
        _ = answerAll()
        move(item, from: "18:05", till: "22:00", amount: 5)
        try wait(until: "2026-11-23T22:30:00Z")
        let told = try told(until: portal.now)
        #expect(told.prefix(first.count) == first[...] && told.prefix(second.count) == second[...])
        let day = try drawn()
        let asked = day.prompts.prompts(of: day.item, until: portal.now).filter {
            $0.day.text == "2026-11-23"
        }
        #expect(asked.count == 5)
    }

    @Test func `RP-125 what was asked on a day that was moved before stays answered`() throws {
        try beAsBefore()
        let item = asked("09:00", "21:00", 5)
        try wait(until: "2026-11-23T14:00:00Z")
        move(item, from: "15:05", till: "22:00", amount: 5)
        try wait(until: "2026-11-23T22:30:00Z")
        let number = answerAll()
        let before = (ids: try told(until: portal.now.adding(seconds: 24 * 3600)), counts: counts())
        try start()
        #expect(try told(until: portal.now.adding(seconds: 24 * 3600)) == before.ids)
        #expect(counts() == before.counts && number > 5)
    }

    /// Moves at all hours, twice a day, over some years.
    func expectMoves(_ names: [String], _ days: Int, every step: Int) throws {
        _ = asked("09:00", "21:00", 5)
        let (item, prompts) = try drawn()
        let begin = try #require(prompts.enrolment.enrolledAt)
        var chance = SplitMix64(11)
        for name in names {
            let zones = ParticipantZones(Zone(name))
            let moves = stride(from: 2, to: days, by: step).flatMap { day -> [Instant] in
                let first = chance.number(below: 20 * 3600)
                let second = first + 1 + chance.number(below: 12 * 3600)
                return [first, second].map { begin.adding(seconds: Int64(day * 86_400 + $0)) }
            }
            let own = moves.enumerated().map { index, at in
                let from = ClockTime(minutes: 360 + chance.number(below: 480))
                let windows = (1...7).map {
                    NotificationTimes.Window(
                        weekday: $0, isEnabled: true, from: from, till: ClockTime(minutes: from.minutes + 480)
                    )
                }
                return OwnPlan(
                    since: at,
                    times: NotificationTimes(option: .standard, amount: 5, windows: windows, times: []))
            }
            let draw = { (since: Instant?) -> [Prompt] in
                item.prompts(
                    of: prompts.enrolment, prompts.all.runs, zones, own: own, since: since,
                    until: begin.adding(days: Int64(days)))
            }
            let all = draw(nil)
            for (day, asked) in Dictionary(grouping: all, by: \.day) {
                #expect(asked.count <= 5, "\(name) \(day.text)")
                let gaps = zip(asked, asked.dropFirst()).map { $1.at.seconds - $0.at.seconds }
                #expect(gaps.allSatisfy { $0 >= 900 }, "\(name) \(day.text)")
            }
            // From wherever one looks, they are the same.
            for move in moves.prefix(6) {
                #expect(draw(move).map(\.at) == all.map(\.at).filter { $0 >= move })
            }
        }
    }

    @Test func `RP-125 number and least gap of days that are moved, from wherever one looks`() throws {
        try expectMoves(["Europe/Vienna", "America/New_York"], 120, every: 3)
    }
}

@Suite struct DrawingSlowTests {
    @Test func `RP-125 number and least gap of days that are moved, over ten years`() throws {
        try DrawingTests().expectMoves(
            ["Europe/Vienna", "America/New_York", "Australia/Lord_Howe"], 3650, every: 5)
    }
}
