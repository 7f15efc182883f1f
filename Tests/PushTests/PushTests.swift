import Foundation
import HTTP
import JSON
import Secrets
import Testing
import WebPush
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// PW-8, IO-25: the recipients, times and texts of messages, and how far each got.
@Suite struct PushTests {
    let portal: TestPortal
    let relay: FakeRelay
    /// Pia's phone.
    let device: String

    init() throws {
        let relay = try FakeRelay()
        self.relay = relay
        portal = try TestPortal { $0.pushHosts = ["127.0.0.1:\(relay.port)"] }
        let devices = portal.call(.get, "/my/devices", as: .pia).list
        device = try #require(devices.first { $0["attributes"]?["current"] == .bool(true) }?["id"]?.string)
    }

    private func subscribe(_ body: String? = nil) -> Response {
        portal.call(.put, "/my/devices/\(device)/push", body ?? relay.subscription(), as: .pia)
    }

    /// Sends what is due until nothing is.
    private func send() throws {
        var round = try #require(PushRound(portal.services))
        for _ in 0..<200 where try round.go(takes: true) {}
        #expect(!round.isBusy)
    }

    private func assign(from seconds: Int64 = 0, for length: Int64 = 3600) -> String {
        let from = portal.now.adding(seconds: seconds)
        let body = #"""
            {"questionnaire_key": "between-sessions", "available_from": "\#(from.text)",
             "due_at": "\#(from.adding(seconds: length).text)"}
            """#
        let made = portal.call(.post, "/patients/\(portal.cast.therapies[.pia]!)/assignments", body, as: .ada)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    private func delivery(_ id: String) -> JSON? {
        portal.call(.get, "/patients/\(portal.cast.therapies[.pia]!)/deliveries?limit=200", as: .ada).list
            .first { $0["id"]?.string == id }?["attributes"]
    }

    // MARK: Subscribing

    @Test func `IO-25 a device subscribes, is told of it without keys, and ends it`() throws {
        let key = portal.call(.get, "/push/key", as: .nobody)
        #expect(key.status == 200)
        #expect(Base64URL.bytes(key.attributes["public_key"]?.string ?? "")?.count == 65)
        let made = subscribe()
        #expect(made.status == 200, "\(made.text)")
        #expect(made.attributes["endpoint_host"]?.string == "127.0.0.1")
        #expect(made.attributes["state"]?.string == "live" && made.attributes["last_accepted_at"] == .null)
        let point = Base64URL.text(relay.device.publicPoint)
        #expect(!made.text.contains(point) && !made.text.contains("/device"))
        // The same again, and with other wishes, is one subscription.
        #expect(subscribe(relay.subscription(wants: #"["changes"]"#)).status == 200)
        #expect(try portal.count("push_subscriptions") == 1)
        #expect(portal.call(.delete, "/my/devices/\(device)/push", as: .pia).status == 204)
        #expect(portal.call(.delete, "/my/devices/\(device)/push", as: .pia).status == 404)
        #expect(portal.call(.post, "/my/devices/\(device)/push/test", as: .pia).status == 404)
        #expect(try portal.changes().suffix(3) == ["push.subscribed", "push.subscribed", "push.ended"])
    }

    @Test func `IO-25 endpoints that lead inward, keys that are none, and wishes nobody knows are refused`() {
        let good = relay.subscription()
        let local = relay.endpoint("device")
        for bad in [
            "http://push.example.org/x", "https://127.0.0.1:\(relay.port)0/x", "https://10.0.0.1/x",
            "https://localhost/x",
            "https://[::1]/", "https://u:p@push.example.org/", "ftp://push.example.org/", "",
            "http://127.0.0.1:\(relay.port + 1)/x",
        ] {
            let answer = subscribe(good.replacing(local, with: bad))
            #expect(answer.status == 422 && answer.text.contains("\"endpoint\""), "\(bad): \(answer.text)")
        }
        let point = Base64URL.text(relay.device.publicPoint)
        #expect(subscribe(good.replacing(point, with: String(point.dropLast(3) + "AAA"))).status == 422)
        #expect(subscribe(relay.subscription(wants: "[]")).status == 422)
        #expect(subscribe(relay.subscription(wants: #"["all"]"#)).status == 422)
        #expect(subscribe(#"{"endpoint": 5}"#).status == 422)
    }

    @Test func `PW-8 a listed relay of another machine is gone to over https alone`() throws {
        let portal = try TestPortal { $0.pushHosts = ["10.1.2.3"] }
        let local = relay.endpoint("device")
        for (endpoint, status) in [("http://10.1.2.3/x", 422), ("https://10.1.2.3/x", 200)] {
            let body = relay.subscription().replacing(local, with: endpoint)
            let answer = portal.call(.put, "/my/devices/\(device)/push", body, as: .pia)
            #expect(answer.status == status, "\(endpoint): \(answer.text)")
        }
    }

    @Test func `IO-25 somebody else's device is not found, and a browser is a device too`() throws {
        #expect(
            portal.call(.put, "/my/devices/\(device)/push", relay.subscription(), as: .quinn).status == 404)
        #expect(portal.call(.put, "/my/devices/\(device)/push", relay.subscription(), as: .ada).status == 403)
        let all = portal.call(.get, "/my/devices", as: .pia).list
        #expect(all.count == 2)
        let browser = try #require(all.first { $0["attributes"]?["current"] == .bool(false) }?["id"]?.string)
        #expect(
            portal.call(.put, "/my/devices/\(browser)/push", relay.subscription(), as: .pia).status == 200)
        // Signed out, it is called no more.
        #expect(portal.call(.delete, "/my/devices/\(browser)", as: .pia).status == 204)
        #expect(try portal.count("push_subscriptions") == 0)
    }

    @Test func `PW-8 a page subscribes its own browser and says what is wrong in words`() throws {
        #expect(portal.get("/my/settings/push", as: .pia).status == 200)
        let fields = [
            ("endpoint", relay.endpoint("browser")), ("p256dh", Base64URL.text(relay.device.publicPoint)),
            ("auth", Base64URL.text(relay.secret)), ("wants", "prompts changes"), ("title", "Kalender"),
        ]
        let json: Headers = ["Accept": "application/json"]
        #expect(portal.post("/my/settings/push", fields, as: .pia, json).status == 200)
        #expect(portal.get("/my/settings/push", as: .pia).text.contains("„Kalender: Es gibt"))
        let bad = [("endpoint", "https://10.0.0.1/x")] + fields.dropFirst()
        let refused = portal.post("/my/settings/push", bad, as: .pia, json)
        #expect(refused.status == 422 && refused.text.contains("privates Netz"), "\(refused.text)")
        #expect(portal.post("/my/settings/push/test", as: .pia, json).status == 200)
        try send()
        let message = try #require(relay.messages.first)
        let text = try #require(relay.open(message))
        #expect(text.contains(#""title":"Kalender""#))
        #expect(portal.post("/my/settings/push/removal", as: .pia, json).status == 200)
    }

    // MARK: Sending

    @Test func `PW-8 an assignment that opens is pushed once, sealed, alike, and noted`() throws {
        #expect(subscribe().status == 200)
        let before = assign(from: -7200, for: 86_400)
        portal.wait(seconds: 10)
        let id = assign(from: 60, for: 1800)
        try send()
        // An assignment made after subscribing sends one at once, also when its window began before.
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 70)
        try send()
        try send()
        #expect(relay.messages.count == 2)
        let message = try #require(relay.messages.last)
        let text = try #require(relay.open(message))
        let json = try JSON.parse(Array(text.utf8))
        #expect(json["web_push"]?.number == 8030)
        #expect(json["notification"]?["body"]?.string == "Es gibt etwas Neues für Sie.")
        #expect(json["notification"]?["navigate"]?.string == "http://127.0.0.1:8080/my/assignments/\(id)")
        #expect(!text.contains("Sitzungen") && !text.contains("Lindner"))
        #expect(message.headers["ttl"] == "1790" && message.headers["content-encoding"] == "aes128gcm")
        #expect(message.headers["authorization"]?.hasPrefix("vapid t=") == true)
        #expect(Set(relay.messages.map(\.body.count)).count == 1)
        #expect(Set(relay.messages.compactMap { $0.headers["topic"] }).count == 2)
        #expect(message.headers["topic"]?.count == 32)
        #expect(delivery(id)?["pushed_at"]?.string == portal.now.text)
        #expect(delivery(id)?["shown_at"] == .null && delivery(before)?["pushed_at"] != .null)
        #expect(
            portal.call(.put, "/my/devices/\(device)/push", relay.subscription(), as: .pia).attributes[
                "last_accepted_at"] != .null)
        // The worker's word.
        let shown = portal.post("/my/offline/shown", [("shown", "\(id) \(portal.now.text)")], as: .pia)
        #expect(shown.status == 200 && delivery(id)?["shown_at"]?.string == portal.now.text)
        #expect(
            portal.get("/patients/\(portal.cast.therapies[.pia]!)/deliveries", as: .ada).text.contains(
                "Push-Dienst"))
        // Another account's is not noted.
        let other = portal.post("/my/offline/shown", [("shown", "\(before) \(portal.now.text)")], as: .quinn)
        #expect(other.status == 200 && delivery(before)?["shown_at"] == .null)
    }

    @Test
    func `PW-8 nobody is called after the window, when answered, withdrawn, muted, or before asking for it`()
        throws
    {
        let early = assign(from: 0)
        portal.wait(seconds: 10)
        #expect(subscribe().status == 200)
        portal.wait(seconds: 10)
        try send()
        #expect(relay.messages.count == 0 && delivery(early)?["pushed_at"] == .null)
        // Opened on the phone, and taken back, before the sender came to it.
        let opened = assign(from: 60)
        let withdrawn = assign(from: 60)
        let over = assign(from: 60, for: 30)
        portal.wait(seconds: 100)
        #expect(
            portal.call(
                .patch, "/my/assignments/\(opened)", #"{"opened_at": "\#(portal.now.text)"}"#, as: .pia,
                ["If-Match": portal.call(.get, "/my/assignments/\(opened)", as: .pia).headers["ETag"] ?? ""]
            ).status == 200)
        #expect(
            portal.call(
                .delete, "/patients/\(portal.cast.therapies[.pia]!)/assignments/\(withdrawn)", as: .ada
            ).status == 204)
        try send()
        #expect(relay.messages.count == 0 && delivery(over)?["pushed_at"] == .null)
        let muted = #"{"questionnaires": false, "interventions": true, "appointments": true}"#
        #expect(portal.change(.put, "/my/notification-settings", muted, as: .pia).status == 200)
        _ = assign(from: 0)
        portal.wait(seconds: 5)
        try send()
        #expect(relay.messages.count == 0)
    }

    @Test func `IO-25 something new is told once, to who wants changes, and to nobody else`() throws {
        #expect(subscribe(relay.subscription(wants: #"["changes"]"#)).status == 200)
        _ = assign()
        portal.wait(seconds: 5)
        try send()
        #expect(relay.messages.count == 0)
        let given = portal.call(
            .post, "/patients/\(portal.cast.therapies[.pia]!)/interventions",
            #"{"kind": "question", "text": "Was hat gutgetan?"}"#, as: .ada)
        #expect(given.status == 201, "\(given.text)")
        portal.wait(seconds: 5)
        try send()
        try send()
        #expect(relay.messages.count == 1)
        #expect(relay.open(relay.messages[0])?.contains("gutgetan") == false)
    }

    // MARK: Relays that misbehave

    @Test
    func
        `PW-8 gone ends a subscription, a rest is kept, and five refused devices stop the relay until somebody looks`()
        throws
    {
        #expect(subscribe().status == 200)
        relay.answers("429 Too Many Requests", "Retry-After: 120\r\n")
        let id = assign(for: 3600)
        portal.wait(seconds: 1)
        try send()
        try send()
        #expect(relay.messages.count == 1 && delivery(id)?["pushed_at"] == .null)
        portal.wait(seconds: 60)
        try send()
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 61)
        relay.answers("201 Created")
        try send()
        #expect(relay.messages.count == 2 && delivery(id)?["pushed_at"] != .null)

        relay.answers("403 Forbidden")
        let called = CalledPortal(portal: portal, relay: relay)
        for number in 1...4 { called.subscribeAnother(.pia, number) }
        for _ in 1...2 {
            _ = assign(for: 3600)
            portal.wait(seconds: 1)
            try send()
            #expect(relay.messages.count == 7)
        }
        #expect(portal.logged.contains { $0.contains("push relay refuses") })
        #expect(subscribe().attributes["state"]?.string == "stopped")
        let page = portal.get("/admin/system", as: .uma).text
        #expect(page.contains("127.0.0.1") && page.contains("Antwort 403"))
        #expect(portal.post("/admin/system/push", [("host", "elsewhere")], as: .uma).status == 404)
        #expect(portal.post("/admin/system/push", [("host", "127.0.0.1")], as: .ada).status == 403)
        relay.answers("410 Gone")
        #expect(portal.post("/admin/system/push", [("host", "127.0.0.1")], as: .uma).status == 303)
        try send()
        #expect(subscribe(relay.subscription("device")).status == 200)
        #expect(relay.messages.count > 7)
        relay.answers("410 Gone")
        _ = assign(for: 3600)
        portal.wait(seconds: 1)
        try send()
        let count = relay.messages.count
        _ = assign(for: 3600)
        portal.wait(seconds: 1)
        try send()
        #expect(relay.messages.count == count)
        #expect(portal.get("/my/settings/push", as: .pia).status == 200)
    }

    @Test func `PW-8 a relay that hangs up is tried again while the window lasts, and not after`() throws {
        #expect(subscribe().status == 200)
        relay.answers("500 Internal Server Error")
        let id = assign(for: 100)
        portal.wait(seconds: 1)
        for _ in 0..<40 {
            try send()
            portal.wait(seconds: 4)
        }
        #expect((3...6).contains(relay.messages.count), "\(relay.messages.count)")
        relay.answers("201 Created")
        try send()
        #expect(delivery(id)?["pushed_at"] == .null)
    }

    // MARK: Studies

    @Test
    func
        `PW-8 prompts of a study are planned two days ahead, follow the person's own times, and are counted for leads`()
        throws
    {
        try portal.publish("wellbeing-5")
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study, StudyDesk.daily("14:00", "18:00"))
        #expect(desk.enrol(.nora, in: study).status == 201)
        let consent = portal.change(.put, "/my/privacy", #"{"research_consent": true}"#, as: .nora)
        #expect(consent.status == 200)
        let noras = portal.call(.get, "/my/devices", as: .nora).list
        let phone = try #require(noras.first { $0["attributes"]?["current"] == .bool(true) }?["id"]?.string)
        #expect(
            portal.call(.put, "/my/devices/\(phone)/push", relay.subscription("nora"), as: .nora).status
                == 200)
        try send()
        let planned = try portal.count("study_reminders")
        #expect((3...4).contains(planned), "\(planned)")
        // 14:00 in Vienna.
        portal.wait(seconds: 4 * 3600 + 5)
        try send()
        #expect(relay.messages.map(\.path) == ["/nora"])
        let text = try #require(relay.open(relay.messages[0]))
        #expect(!text.contains("Wohlbefinden") && !text.contains("Stress"))
        // Staff would be signed out by now.
        try portal.wait(awake: 0)
        let codename = try #require(
            portal.call(.get, "/studies/\(study)/participants", as: .lena).list.first?["attributes"]?[
                "codename"]?.string)
        let page = portal.get("/studies/\(study)/participants/\(codename)", as: .lena).text
        #expect(
            page.contains("1 fällig, 1 zugestellt, 0 angezeigt"),
            "\(page.matches(of: /<dd>[^<]*/).map(\.output))")
        // After leaving no more are sent.
        let left = portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora)
        #expect(left.status == 204 || left.status == 200, "\(left.text)")
        portal.wait(seconds: 4 * 3600)
        try send()
        #expect(relay.messages.count == 1)
    }
}
