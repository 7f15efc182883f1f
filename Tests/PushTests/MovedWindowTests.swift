import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Push
@testable import Records
@testable import Web

/// ST-1, FD-21: what is told of a time point whose days leads move.
@Suite struct MovedWindowTests {
    private let called: CalledPortal
    private let desk: StudyDesk
    private var portal: TestPortal { called.portal }

    init() throws {
        called = try CalledPortal()
        desk = StudyDesk(portal: called.portal)
        try called.portal.publish("wellbeing-5")
    }

    /// Goes on to a moment in steps of a few hours, as a server does that looks again and again.
    private func live(until moment: String) throws {
        let end = try #require(Instant(moment))
        while portal.now < end {
            portal.wait(seconds: min(6 * 3600, end.seconds - portal.now.seconds))
            try portal.wait(awake: 0)
            try called.send()
        }
    }

    private func due() throws -> [String] {
        try portal.services.records.read { connection in
            try connection.all(
                "SELECT due_at FROM push_messages WHERE kind = 'prompt' AND accepted_at IS NULL"
            ) {
                try $0[0] as Instant
            }
        }.map(\.text)
    }

    @Test func `ST-1 a message that waits goes with its days, and one that was sent comes again for others`()
        throws
    {
        let study = desk.begin(
            #"{"time_points": [{"key": "op", "title": {"de": "Operation"}, "anchor": "lead", "after": 1}]}"#)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "op""#)
        let name = desk.enrol(.nora, in: study).attributes["codename"]?.string ?? ""
        called.subscribe(.nora)
        let move = { (date: String) in
            portal.change(
                .put, "/studies/\(study)/participants/\(name)/anchors/op", "{\"date\": \"\(date)\"}",
                as: .lena
            ).status
        }
        #expect(move("2026-11-21") == 200)
        try called.send()
        #expect(try due() == ["2026-11-21T09:00:00Z"])
        // It waits: the same message, later.
        portal.wait(seconds: 60)
        #expect(move("2026-11-22") == 200)
        portal.wait(seconds: 360)
        try called.send()
        #expect(try due() == ["2026-11-22T09:00:00Z"])
        try live(until: "2026-11-22T08:59:00Z")
        #expect(called.relay.messages.isEmpty)
        try live(until: "2026-11-22T09:06:00Z")
        #expect(called.relay.messages.count == 1)
        // One day further it is the same prompt, a day longer, and was told.
        #expect(move("2026-11-23") == 200)
        try live(until: "2026-11-23T12:00:00Z")
        #expect(called.relay.messages.count == 1)
        // Weeks later it asks anew.
        #expect(move("2026-12-14") == 200)
        try live(until: "2026-12-14T12:00:00Z")
        #expect(called.relay.messages.count == 2)
        let reminders = try portal.count("study_reminders")
        #expect(reminders == 1)
    }
}
