import Database
import Foundation
import HTTP
import JSON
import Secrets
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// RP-22: a subscription that its browser renews, its relay forgets, or its permission ends.
@Suite struct RenewedSubscriptionTests {
    let portal: TestPortal
    let relay: FakeRelay
    private static let json: Headers = ["Accept": "application/json"]
    private static let path = "/my/settings/push"

    init() throws {
        let relay = try FakeRelay()
        self.relay = relay
        portal = try TestPortal { $0.pushHosts = ["127.0.0.1:\(relay.port)"] }
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            _ = try connection.run(
                "UPDATE credentials SET stays_until = 4000000000000 WHERE kind = 'session'")
        }
    }

    private func subscription(_ name: String) -> [(String, String)] {
        [
            ("endpoint", relay.endpoint(name)), ("p256dh", Base64URL.text(relay.device.publicPoint)),
            ("auth", Base64URL.text(relay.secret)),
        ]
    }

    private func turnOn(_ name: String = "first") {
        let wishes = [("wants", "changes"), ("title", "Kalender")]
        let answer = portal.post(Self.path, subscription(name) + wishes, as: .pia, Self.json)
        #expect(answer.status == 200, "\(answer.text)")
    }

    private func renew(_ fields: [(String, String)] = []) -> Int {
        portal.post(Self.path + "/renewal", fields, as: .pia, Self.json).status
    }

    /// Of her devices, as she sees them.
    private var states: [String] {
        portal.call(.get, "/my/devices", as: .pia).list.compactMap { $0["attributes"]?["push"]?.string }
            .sorted()
    }

    private func plan() throws -> JSON? {
        try JSON.parse(portal.get("/my/offline/plan", as: .pia, Self.json).bytes)["push"]
    }

    @Test func `RP-22 the list of devices says whether push is on, off or ended`() throws {
        #expect(states == ["off", "off"])
        turnOn()
        #expect(states == ["off", "on"])
        relay.answers("410 Gone")
        #expect(portal.post(Self.path + "/test", as: .pia, Self.json).status == 200)
        var round = try #require(PushRound(portal.services))
        for _ in 0..<200 where try round.go(takes: true) {}
        #expect(states == ["ended", "off"])
        let copy = portal.call(.get, "/my/export", as: .pia).text
        #expect(copy.contains(#""push":"ended""#))
        #expect(
            portal.call(.get, "/my/devices", as: .ada).list.allSatisfy { device in
                device["attributes"]?["push"]?.string == "off"
            })
    }

    @Test func `RP-22 another subscription takes the place of the known one, with the same wishes`() throws {
        turnOn()
        let before = try plan()
        #expect(before?["state"]?.string == "on" && before?["key"]?.string?.isEmpty == false)
        let digest = Digest.sha256(Array(relay.endpoint("first").utf8))
        #expect(before?["mark"]?.string == Base64URL.text(digest))
        #expect(renew(subscription("second")) == 200)
        #expect(try plan()?["mark"]?.string != before?["mark"]?.string)
        #expect(try portal.count("push_subscriptions") == 1)
        let page = portal.get(Self.path, as: .pia).text
        #expect(page.contains("„Kalender: Es gibt") && page.contains(#"data-state="on""#))
        #expect(page.contains(#"value="changes" checked"#) && !page.contains(#"value="prompts" checked"#))
        #expect(renew([("endpoint", "https://10.0.0.1/x")] + subscription("x").dropFirst()) == 422)
    }

    @Test func `RP-22 a browser that has none any more says so, and the next one revives the wishes`() throws
    {
        turnOn()
        #expect(renew() == 200 && renew() == 200)
        #expect(states == ["ended", "off"])
        #expect(try plan()?["state"]?.string == "ended")
        #expect(try portal.changes().suffix(2) == ["push.subscribed", "push.ended"])
        #expect(renew(subscription("third")) == 200)
        #expect(states == ["off", "on"])
    }

    @Test func `RP-22 nothing is renewed where reminders were turned off, or of somebody else`() throws {
        #expect(renew(subscription("first")) == 404 && renew() == 404)
        turnOn()
        #expect(portal.post(Self.path + "/renewal", subscription("y"), as: .quinn, Self.json).status == 404)
        #expect(portal.post(Self.path + "/removal", as: .pia, Self.json).status == 200)
        #expect(renew(subscription("first")) == 404)
        #expect(states == ["off", "off"])
        #expect(try plan()?["state"]?.string == "off" && plan()?["mark"] == .null)
    }

    @Test func `RP-22 Today has the line, with both taps`() {
        let page = portal.get("/my", as: .pia).text
        #expect(page.contains(#"data-behaviour="reminders""#) && page.contains("Wieder erinnern"))
    }
}
