import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Database
@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// PW-8, A7: everything that is due is sent, once, whatever happens to the server meanwhile.
@Suite struct PushQueueTests {
    let called: CalledPortal
    var portal: TestPortal { called.portal }
    var relay: FakeRelay { called.relay }

    init() throws { called = try CalledPortal() }

    @Test func `PW-8 an assignment whose window began before it was made is called of once`() throws {
        called.subscribe(.pia)
        var round = try called.round()
        try called.send(&round)
        portal.wait(seconds: 300)
        try called.send(&round)
        let id = called.assign(from: -60, for: 2 * 86_400)
        let old = called.assign(from: -30 * 86_400, for: 32 * 86_400)
        portal.wait(seconds: 15)
        try called.send(&round)
        #expect(relay.messages.count == 2)
        #expect(called.pushed(id) != .null && called.pushed(old) != .null)
        for _ in 0..<3 {
            portal.wait(seconds: 15)
            try called.send(&round)
            // As after a start.
            try called.send()
        }
        #expect(relay.messages.count == 2)
    }

    @Test func `A7 what is under way is not sent again, however far the clock steps`() throws {
        called.subscribe(.pia)
        relay.behaves(.holds)
        let id = called.assign()
        portal.wait(seconds: 1)
        var round = try called.round()
        for _ in 0..<5 { #expect(try round.go(takes: true)) }
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 40)
        for _ in 0..<5 { #expect(try round.go(takes: true)) }
        #expect(relay.messages.count == 1)
        for _ in 0..<3 { relay.letGo() }
        try called.send(&round)
        let isBusy = round.isBusy
        #expect(!isBusy && relay.messages.count == 1)
        #expect(called.pushed(id) != .null)
    }

    @Test func `A7 what a relay took is noted as soon as the disk lets it, and not sent again`() throws {
        called.subscribe(.pia)
        let id = called.assign()
        portal.wait(seconds: 1)
        try called.portal.refuse("UPDATE OF accepted_at", on: "push_messages")
        var round = try called.round()
        #expect(throws: (any Error).self) { try called.send(&round) }
        var isBusy = round.isBusy
        #expect(relay.messages.count == 1 && isBusy)
        portal.wait(seconds: 40)
        #expect(throws: (any Error).self) { try called.send(&round) }
        #expect(throws: (any Error).self) { _ = try round.go(takes: false) }
        #expect(relay.messages.count == 1)
        try called.portal.dropTrigger(on: "push_messages")
        try called.send(&round)
        isBusy = round.isBusy
        #expect(!isBusy && relay.messages.count == 1)
        #expect(called.pushed(id) == .string(portal.now.text))
    }

    @Test func `PW-8 somebody whose plan cannot be made stops nobody else's reminders`() throws {
        let (_, item) = try called.begin(.nora, .quinn)
        for person in [Person.nora, .quinn, .pia] { called.subscribe(person) }
        // Before it breaks one of hers is in the queue.
        try called.send()
        let nora = portal.cast.accounts[.nora]!
        let broken: SQL = """
            INSERT INTO notification_plans (enrolment_id, item_id, since, plan)
            SELECT enrolments.id, \(item), \(portal.now), '{' FROM enrolments JOIN study_questionnaires
            ON study_questionnaires.study_id = enrolments.study_id AND study_questionnaires.id = \(item)
            WHERE account_id = \(nora)
            """
        try called.run(broken)
        portal.wait(seconds: 4 * 3600 - 30)
        try portal.wait(awake: 0)
        called.assign(from: 30)
        portal.wait(seconds: 35)
        var round = try called.round()
        try called.send(&round)
        #expect(Set(relay.messages.map(\.path)) == ["/quinn", "/pia"])
        #expect(portal.logged.contains { $0.contains("push plan failed") })
        // Mended within its window it is sent yet.
        try called.run("DELETE FROM notification_plans WHERE plan = '{'")
        portal.wait(seconds: 400)
        try called.send(&round)
        #expect(relay.messages.map(\.path).sorted() == ["/nora", "/pia", "/quinn"])
    }
}
