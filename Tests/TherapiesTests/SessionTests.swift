import Database
import HTTP
import Scheduling
import Testing
import Wire
import Wording

@testable import Records
@testable import Therapies
@testable import Web

/// Sessions: which are one, which number they have, and how long they may be.
@Suite struct SessionTests {
    private let zone = Zone("Europe/Vienna")
    /// Friday, 20 November 2026, 10:00 in Vienna.
    private let now = Instant("2026-11-20T09:00:00Z") ?? .distantPast

    /// - Parameters:
    ///   - minute: when it begins, counted from now; it lasts 50 minutes.
    ///   - noted: when it was noted, in minutes from now.
    private func session(
        _ id: String, at minute: Int64, appointment: String? = nil, mark: Session.State? = nil,
        noted: Int64 = 0,
        changed: Int64? = nil
    ) throws -> Session {
        let start = now.adding(seconds: minute * 60)
        return try row(
            """
            SELECT \(id) AS id, \(start) AS starts_at, \(start.adding(seconds: 3000)) AS ends_at, \(mark) AS mark,
                \(appointment) AS appointment_id, 1 AS is_shown, 2 AS sequence,
                \(now.adding(seconds: noted * 60)) AS noted_at, NULL AS revised_at,
                \(changed.map { now.adding(seconds: $0 * 60) }) AS changed_at
            """)
    }

    @Test(
        arguments: [
            (-51, nil, .held), (-50, nil, .held), (-49, nil, .planned), (10, nil, .planned),
            (-51, .missed, .missed),
            (10, .cancelled, .cancelled), (10, .held, .held), (-51, .planned, .held),
            (-49, .planned, .planned),
        ] as [(Int64, Session.State?, Session.State)])
    func `a session took place once its end has passed, unless the therapist says otherwise`(
        _ minute: Int64, _ mark: Session.State?, _ state: Session.State
    ) throws {
        let session = try session("a", at: minute, mark: mark)
        #expect(session.state(at: now) == state)
        #expect(session.isComing(at: now) == (state == .planned))
    }

    @Test
    func
        `what is noted and entered for one time is one session: its times, the therapist's word, the first id`()
        throws
    {
        let merged = Session.merged([
            try session("noted", at: 10, mark: .missed, noted: -30, changed: -5),
            try session("entered", at: 0, appointment: "x", noted: -20),
        ])
        #expect(merged.count == 1)
        let one = try #require(merged.first)
        #expect(one.startsAt == now && one.mark == .missed && one.id == "noted")
        #expect(one.records == ["entered", "noted"] && one.markedRecord == "noted")
        #expect(one.sequence == 2 && one.revisedAt == now.adding(seconds: -300))
    }

    @Test func `of several words the newest counts`() throws {
        let appointment = try session("e", at: 0, appointment: "x", noted: -60)
        let old = try session("o", at: 5, mark: .held, noted: -50, changed: -40)
        let new = try session("n", at: 10, mark: .missed, noted: -45, changed: -30)
        for records in [[appointment, old, new], [new, old, appointment]] {
            let merged = Session.merged(records)
            #expect(
                merged.map(\.mark) == [.missed] && merged.map(\.id) == ["e"]
                    && merged.map(\.markedRecord) == ["n"])
        }
    }

    @Test func `what only touches is two, and two that were noted are two`() throws {
        let appointment = try session("e", at: 0, appointment: "x")
        #expect(Session.merged([appointment, try session("n", at: 50)]).map(\.id) == ["e", "n"])
        #expect(Session.merged([appointment, try session("n", at: -50)]).map(\.id) == ["n", "e"])
        #expect(
            Session.merged([try session("b", at: 10), try session("a", at: 10)]).map(\.id) == ["a", "b"])
        #expect(Session.merged([]).isEmpty)
    }

    @Test func `numbers count what was held since the therapy's first day`() throws {
        let day: Int64 = 24 * 60
        let sessions = [
            try session("before", at: -10 * day), try session("first", at: -3 * day),
            try session("missed", at: -2 * day, mark: .missed), try session("second", at: -day),
            try session("coming", at: day),
        ]
        let list = SessionList(sessions, startedOn: LocalDate("2026-11-17"), zone: zone, now: now)
        #expect(list.all.map(\.number) == [nil, 1, nil, 2, nil] && list.count == 2)
        #expect(list.all.map(\.isOff) == [false, false, true, false, false])
        #expect(list.all[1].anchor == "session-1" && list.all[2].anchor == "session-missed")
        #expect(list.newestFirst.map(\.session.id) == ["coming", "second", "missed", "first", "before"])
        #expect(SessionList(sessions, startedOn: nil, zone: zone, now: now).count == 3)
    }

    private func wrong(_ form: Form) -> [String] {
        do {
            _ = try SessionDraft.read(
                InputReader(form: form), zone: zone, now: now)
            return []
        } catch { return error.errors.list.map { "\($0.field) \($0.message.key)" } }
    }

    @Test(
        arguments: [
            ("2026-11-20T10:00", "2026-11-20T10:05", []), ("2026-11-20T10:00", "2026-11-20T20:00", []),
            ("2026-11-20T10:00", "", []),
            ("2026-11-20T10:00", "2026-11-20T10:04", ["ends_at errors.session_length"]),
            ("2026-11-20T10:00", "2026-11-20T20:01", ["ends_at errors.session_length"]),
            ("2026-11-20T10:00", "2026-11-20T10:00", ["ends_at errors.ends_before_start"]),
            ("2016-11-20T10:00", "", ["starts_at errors.session_far"]),
            ("2028-11-20T10:00", "", ["starts_at errors.session_far"]),
            ("", "2026-11-20T10:00", ["starts_at errors.required"]),
            ("x", "y", ["starts_at errors.day_and_time", "ends_at errors.day_and_time"]),
        ] as [(String, String, [String])])
    func `a session lasts from five minutes to ten hours, not ten years ago and not in two years`(
        _ start: String, _ end: String, _ errors: [String]
    ) {
        #expect(wrong(["starts_at": start, "ends_at": end]) == errors)
    }

    @Test func `without an end a session lasts fifty minutes, and keeps its length when it is moved`() throws
    {
        let draft = try SessionDraft.read(
            InputReader(form: ["starts_at": "2026-11-20T10:00"]), zone: zone, now: now)
        #expect(draft.startsAt == now && draft.endsAt == now.adding(seconds: 3000))
        let moved = draft.moved(to: now.adding(days: 7))
        #expect(moved.endsAt == now.adding(days: 7).adding(seconds: 3000))
    }
}
