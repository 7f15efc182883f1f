import Foundation
import HTTP
import Synchronization
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting

/// When the engine runs, and when it waits.
@Suite struct SyncEngineTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    @Test func `there are never two runs at once, and who comes meanwhile gets the same run`() async throws {
        await phone.sync()
        _ = phone.line.asked()
        let summaries = await withTaskGroup(of: SyncEngine.Summary.self) { group in
            for _ in 0..<20 { group.addTask { await phone.sync(.periodic) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(summaries.count == 20 && Set(summaries.map(\.requests)) == [1])
        #expect(phone.line.mostActive == 1)
        #expect(phone.line.asked().count < 20)
    }

    @Test func `what is changed during a run is seen by the next, which follows at once`() async throws {
        await phone.sync()
        let store = phone.store
        let engine = phone.engine
        let once = Once()
        let change = Seen()
        let intervention = portal.cast.intervention
        let now = portal.now
        // The run has passed the sending already when the change comes.
        phone.line.during { path in
            guard path.contains("/my/changes"), once.isFirst else { return }
            try? store.openIntervention(intervention, at: now)
            change.task = Task { await engine.synchronise(.changed) }
        }
        #expect(await phone.sync().sent == 0)
        #expect(await change.task?.value.sent == 1)
        #expect(try phone.store.waiting() == 0)
    }

    private final class Seen: Sendable {
        private let held = Mutex<Task<SyncEngine.Summary, Never>?>(nil)
        var task: Task<SyncEngine.Summary, Never>? {
            get { held.withLock { $0 } }
            set { held.withLock { $0 = newValue } }
        }
    }

    @Test func `after a failure the clock of the app waits, ever longer, and a person does not`() async throws
    {
        phone.line.isDown = true
        var waits: [Int64] = []
        for _ in 0..<4 {
            await phone.sync(.asked)
            guard case .waiting(let until) = await phone.sync(.periodic).outcome else {
                Issue.record("it did not wait")
                return
            }
            waits.append(until.seconds - portal.now.seconds)
        }
        // Five seconds doubled, three quarters of it.
        #expect(waits == [4, 8, 15, 30])
        phone.line.isDown = false
        // A phone that is switched off and on again waits on.
        let again = try SyncEngine(
            phone.client, phone.store, zone: { Phone.zone }, now: { [portal] in portal.now })
        guard case .waiting = await again.synchronise(.changed).outcome else {
            Issue.record("it forgot to wait")
            return
        }
        portal.wait(seconds: 30)
        #expect(await phone.sync(.periodic).outcome == .complete)
        #expect(await phone.sync(.periodic).outcome == .complete)
    }

    @Test func `where the portal says how long to wait, everybody waits`() async throws {
        phone.line.next(.answered(429, ["Retry-After": "40"]))
        #expect(await phone.sync(.asked).outcome != .complete)
        _ = phone.line.asked()
        #expect(await phone.sync(.asked).outcome == .waiting(until: portal.now.adding(seconds: 40)))
        #expect(phone.line.asked().isEmpty)
        portal.wait(seconds: 40)
        #expect(await phone.sync(.asked).outcome == .complete)
    }

    @Test func `a dead token loses nothing: signed in again, everything is sent`() async throws {
        await phone.sync()
        let token = phone.tokens.token
        phone.tokens.keep("dead")
        try phone.store.openIntervention(portal.cast.intervention, at: portal.now)
        #expect(await phone.sync(.changed).outcome == .signInNeeded)
        #expect(try phone.store.waiting() == 1)
        phone.tokens.keep(token)
        #expect(await phone.sync(.changed).sent == 1)
    }

    @Test func `one thing that meets a fault does not hold up the others`() async throws {
        await phone.sync()
        try phone.store.openIntervention(portal.cast.intervention, at: portal.now)
        let start = portal.now.adding(days: 1)
        try phone.store.keepAppointment(
            nil,
            Appointment(title: "Sitzung", startsAt: start, endsAt: start.adding(seconds: 3000), comment: nil))
        phone.line.next(.answered(500, [:]))
        let summary = await phone.sync(.changed)
        #expect(summary.sent == 1 && summary.outcome != .complete)
        #expect(try phone.store.waiting() == 1)
        portal.wait(seconds: 60)
        #expect(await phone.sync().sent == 1)
    }

    @Test func `another language brings other words, once`() async throws {
        await phone.sync()
        let german = try phone.store.assignments().first?.title
        await phone.engine.use(.english)
        await phone.sync()
        #expect(try phone.store.assignments().first?.title != german)
        let id = try phone.store.assignments().first?.questionnaireID ?? ""
        #expect(try phone.store.questionnaire(id)?.title == phone.store.assignments().first?.title)
        #expect(await phone.sync().unchanged == 1)
    }

    @Test func `a therapy that has ended leaves what was sent, and asks nothing more`() async throws {
        try portal.publish("intersession-daily")
        await phone.sync()
        let therapy = portal.cast.therapies[.pia]!
        #expect(portal.call(.post, "/patients/\(therapy)/therapy/end", "{}", as: .ada).status == 200)
        #expect(await phone.sync().outcome == .complete)
        #expect(try phone.store.assignments().isEmpty && phone.store.interventions().isEmpty)
        #expect(try phone.store.contributions().count == 1)
        #expect(await phone.sync().outcome == .complete)
    }

    @Test func `waits double up to a quarter of an hour, half of each by chance`() {
        #expect(BackOff.delay(after: 1, chance: 0) == 2.5 && BackOff.delay(after: 1, chance: 1) == 5)
        #expect(BackOff.delay(after: 4, chance: 1) == 40)
        #expect(BackOff.delay(after: 1000, chance: 1) == 900)
        let last = Instant(milliseconds: 0)
        #expect(SyncSchedule.next(after: last, isShown: true, notBefore: last).seconds == 60)
        #expect(SyncSchedule.next(after: last, isShown: false, notBefore: last).seconds == 900)
        #expect(
            SyncSchedule.next(after: last, isShown: true, notBefore: last.adding(days: 1)).seconds == 86_400)
    }
}
