import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// RP-111: with another `keys/push.key` nothing that is sent arrives any more, which health says.
@Suite struct PushKeyTests {
    private let called: CalledPortal
    private var portal: TestPortal { called.portal }

    init() throws { called = try CalledPortal() }

    private func failing(_ other: TestPortal? = nil) -> [String] {
        ((other ?? portal).call(.get, "/health").attributes["parts"]?.array ?? []).filter {
            $0["status"] == .string("failing")
        }.compactMap { $0["name"]?.string }
    }

    /// As after the file was lost and made anew.
    private func set(sender: String?) throws {
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            try connection.run("UPDATE push_subscriptions SET sender = \(sender)")
        }
    }

    @Test func `RP-111 a lost key is said until devices have subscribed anew`() throws {
        called.subscribe(.nora)
        #expect(failing().isEmpty)
        try set(sender: "former")
        #expect(failing() == ["push"] && portal.call(.get, "/health").status == 503)
        #expect(portal.logged.contains { $0.contains("health failing") && $0.contains("push.key") })
        #expect(portal.get("/admin/system", as: .uma).text.contains("keys/push.key"))
        // A browser subscribes anew with the present key.
        let again = called.relay.subscription("nora-again")
        let made = portal.call(.put, "/my/devices/\(called.device(.nora))/push", again, as: .nora)
        #expect(made.status == 200, "\(made.text)")
        #expect(failing().isEmpty)
    }

    @Test func `RP-111 a start without the file makes another key, which is said`() throws {
        called.subscribe(.nora)
        try FileManager.default.removeItem(atPath: portal.services.settings.data + "/keys/push.key")
        let started = try TestPortal(beside: portal)
        #expect(failing(started) == ["push"])
        let again = called.relay.subscription("nora-again")
        let made = started.call(.put, "/my/devices/\(called.device(.nora))/push", again, as: .nora)
        #expect(made.status == 200, "\(made.text)")
        #expect(failing(started).isEmpty)
    }

    @Test func `RP-111 an address that is not bound to a key is believed when its device subscribes anew`()
        throws
    {
        called.subscribe(.nora)
        try set(sender: "former")
        #expect(failing() == ["push"])
        called.subscribe(.nora)
        #expect(failing().isEmpty)
    }

    @Test func `RP-111 a device that stays away for two weeks does not keep health failing`() throws {
        called.subscribe(.nora)
        try set(sender: "former")
        #expect(failing() == ["push"])
        portal.wait(days: 13)
        #expect(failing().contains("push"))
        portal.wait(days: 2)
        #expect(!failing().contains("push"))
    }

    @Test func `RP-111 subscriptions from before their key was noted count as made for the present one`()
        throws
    {
        called.subscribe(.nora)
        try set(sender: nil)
        #expect(failing().isEmpty)
        try portal.services.part(PushSignal.self).adopt(portal.services.records)
        #expect(failing().isEmpty)
        let senders: [String] = try portal.services.records.read { connection in
            try connection.all("SELECT sender FROM push_subscriptions") { row in try row[0] }
        }
        #expect(senders == [portal.services.part(PushSignal.self).publicKey])
    }
}
