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

/// PW-8: what waits is asked once more whether it is still wanted, at the moment at which it would be sent.
@Suite struct PushRecheckTests {
    let called: CalledPortal
    var portal: TestPortal { called.portal }
    var relay: FakeRelay { called.relay }

    init() throws { called = try CalledPortal() }

    @Test(arguments: [true, false])
    func `PW-8 who mutes questionnaires or wants no prompts any more is not called of what waits already`(
        _ isMuted: Bool
    ) throws {
        _ = try called.begin(.nora)
        called.subscribe(.nora)
        try called.send()
        let planned = try portal.count("push_messages")
        #expect(planned >= 2)
        if isMuted {
            called.settings(questionnaires: false, of: .nora)
        } else {
            called.subscribe(.nora, wants: #"["changes"]"#)
        }
        portal.wait(seconds: 4 * 3600 + 5)
        try called.send()
        #expect(relay.messages.count == 0)
        // After a change of mind the next one is sent.
        called.settings(of: .nora)
        called.subscribe(.nora)
        portal.wait(seconds: 86_400)
        try called.send()
        #expect(relay.messages.count == 1)
    }

    @Test func `PW-8 a reminder that is tried again is not sent to who muted it meanwhile`() throws {
        called.subscribe(.pia)
        relay.answers("500 Internal Server Error")
        called.assign()
        portal.wait(seconds: 1)
        try called.send()
        #expect(relay.messages.count == 1)
        called.settings(questionnaires: false, of: .pia)
        relay.answers("201 Created")
        portal.wait(seconds: 30)
        try called.send()
        #expect(relay.messages.count == 1)
    }

    enum Change: CaseIterable { case leaves, forgets, movesTimes, studyStops }

    /// Plans are looked at every five minutes; this is between two looks.
    @Test(arguments: Change.allCases)
    func `PW-8 a prompt that is in nobody's plan any more is not sent, however young the plan is`(
        _ change: Change
    ) throws {
        let (study, item) = try called.begin(.nora)
        called.subscribe(.nora)
        portal.wait(seconds: 4 * 3600 - 120)
        var round = try called.round()
        try called.send(&round)
        try portal.wait(awake: 0)
        let answer =
            switch change {
            case .leaves: portal.call(.delete, "/studies/\(study)/enrolment?data=keep", as: .nora)
            case .forgets: portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora)
            case .movesTimes:
                portal.change(
                    .put, "/my/questionnaires/\(item)/notification-plan",
                    #"{"option": "custom", "times": [{"at": "16:00"}]}"#, as: .nora)
            case .studyStops:
                portal.change(.patch, "/studies/\(study)", #"{"running": false}"#, as: .lena)
            }
        #expect([200, 204].contains(answer.status), "\(answer.status) \(answer.text)")
        portal.wait(seconds: 125)
        try called.send(&round)
        #expect(relay.messages.count == 0)
    }

    @Test func `PW-8 a prompt of a young plan that stays in it is sent`() throws {
        _ = try called.begin(.nora)
        called.subscribe(.nora)
        portal.wait(seconds: 4 * 3600 - 120)
        var round = try called.round()
        try called.send(&round)
        portal.wait(seconds: 119)
        try called.send(&round)
        #expect(relay.messages.count == 0)
        portal.wait(seconds: 1)
        try called.send(&round)
        #expect(relay.messages.count == 1)
    }

    private static let place = "/my/appointments/5a1c9a0e-98a5-4a9f-8d3e-000000000001"

    private func appoint(at minutes: Int64) {
        let begin = Cast.now.adding(seconds: minutes * 60)
        let body =
            #"{"title": "Gespräch", "starts_at": "\#(begin.text)", "ends_at": "\#(begin.adding(seconds: 3000).text)"}"#
        let made = portal.change(.put, Self.place, body, as: .pia)
        #expect([200, 201].contains(made.status), "\(made.text)")
    }

    @Test(arguments: ["deleted", "moved", "muted"])
    func `PW-8 an appointment that is no more at that time is not called of, also on a second try`(
        _ change: String
    ) throws {
        called.subscribe(.pia)
        appoint(at: 65)
        relay.answers("500 Internal Server Error")
        portal.wait(seconds: 320)
        try called.send()
        #expect(relay.messages.count == 1)
        switch change {
        case "deleted": #expect(portal.call(.delete, Self.place, as: .pia).status == 204)
        case "moved": appoint(at: 120)
        default: called.settings(appointments: false, of: .pia)
        }
        relay.answers("201 Created")
        portal.wait(seconds: 30)
        try called.send()
        #expect(relay.messages.count == 1)
        portal.wait(seconds: 3600)
        try called.send()
        #expect(relay.messages.count == (change == "moved" ? 2 : 1))
    }

    @Test func `PW-8 an appointment that stays is called of on a second try`() throws {
        called.subscribe(.pia)
        appoint(at: 65)
        relay.answers("500 Internal Server Error")
        portal.wait(seconds: 320)
        try called.send()
        relay.answers("201 Created")
        portal.wait(seconds: 30)
        try called.send()
        try called.send()
        #expect(relay.messages.count == 2)
    }

    @Test(arguments: ["withdrawn", "opened", "muted", "unwanted", "left"])
    func `PW-8 an exercise that is withdrawn, opened or not to be told of is not called of again`(
        _ change: String
    ) throws {
        called.subscribe(.pia)
        let therapy = portal.cast.therapies[.pia]!
        let given = portal.call(
            .post, "/patients/\(therapy)/interventions", #"{"kind": "question", "text": "Was tat gut?"}"#,
            as: .ada)
        #expect(given.status == 201, "\(given.text)")
        relay.answers("500 Internal Server Error")
        portal.wait(seconds: 5)
        try called.send()
        #expect(relay.messages.count == 1)
        switch change {
        case "withdrawn":
            let path = "/patients/\(therapy)/interventions/\(given.id)"
            #expect(portal.call(.delete, path, as: .ada).status == 204)
        case "opened":
            let body = #"{"opened_at": "\#(portal.now.text)"}"#
            let path = "/my/interventions/\(given.id)"
            #expect(portal.change(.patch, path, body, as: .pia).status == 200)
        case "muted": called.settings(interventions: false, of: .pia)
        case "unwanted": called.subscribe(.pia, wants: #"["prompts"]"#)
        default: break
        }
        relay.answers("201 Created")
        portal.wait(seconds: 30)
        try called.send()
        #expect(relay.messages.count == (change == "left" ? 2 : 1))
    }
}
