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

    @Test func `ST-1 a session calls once, not after its answer, and not where it is called off`() throws {
        let therapy = "/patients/\(portal.cast.therapies[.pia] ?? "")"
        let mark = { (session: String) in
            portal.change(.patch, "\(therapy)/sessions/\(session)", #"{"state": "cancelled"}"#, as: .ada)
                .status
        }
        for one in portal.call(.get, "\(therapy)/sessions", as: .ada).list {
            #expect(mark(one["id"]?.string ?? "") == 200)
        }
        let study = desk.begin(
            """
            {"tells_session_dates": true, "time_points": [
                {"key": "each", "title": {"de": "Jede Sitzung"}, "anchor": "each_session", "after": 1}]}
            """)
        _ = desk.add("wellbeing-5", to: study, #", "time_point": "each""#)
        #expect(desk.enrol(.pia, in: study).status == 201)
        let note = { (day: Int) in
            portal.call(
                .post, "\(therapy)/sessions",
                #"{"starts_at": "2026-11-\#(day)T12:00:00Z", "ends_at": "2026-11-\#(day)T12:50:00Z"}"#,
                as: .ada
            ).id
        }
        _ = (note(21), note(25))
        let off = note(22)
        called.subscribe(.pia)
        try called.send()
        #expect(try due() == ["2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z"])
        #expect(try portal.count("study_reminders") == 2)
        portal.wait(seconds: 60)
        #expect(mark(off) == 200)
        #expect(try portal.count("study_reminders") == 1)
        // Answered before it is told.
        try live(until: "2026-11-21T07:00:00Z")
        let prompt = portal.call(.get, "/my/assignments", as: .pia).list.first {
            $0["attributes"]?["source"]?.string == "study"
        }
        let sent = desk.answer("wellbeing-5", in: study, as: .pia, assignment: prompt?["id"]?.string)
        #expect(sent.status == 201, "\(sent.text)")
        try live(until: "2026-11-24T12:00:00Z")
        #expect(called.relay.messages.isEmpty)
        try live(until: "2026-11-27T12:00:00Z")
        #expect(called.relay.messages.count == 1)
    }
}
