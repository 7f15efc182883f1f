import Database
import HTTP
import JSON
import Testing
import Wire
import Wording

@testable import Records
@testable import Therapies
@testable import Web

/// As whom a file is opened, and what is shown there.
@Suite struct StandingTests {
    private let now = Instant(milliseconds: 1_800_000_000_000)

    @Test(
        arguments: [
            ([.owner], true, true, true, "own", .owner),
            ([.secondTherapist], true, true, false, "act", .secondTherapist),
            ([.coverAct], true, true, false, "act", .coverAct),
            ([.coverRead], false, true, false, "read", .coverRead),
            ([.supervisor], false, false, false, "read", .supervisor),
            ([], false, false, false, "read", .supervisor),
            ([.supervisor, .coverRead], false, true, false, "read", .coverRead),
            ([.supervisor, .coverAct], true, true, false, "act", .coverAct),
            ([.coverRead, .secondTherapist], true, true, false, "act", .secondTherapist),
        ] as [(Set<FileGround>, Bool, Bool, Bool, String, FileGround)])
    func `the rights of all grounds are joined`(
        _ grounds: Set<FileGround>, _ acts: Bool, _ watches: Bool, _ owns: Bool, _ access: String,
        _ name: FileGround
    ) {
        let standing = FileStanding(grounds)
        #expect(standing.mayAct == acts && standing.isWatching == watches && standing.isOwner == owns)
        #expect(standing.access == access && standing.name == name)
    }

    @Test func `a cover is on from its first moment up to its last, or until it is ended`() throws {
        let cover = CoverRecord(
            id: "c", by: "ada", colleague: "ben", .act, isForAll: true, startsOn: LocalDate(daysSince1970: 1),
            endsOn: LocalDate(daysSince1970: 2), startsAt: now, endsAt: now.adding(days: 2))
        #expect(!cover.isOn(at: now.adding(seconds: -1)) && cover.isOn(at: now))
        #expect(cover.isOn(at: now.adding(seconds: 2 * 86_400 - 1)) && !cover.isOn(at: now.adding(days: 2)))
        #expect(!cover.isOver(at: now) && cover.isOver(at: now.adding(days: 2)))
    }

    private func therapy(_ columns: (arm: String?, pairedAt: Instant?, endedAt: Instant?) = (nil, nil, nil))
        throws -> Therapy
    {
        try row(
            """
            SELECT 't' AS id, 'ada' AS therapist_id, 'pia' AS account_id, 'holder' AS holder_id, 'C123456' AS codename,
                NULL AS gender, \(now) AS created_at, \(columns.pairedAt) AS paired_at,
                NULL AS led_since, '2026-11-02' AS started_on,
                NULL AS ends_on, \(columns.endedAt) AS ended_at, NULL AS ended_on, NULL AS last_activity_at,
                x'00' AS wrapped_key, \(columns.arm) AS arm, NULL AS note, NULL AS alias, NULL AS birth_date
            """)
    }

    @Test func `a therapy takes sheets of its patient and of the holder before them`() throws {
        let therapy = try therapy()
        #expect(
            ["pia", "holder", "ada", ""].map { therapy.takesSheets(of: $0) } == [true, true, false, false])
    }

    @Test(
        arguments: [(nil, true), ("full", true), ("no_interventions", false), ("no_app", false)]
            as [(String?, Bool)])
    func `a control group receives no interventions`(_ arm: String?, _ receives: Bool) throws {
        #expect(try therapy((arm, nil, nil)).mayReceiveInterventions == receives)
    }

    @Test func `a pairing or an end between two looks makes it another person's`() throws {
        let earlier = try therapy((nil, now, nil))
        #expect(earlier.isWithTheSamePerson(as: try therapy((nil, now, nil))))
        #expect(!earlier.isWithTheSamePerson(as: try therapy((nil, now.adding(seconds: 1), nil))))
        #expect(!earlier.isWithTheSamePerson(as: try therapy((nil, now, now))))
    }

    @Test func `a change empties what is sent empty, keeps what is not, and never ends before it starts`()
        throws
    {
        let therapy = try therapy()
        let read = { (json: String) in
            try PatientChange.read(InputReader(json: JSON.parse(Array(json.utf8))), of: therapy)
        }
        let change = try read(#"{"note": null, "alias": "Frau Winter"}"#)
        #expect(change.note == .some(nil) && change.alias == .some("Frau Winter") && change.startedOn == nil)
        #expect(throws: Problem.self) { try read(#"{"therapy_ends_on": "2026-11-01"}"#) }
        #expect(throws: Never.self) {
            try read(#"{"therapy_started_on": null, "therapy_ends_on": "2026-11-01"}"#)
        }
    }

    @Test(
        arguments: [
            (300, []), (301, ["at phone.future"]), (-3650 * 86_400, []),
            (-3650 * 86_400 - 1, ["at phone.far"]),
        ]
            as [(Int64, [String])])
    func `a call lies in the past, and not ten years back`(_ seconds: Int64, _ errors: [String]) {
        let moment = now.adding(seconds: seconds)
        do {
            let draft = try PhoneContactDraft.read(
                InputReader(json: .object([JSON.Member("at", .string(moment.text))])), nil, now: now)
            #expect(errors.isEmpty && draft.at == min(moment, now))
        } catch { #expect(error.errors.list.map { "\($0.field) \($0.message.key)" } == errors) }
    }

    private func sharing(_ json: String, over present: MeasurementSharing) throws -> MeasurementSharing {
        try OwnSharing.read(InputReader(json: JSON.parse(Array(json.utf8))), over: present)
    }

    @Test func `what is not sent stays, a no clears the day, and a day needs a yes`() throws {
        let day = LocalDate(daysSince1970: 20_777)
        let present = MeasurementSharing(shared: [.steps: day, .sleep: LocalDate?.none])
        #expect(try sharing("{}", over: present) == present)
        let more = try sharing(
            #"{"steps": false, "listening": true, "since": {"sleep": "\#(day.text)"}}"#, over: present)
        #expect(more == MeasurementSharing(shared: [.sleep: day, .listening: LocalDate?.none]))
        // As a client sends back what it was told.
        #expect(
            try sharing(#"{"steps": false, "since": {"steps": "\#(day.text)"}}"#, over: present).shared[
                .steps] == nil)
        let error = #expect(throws: Problem.self) {
            try sharing(#"{"since": {"tinnitus": "\#(day.text)"}}"#, over: present)
        }
        #expect(error?.errors.list.map(\.field) == ["since.tinnitus"])
    }
}
