import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting
@testable import Records
@testable import Scheduling

/// The states of questionnaires, local × portal, as spec/api.md has them (IO-10, IO-16).
@Suite struct QuestionnaireSyncTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    var assignment: String { portal.cast.assignment }

    func withdraw() {
        #expect(
            portal.call(
                .delete, "/patients/\(portal.cast.therapies[.pia]!)/assignments/\(assignment)", as: .ada
            )
            .status == 204)
    }

    func sheetsThere() throws -> Int {
        portal.call(.get, "/my/contributions", as: .pia).json["meta"]?["total"]?.number.map { Int($0) } ?? -1
    }

    // MARK: Synchronise

    @Test func `what is only on the portal is new, and ready once its questionnaire is loaded`() async throws
    {
        // What has changed and the list arrive, the questionnaire does not.
        phone.line.next(nil, nil, nil, .lost)
        #expect(await phone.sync().outcome != .complete)
        #expect(try phone.states() == [assignment: .new])
        #expect(try phone.store.assignment(assignment)?.isOpen(at: portal.now) == false)
        #expect(await phone.sync().outcome == .complete)
        #expect(try phone.states() == [assignment: .ready])
        #expect(try phone.store.assignment(assignment)?.isOpen(at: portal.now) == true)
    }

    @Test func `what is on both sides stays, and asking costs one request that says so`() async throws {
        await phone.sync()
        let before = try phone.store.assignments()
        let summary = await phone.sync()
        #expect(summary.requests == 1 && summary.unchanged == 1 && summary.outcome == .complete)
        #expect(try phone.store.assignments() == before)
    }

    @Test func `what the portal took back is gone, half-filled answers too`() async throws {
        await phone.sync()
        try phone.store.keepDraft(["came_back": .number(1)], of: assignment)
        withdraw()
        await phone.sync()
        #expect(try phone.states().isEmpty)
        #expect(try phone.store.draft(of: assignment).isEmpty && phone.store.waiting() == 0)
    }

    @Test func `what was filled in before it was taken back is still sent, then dropped`() async throws {
        await phone.sync()
        phone.line.isDown = true
        #expect(try !phone.store.answered().contains(assignment))
        let id = try phone.fillIn(assignment)
        #expect(try phone.store.answered().contains(assignment))
        #expect(await phone.sync().outcome != .complete)
        portal.wait(seconds: 60)
        withdraw()
        phone.line.isDown = false
        // The sheet meets a fault while the list arrives: deleted there, and still waiting here.
        phone.line.next(.answered(500, [:]))
        await phone.sync()
        #expect(try phone.states() == [assignment: .deleted])
        portal.wait(seconds: 3600)
        let summary = await phone.sync()
        #expect(summary.sent == 1 && summary.outcome == .complete)
        #expect(try phone.states().isEmpty && phone.store.sheets().isEmpty)
        // Sent, it is not forgotten.
        #expect(try phone.store.answered().contains(assignment))
        #expect(try phone.store.contributions().map(\.id).contains(id))
    }

    @Test func `a synchronise that fails changes nothing of the step it failed in`() async throws {
        for failing in 0..<7 {
            let phone = try Phone(portal)
            phone.line.next(
                [Line.Fault?](repeating: nil, count: failing) + [.lost])
            #expect(await phone.sync().outcome != .complete)
            // What has changed, assignments, dailies, the questionnaire, contributions, interventions, appointments: what came before is
            // there, what came after is not.
            let expected: [String: LocalAssignment.State] =
                failing < 2 ? [:] : [assignment: failing > 3 ? .ready : .new]
            #expect(try phone.states() == expected)
            #expect(try phone.store.contributions().count == (failing > 4 ? 1 : 0))
            #expect(try phone.store.interventions().count == (failing > 5 ? 1 : 0))
            #expect(await phone.sync().outcome == .complete)
            #expect(try phone.states() == [assignment: .ready])
            #expect(try phone.store.contributions().count == 1 && phone.store.interventions().count == 1)
        }
    }

    // MARK: Open and submit

    @Test func `H5 an answer that was lost is found again, and nothing is there twice`() async throws {
        await phone.sync()
        let id = try phone.fillIn(assignment)
        phone.line.next(.answerLost)
        #expect(await phone.sync(.changed).outcome != .complete)
        #expect(try phone.store.sheets().count == 1 && sheetsThere() == 2)
        let summary = await phone.sync()
        #expect(summary.sent == 1 && summary.refused == 0)
        #expect(try phone.store.sheets().isEmpty && sheetsThere() == 2)
        #expect(try phone.store.contributions().map(\.id).contains(id))
    }

    @Test func `a sheet found in the portal's list counts as sent, also without an answer to it`()
        async throws
    {
        await phone.sync()
        let id = try phone.fillIn(assignment)
        // Sent, the answer lost; on the next run the try itself is lost and held back, the list tells.
        phone.line.next(.answerLost)
        await phone.sync(.changed)
        phone.line.next(.answered(500, [:]))
        await phone.sync()
        #expect(try phone.store.sheets().isEmpty && phone.store.waiting() == 0)
        #expect(try phone.store.contributions().map(\.id).contains(id))
    }

    @Test func `before its time, after it, twice, or with a question left out nothing is submitted`()
        async throws
    {
        await phone.sync()
        let store = phone.store
        #expect(throws: LocalProblem.unknown) {
            try store.submit("nothing", [:], started: phone.now, at: phone.now, zone: Phone.zone)
        }
        let due = try #require(try store.assignment(assignment)).dueAt
        #expect(throws: LocalProblem.closed) {
            try store.submit(
                assignment, [:], started: phone.now, at: due.adding(seconds: 1), zone: Phone.zone)
        }
        let missing = [
            "hard_moment", "dream", "inner_talk", "tried_out", "looked_ahead", "lighter", "heavier",
        ]
        #expect(throws: LocalProblem.incomplete(missing)) {
            try store.submit(
                assignment, ["came_back": .number(1)], started: phone.now, at: phone.now, zone: Phone.zone)
        }
        #expect(try store.waiting() == 0)
        try phone.fillIn(assignment)
        #expect(throws: LocalProblem.alreadyFilledIn) { try phone.fillIn(assignment) }
        #expect(try store.sheets().count == 1)
    }

    @Test func `of two phones that answer the same offline the second keeps its sheet with the reason`()
        async throws
    {
        let other = try Phone(portal)
        await phone.sync()
        await other.sync()
        try phone.fillIn(assignment, with: 1)
        let second = try other.fillIn(assignment, with: 3)
        #expect(await phone.sync(.changed).sent == 1)
        let summary = await other.sync(.changed)
        #expect(summary.sent == 0 && summary.refused == 1 && summary.outcome == .complete)
        let kept = try #require(try other.store.sheets().first)
        #expect(kept.id == second && kept.refusal?.status == 409 && kept.refusal?.message.isEmpty == false)
        #expect(kept.sheet.answers["came_back"] == .number(3))
        #expect(try other.store.contributions().count == 2 && sheetsThere() == 2)
        try other.store.discard(second)
        #expect(try other.store.sheets().isEmpty)
        await other.sync()
        #expect(try other.states().isEmpty)
    }

    // MARK: Half-filled, on several devices

    @Test func `half-filled answers go on on another phone, and of both each question's last stands`()
        async throws
    {
        let other = try Phone(portal)
        await phone.sync()
        try phone.store.openAssignment(assignment, at: portal.now)
        try phone.store.keepDraft(["came_back": .number(1), "dream": .number(0)], of: assignment)
        #expect(await phone.sync(.changed).sent == 2)
        await other.sync()
        #expect(try other.store.draft(of: assignment) == ["came_back": .number(1), "dream": .number(0)])
        // Both go on without hearing of each other.
        try phone.store.keepDraft(
            ["came_back": .number(1), "dream": .number(0), "lighter": .number(3)], of: assignment)
        try other.store.keepDraft(["came_back": .number(4), "dream": .number(0)], of: assignment)
        await phone.sync(.changed)
        #expect(await other.sync(.changed).outcome == .complete)
        let merged: Answers = ["came_back": .number(4), "dream": .number(0), "lighter": .number(3)]
        #expect(try other.store.draft(of: assignment) == merged)
        let there = portal.call(.get, "/my/drafts/\(assignment)", as: .pia).attributes["answers"]
        #expect(there?["came_back"]?.number == 4 && there?["lighter"]?.number == 3)
        let delivery = portal.call(
            .get, "/patients/\(portal.cast.therapies[.pia]!)/deliveries", as: .ada
        ).list.first { $0["id"]?.string == assignment }
        #expect(delivery?["attributes"]?["opened_at"]?.string == portal.now.text)
    }

    // MARK: Contributions

    @Test func `what another phone sent is loaded, and what was erased is gone`() async throws {
        let other = try Phone(portal)
        await other.sync()
        await phone.sync()
        try phone.fillIn(assignment)
        await phone.sync(.changed)
        await other.sync()
        #expect(try other.store.contributions().count == 2)
        let therapy = portal.cast.therapies[.pia]!
        #expect(
            portal.call(.post, "/patients/\(therapy)/pairing/undo", #"{}"#, as: .ada).status == 204)
        #expect(await other.sync().outcome == .complete)
        #expect(try other.store.contributions().isEmpty && other.store.interventions().isEmpty)
    }

    @Test func `sheets beyond one part are read once, and never again`() async throws {
        try await manyDailies(on: phone, days: 80)
        let fresh = try Phone(portal)
        await fresh.sync()
        #expect(try fresh.store.contributions().count == phone.store.contributions().count)
        #expect(try fresh.store.contributions().count > 200)
        let reads = fresh.line.asked().filter { $0.hasPrefix("GET /my/contributions") }
        #expect(reads.count == 2)
        #expect(await fresh.sync().unchanged == 1)
    }

    // MARK: Months offline

    /// Lives offline for days on end, answering every daily that the phone asks.
    func manyDailies(on phone: Phone, days: Int) async throws {
        try portal.publish("intersession-daily")
        await phone.sync()
        phone.line.isDown = true
        for _ in 0..<days {
            try portal.wait(awake: 1)
            for daily in try phone.store.assignments() where daily.source == "daily" {
                guard daily.availableFrom <= portal.now, !daily.isFilledIn, daily.state == .ready else {
                    continue
                }
                let at = daily.availableFrom.adding(seconds: 60)
                try phone.store.submit(
                    daily.id, ["thought": .number(0)], started: at, at: at, zone: Phone.zone)
            }
            // The day's are answered; unanswered ones would be dropped now.
            try phone.store.planDailies(zone: Phone.zone, at: portal.now, seed: 1)
        }
        phone.line.isDown = false
        while await phone.sync().outcome != .complete { portal.wait(seconds: 60) }
    }

    @Test func `H4 half a year offline: 500 sheets arrive once, in their order, with both times`()
        async throws
    {
        let limited = try TestPortal { $0.requestsPerMinute = 300 }
        let tests = QuestionnaireSyncTests(limited, try Phone(limited))
        try await tests.manyDailies(on: tests.phone, days: 170)
        let all = try tests.phone.store.contributions()
        #expect(all.count > 500 && Set(all.map(\.id)).count == all.count)
        #expect(try tests.phone.store.sheets().isEmpty && tests.phone.store.waiting() == 0)
        let dailies = all.filter { $0.attributes.questionnaireKey == "intersession-daily" }.reversed()
        let pairs = zip(dailies, dailies.dropFirst())
        #expect(
            pairs.allSatisfy {
                $0.attributes.completedAt < $1.attributes.completedAt
                    && $0.attributes.receivedAt <= $1.attributes.receivedAt
            })
        #expect(
            dailies.first.map { $0.attributes.completedAt < $0.attributes.receivedAt.adding(days: -150) }
                == true)
        let total = limited.call(.get, "/my/contributions?limit=1", as: .pia).json["meta"]?["total"]?.number
            .map { Int($0) }
        #expect(total == all.count)
    }

    @Test func `a phone plans on from where the portal's plan ends, and makes way for the next plan`()
        async throws
    {
        try portal.publish("intersession-daily")
        #expect(await phone.sync().outcome == .complete)
        let planned = try phone.store.assignments().filter { $0.source == "daily" }
        #expect(planned.allSatisfy { $0.state == .ready && !$0.isOwn } && planned.count >= 21)
        try portal.wait(awake: 10)
        try phone.store.planDailies(zone: Phone.zone, at: portal.now, seed: 1)
        let own = try phone.store.assignments().filter(\.isOwn)
        #expect(own.count >= 21 && own.allSatisfy { $0.availableFrom > portal.now && $0.state == .ready })
        let end = try #require(planned.last).dueAt
        #expect(own.allSatisfy { $0.availableFrom > end })
        // Asking again plans nothing anew.
        try phone.store.planDailies(zone: Phone.zone, at: portal.now, seed: 2)
        #expect(try phone.store.assignments().filter(\.isOwn) == own)
        await phone.sync()
        #expect(try phone.store.assignments().filter(\.isOwn).isEmpty)
        #expect(try phone.store.assignments().filter { $0.source == "daily" }.count >= 21)
    }

    @Test(arguments: [false, true])
    func `dailies that are switched off are not planned by the phone either`(whileOneIsOpen: Bool)
        async throws
    {
        try portal.publish("intersession-daily")
        await phone.sync()
        let planned = try phone.store.assignments().filter { $0.source == "daily" }
        let first = try #require(planned.map(\.availableFrom).min())
        if whileOneIsOpen { portal.wait(seconds: (first.milliseconds - portal.now.milliseconds) / 1000) }
        // After half an hour without a request the session ends.
        try portal.wait(awake: 0)
        let path = "/patients/\(portal.cast.therapies[.pia]!)/dailies"
        let off = portal.post(path, [("dailies", "false")], as: .ada)
        #expect(off.status == 303 && off.headers["Location"]?.hasPrefix("/patients/") == true)
        #expect(await phone.sync().outcome == .complete)
        let left = try phone.store.assignments().filter { $0.source == "daily" && !$0.isOwn }
        #expect(left.allSatisfy { $0.availableFrom == portal.now } && (!whileOneIsOpen || left.count == 1))
        try portal.wait(awake: 20)
        try phone.store.planDailies(zone: Phone.zone, at: portal.now, seed: 1)
        #expect(try phone.store.assignments().filter(\.isOwn).isEmpty)
    }

    @Test func `days of a holiday that the portal leaves out are not planned by the phone either`()
        async throws
    {
        try portal.publish("intersession-daily")
        let day = { LocalTime(portal.now, Phone.zone).date.adding(days: $0).text }
        let path = "/patients/\(portal.cast.therapies[.pia]!)/pauses"
        let body = #"{"starts_on": "\#(day(5))", "ends_on": "\#(day(7))"}"#
        #expect(portal.call(.post, path, body, as: .ada).status == 201)
        await phone.sync()
        let planned = try phone.store.assignments().filter { $0.source == "daily" }
        #expect(planned.count >= 12 && planned.allSatisfy { !$0.isOwn })
        // A day on, and without a network: what comes after the holiday is asked, and nothing in it.
        try portal.wait(awake: 1)
        try phone.store.planDailies(zone: Phone.zone, at: portal.now, seed: 1)
        let own = try phone.store.assignments().filter(\.isOwn)
        #expect(own.count == 3)
        #expect(own.allSatisfy { LocalTime($0.availableFrom, Phone.zone).date.text == day(7) })
    }

    private init(_ portal: TestPortal, _ phone: Phone) { (self.portal, self.phone) = (portal, phone) }
}
