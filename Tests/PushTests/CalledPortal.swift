import Foundation
import HTTP
import JSON
import Testing
import WebPush
import Wire

@testable import Database
@testable import Outbound
@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// A portal, a relay, and people with subscribed devices.
struct CalledPortal {
    let portal: TestPortal
    let relay: FakeRelay

    init(portal: TestPortal, relay: FakeRelay) {
        self.portal = portal
        self.relay = relay
    }

    init() throws {
        let relay = try FakeRelay()
        self.relay = relay
        portal = try TestPortal { $0.pushHosts = ["127.0.0.1:\(relay.port)"] }
    }

    /// - Parameter milliseconds: how long a relay has time to answer.
    func round(milliseconds: Int = 10_000) throws -> PushRound {
        var limits = OutboundLimits()
        limits.milliseconds = milliseconds
        return try #require(PushRound(portal.services, limits: limits))
    }

    /// Sends what is due until nothing is; what is held stays under way.
    func send(_ round: inout PushRound) throws {
        for _ in 0..<200 where try round.go(takes: true) {}
    }

    /// The same by a server that has just been started.
    func send(milliseconds: Int = 10_000) throws {
        var round = try round(milliseconds: milliseconds)
        try send(&round)
        let isBusy = round.isBusy
        #expect(!isBusy)
    }

    /// - Parameter number: of the person's devices, the phone first.
    func device(_ person: Person, _ number: Int = 0) -> String {
        let all = portal.call(.get, "/my/devices", as: person).list
        let phone = all.filter { $0["attributes"]?["current"] == .bool(true) }
        let others = all.filter { $0["attributes"]?["current"] != .bool(true) }
        return (phone + others)[number]["id"]?.string ?? ""
    }

    /// The device is called by the name of its owner, and its number where it is not the first.
    func subscribe(
        _ person: Person, _ number: Int = 0, wants: String = #"["prompts", "changes"]"#
    ) {
        let name = "\(person)" + (number == 0 ? "" : "\(number)")
        let made = portal.call(
            .put, "/my/devices/\(device(person, number))/push", relay.subscription(name, wants: wants),
            as: person)
        #expect(made.status == 200, "\(made.text)")
    }

    /// One more device, which the person signs in on now.
    func subscribeAnother(_ person: Person, _ number: Int) {
        let made = portal.call(
            .post, "/auth/login",
            #"{"email": "\#(person)@example.org", "password": "\#(Cast.password)", "device_name": "Tablet \#(number)"}"#
        )
        let own: Headers = [
            "Authorization": "Bearer \(made.attributes["token"]?.string ?? "")",
            "Content-Type": "application/json",
        ]
        let device =
            portal.send(.get, "/api/v1/my/devices", own).list
            .first { $0["attributes"]?["current"] == .bool(true) }?["id"]?.string ?? ""
        let body = Array(relay.subscription("\(person)-\(number)").utf8)
        #expect(portal.send(.put, "/api/v1/my/devices/\(device)/push", own, body: body).status == 200)
    }

    @discardableResult
    func assign(
        to person: Person = .pia, from seconds: Int64 = 0, for length: Int64 = 3600
    ) -> String {
        let from = portal.now.adding(seconds: seconds)
        let body = #"""
            {"questionnaire_key": "between-sessions", "available_from": "\#(from.text)",
             "due_at": "\#(from.adding(seconds: length).text)"}
            """#
        let made = portal.call(
            .post, "/patients/\(portal.cast.therapies[person]!)/assignments", body,
            as: person == .pia ? .ada : .ben)
        #expect(made.status == 201, "\(made.text)")
        return made.id
    }

    /// When the relay took the reminder of an assignment of Pia's.
    func pushed(_ id: String) -> JSON? {
        portal.call(.get, "/patients/\(portal.cast.therapies[.pia]!)/deliveries?limit=200", as: .ada).list
            .first { $0["id"]?.string == id }?["attributes"]?["pushed_at"]
    }

    func settings(
        questionnaires: Bool = true, interventions: Bool = true, appointments: Bool = true,
        of person: Person
    ) {
        let body =
            #"{"questionnaires": \#(questionnaires), "interventions": \#(interventions), "appointments": \#(appointments)}"#
        #expect(portal.change(.put, "/my/notification-settings", body, as: person).status == 200)
    }

    /// A study that asks every day at two in the afternoon, four hours from the beginning, until six.
    /// - Returns: the study, and its questionnaire in it.
    func begin(_ people: Person...) throws -> (study: String, item: String) {
        try portal.publish("wellbeing-5")
        let desk = StudyDesk(portal: portal)
        let study = desk.begin()
        let item = desk.add(
            "wellbeing-5", to: study, #", "is_schedule_changeable": true"# + StudyDesk.daily("14:00"))
        for person in people {
            #expect(desk.enrol(person, in: study).status == 201)
            let consent = portal.change(.put, "/my/privacy", #"{"research_consent": true}"#, as: person)
            #expect(consent.status == 200)
        }
        return (study, item)
    }

    func run(_ sql: SQL) throws {
        try portal.services.records.writeUnaudited(.madeUp) { _ = try $0.run(sql) }
    }
}
