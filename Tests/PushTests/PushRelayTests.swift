import Foundation
import HTTP
import JSON
import NetworkTesting
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// PW-8, A7: relays that misbehave, and what they do to each other's messages.
@Suite struct PushRelayTests {
    let called: CalledPortal
    var portal: TestPortal { called.portal }
    var relay: FakeRelay { called.relay }

    init() throws { called = try CalledPortal() }

    private static let created = "HTTP/1.1 201 Created\r\n"
    private static let long = String(repeating: "a", count: 9000)

    /// A relay has said yes in the first line; what it says after that is its own affair.
    @Test(arguments: [
        FakeRelay.Behaviour.answers(created + "Content-Length: 9000\r\n\r\n" + long),
        .answers(created + "\r\n" + long),
        .answers(created + "X-Long: " + long + long + "\r\n\r\n"),
        .answers(created + "Content-Length: 90\r\nTransfer-Encoding: chunked\r\n\r\nno chunk"),
        .drips(created + "Content-Length: 9000\r\n\r\n"),
    ])
    func `A7 a relay that took a message and says too much about it is not sent it again`(
        _ behaviour: FakeRelay.Behaviour
    ) throws {
        called.subscribe(.pia)
        relay.behaves(behaviour)
        let id = called.assign()
        portal.wait(seconds: 1)
        try called.send(milliseconds: 500)
        portal.wait(seconds: 60)
        try called.send(milliseconds: 500)
        #expect(relay.messages.count == 1)
        #expect(called.pushed(id) != .null)
    }

