import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Wearables
@testable import Web

/// One account cannot fill the disk with measurements (FD-36).
@Suite struct IntakeTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    private var today: LocalDate { LocalTime(portal.now, Zone("Europe/Vienna")).date }

    private func put(_ date: LocalDate, steps: Int = 41) -> Response {
        portal.call(
            .put, "/my/measurement-days/steps/\(date.text)",
            """
            {"source": "health_connect", "zone": "Europe/Vienna", "complete_until": "\(portal.now.text)",
             "series": [[0, 300, \(steps)]], "total": null}
            """, as: .pia)
    }

    private func setTaken(documents: Int, bytes: Int) throws {
        let account = try #require(portal.cast.accounts[.pia])
        try portal.services.records.writeUnaudited(.madeUp) { [today] connection in
            try MeasurementIntakeStore.set(
                documents: documents, bytes: bytes, of: account, on: today, connection)
        }
    }

    private func code(_ response: Response) -> String? { response.json["code"]?.string }

    @Test func `a day from before ten years, or from before the person was born, is refused at its date`()
        throws
    {
        #expect(put(today.adding(days: -3_600)).status == 201)
        for text in ["0001-01-01", today.adding(days: -3_700).text] {
            let refused = put(try #require(LocalDate(text)))
            #expect(refused.status == 422 && refused.wrongFields == ["date"])
        }
        // No birth makes a day older than ten years possible; a child's makes fewer.
        let account = try #require(portal.cast.accounts[.pia])
        let birth = today.adding(days: -2_000)
        let therapy = try #require(portal.cast.therapies[.pia])
        let keys = portal.services.keys
        try portal.services.records.writeUnaudited(.madeUp) { connection in
            let found = try #require(try TherapyStore.running(of: account, connection))
            let sealed = try found.key(keys).seal(birth.text, for: TherapyPlace.birthDate(therapy))
            try connection.run("UPDATE therapies SET birth_date = \(sealed) WHERE id = \(therapy)")
        }
        let before = put(birth.adding(days: -1))
        #expect(before.status == 422 && before.wrongFields == ["date"])
        #expect(put(birth).status == 201)
        let single = portal.call(
            .put, "/my/measurements",
            """
            {"items": [{"id": "11111111-1111-4111-8111-111111111111", "type": "steps", "source": "health_connect",
             "starts_at": "\(birth.adding(days: -9).text)T10:00:00Z", "ends_at": "\(birth.adding(days: -9).text)T10:05:00Z",
             "value": 5}]}
            """, as: .pia)
        #expect(single.status == 422 && single.wrongFields == ["items.0.starts_at"])
        let sleep = portal.call(
            .put, "/my/sleeps/11111111-1111-4111-8111-111111111111",
            #"{"starts_at": "1999-01-01T22:00:00Z", "ends_at": "1999-01-02T06:00:00Z", "origin": "manual"}"#,
            as: .pia)
        #expect(sleep.status == 422 && sleep.wrongFields == ["starts_at"])
    }

    @Test func `RP-114 a clock that was ahead does not lock the day against the right time`() {
        let put = { (ahead: Int64, steps: Int) in
            portal.call(
                .put, "/my/measurement-days/steps/\(today.text)",
                """
                {"source": "health_connect", "zone": "Europe/Vienna", "series": [[0, 300, \(steps)]], "total": null,
                 "complete_until": "\(portal.now.adding(seconds: ahead).text)"}
                """, as: .pia)
        }
        #expect(put(301, 40).wrongFields == ["complete_until"])
        let ahead = put(280, 41)
        #expect(ahead.status == 201 && ahead.attributes["complete_until"]?.string == portal.now.text)
        portal.wait(seconds: 60)
        #expect(put(0, 42).status == 200)
    }

    @Test func `forty thousand new days an account and day, then quota until midnight`() throws {
        try setTaken(documents: 39_999, bytes: 0)
        #expect(put(today).status == 201)
        let refused = put(today.adding(days: -1))
        #expect(refused.status == 429 && code(refused) == "quota")
        let seconds = try #require(refused.headers["Retry-After"].flatMap { Int64($0) })
        let midnight = LocalTime(portal.now.adding(seconds: seconds), Zone("Europe/Vienna"))
        #expect(midnight.date == today.adding(days: 1) && midnight.hour == 0 && midnight.minute == 0)
        #expect(portal.get("/my/health", as: .pia).status == 200)
        // Stored days may still be corrected, and other accounts are not affected.
        #expect(put(today, steps: 42).status == 200)
        portal.wait(seconds: seconds)
        try portal.wait(awake: 0)
        #expect(put(today.adding(days: -2)).status == 201)
    }

    @Test func `two hundred megabytes an account and day, whatever they replace`() throws {
        #expect(put(today).status == 201)
        try setTaken(documents: 1, bytes: 199_999_999)
        let refused = put(today, steps: 42)
        #expect(refused.status == 429 && code(refused) == "quota")
        // The same again stores nothing.
        #expect(put(today).status == 200)
    }

    @Test func `of two that come at once only one is the last`() throws {
        try setTaken(documents: 39_999, bytes: 0)
        let other = today.adding(days: -1)
        let (response, hasCome) = portal.interleaving({ [self] in _ = put(other) }) { put(today) }
        #expect(hasCome && response.status == 429)
        #expect(try portal.count("measurement_days") == 1)
    }

    @Test func `what was counted goes when its day is over everywhere`() throws {
        #expect(put(today).status == 201)
        #expect(try portal.count("measurement_intake") == 1)
        portal.wait(days: 3)
        try portal.services.records.writeUnaudited(.madeUp) { [now = portal.now] connection in
            try MeasurementIntakeStore.removeExpired(now: now, connection)
        }
        #expect(try portal.count("measurement_intake") == 0)
    }
}