    @Test func `PW-8 a refusal counts however long it is`() throws {
        called.subscribe(.pia)
        let long = "Content-Length: 9000\r\n\r\n" + Self.long
        relay.behaves(.answers("HTTP/1.1 429 Too Many Requests\r\nRetry-After: 120\r\n" + long))
        called.assign()
        portal.wait(seconds: 1)
        try called.send()
        portal.wait(seconds: 100)
        try called.send()
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 21)
        relay.behaves(.answers("HTTP/1.1 410 Gone\r\n" + long))
        try called.send()
        #expect(relay.messages.count == 2)
        called.assign()
        portal.wait(seconds: 100)
        try called.send()
        #expect(relay.messages.count == 2)
    }

    @Test(arguments: [FakeRelay.Behaviour.resets, .hangsUp, .drips("HTTP/1.1 20")])
    func `A7 a relay that breaks off before it has said anything is tried again`(
        _ behaviour: FakeRelay.Behaviour
    ) throws {
        called.subscribe(.pia)
        relay.behaves(behaviour)
        let id = called.assign()
        portal.wait(seconds: 1)
        try called.send(milliseconds: 500)
        let count = relay.messages.count
        #expect(count == 1 && called.pushed(id) == .null)
        relay.answers("201 Created")
        portal.wait(seconds: 60)
        try called.send()
        try called.send()
        #expect(relay.messages.count == count + 1 && called.pushed(id) != .null)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A7 a relay that leads inward is not followed, and not asked again`(_ status: Int) throws {
        let inside = try LocalServer(LocalServer.answering(FakeRelay.created))
        defer { inside.stop() }
        called.subscribe(.pia)
        relay.answers("\(status) Elsewhere", "Location: http://127.0.0.1:\(inside.port)/inside\r\n")
        let id = called.assign()
        portal.wait(seconds: 1)
        try called.send()
        portal.wait(seconds: 60)
        try called.send()
        #expect(relay.messages.count == 1 && inside.connections == 0)
        #expect(called.pushed(id) == .null)
    }

    // MARK: Rest

    /// - Parameter isDate: RFC 9110, 10.2.3, knows two forms.
    @Test(arguments: [true, false])
    func `PW-8 a relay that says for how long it is closed is left alone by every message`(
        _ isDate: Bool
    ) throws {
        called.subscribe(.pia)
        called.subscribe(.quinn)
        called.assign()
        portal.wait(seconds: 1)
        // 120 seconds from then.
        relay.answers(
            "503 Service Unavailable",
            "Retry-After: \(isDate ? "Fri, 20 Nov 2026 09:02:01 GMT" : "120")\r\n")
        try called.send()
        #expect(relay.messages.count == 1)
        relay.answers("201 Created")
        called.assign(to: .quinn)
        portal.wait(seconds: 100)
        try called.send()
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 21)
        try called.send()
        #expect(relay.messages.map(\.path).sorted() == ["/pia", "/pia", "/quinn"])
    }

    @Test func `PW-8 a relay that is too busy for three devices in a row rests as a whole`() throws {
        called.subscribe(.pia)
        called.subscribe(.pia, 1)
        called.subscribe(.quinn)
        relay.answers("429 Too Many Requests", "Retry-After: 120\r\n")
        called.assign()
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send()
        #expect(relay.messages.count == 3)
        relay.answers("201 Created")
        called.assign()
        portal.wait(seconds: 100)
        try called.send()
        #expect(relay.messages.count == 3)
        portal.wait(seconds: 21)
        try called.send()
        // Three that were refused, and the new one to two devices.
        #expect(relay.messages.count == 8)
    }

    @Test func `A7 a relay that is too busy for one device goes on with the others`() throws {
        called.subscribe(.pia)
        called.subscribe(.quinn)
        relay.answers("429 Too Many Requests", "Retry-After: 120\r\n", to: "pia")
        var round = try called.round()
        for _ in 0..<4 { called.assign() }
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(relay.messages.count == 4)
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(relay.messages.count == 5 && relay.messages.last?.path == "/quinn")
    }

    // MARK: Refusals

    @Test func `RP-107 few devices that are refused do not stop the relay for others, five in a row do`()
        throws
    {
        called.subscribe(.pia)
        called.subscribe(.quinn)
        relay.answers("403 Forbidden")
        var round = try called.round()
        for _ in 0..<4 {
            for person in [Person.pia, .quinn] { called.assign(to: person) }
            portal.wait(seconds: 1)
            try called.send(&round)
        }
        #expect(relay.messages.count == 8)
        relay.answers("403 Forbidden", to: "pia")
        relay.answers("201 Created")
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(relay.messages.last?.path == "/quinn")
        #expect(!portal.logged.contains { $0.contains("push relay refuses") })
        // One person's devices, however many, may be refused for their own sake.
        relay.answers("403 Forbidden")
        for number in 1...4 { called.subscribeAnother(.quinn, number) }
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(!portal.logged.contains { $0.contains("push relay refuses") })
        // Refused to so many of several it is the relay, or our key.
        called.assign(to: .pia)
        portal.wait(seconds: 1)
        try called.send(&round)
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(portal.logged.contains { $0.contains("push relay refuses") })
        let count = relay.messages.count
        called.assign(to: .quinn)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(relay.messages.count == count)
    }

    /// FCM takes a message for four weeks at most, and answers 400 to one that asks for more.
    @Test
    func
        `RP-107 what is open for sixty days asks a relay to keep it for four weeks, and one 400 is one message's`()
        throws
    {
        called.subscribe(.pia)
        for number in 1...5 { called.subscribeAnother(.pia, number) }
        called.assign(for: 60 * 86_400)
        portal.wait(seconds: 1)
        try called.send()
        #expect(relay.messages.map { $0.headers["ttl"] } == Array(repeating: "2419200", count: 6))
        relay.answers("400 Bad Request")
        called.assign()
        portal.wait(seconds: 1)
        try called.send()
        #expect(relay.messages.count == 12)
        relay.answers("201 Created")
        called.assign()
        portal.wait(seconds: 1)
        try called.send()
        #expect(relay.messages.count == 18)
        #expect(!portal.logged.contains { $0.contains("push relay refuses") })
    }

    @Test func `RP-110 what closes within two hours is urgent, what stays open for longer is not`() throws {
        called.subscribe(.pia)
        for hours in [1, 2, 3] as [Int64] {
            called.assign(for: hours * 3600)
            portal.wait(seconds: 1)
            try called.send()
        }
        #expect(relay.messages.map { $0.headers["urgency"] } == ["high", "high", "normal"])
    }
}
