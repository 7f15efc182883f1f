import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import PortalClient
@testable import PortalTesting
@testable import Records

/// What a run leaves out because the portal tells of all lists at once (IO-16).
@Suite struct ToldChangesTests {
    let portal: TestPortal
    let phone: Phone

    init() throws {
        portal = try TestPortal()
        phone = try Phone(portal)
    }

    func appointment(_ number: Int, _ title: String) -> (path: String, json: String) {
        let start = portal.now.adding(days: 1).adding(seconds: Int64(number) * 7200)
        let path = "/my/appointments/5a1c9a0e-98a5-4a9f-8d3e-" + String(format: "%012d", number)
        let end = start.adding(seconds: 3000)
        return (
            path,
            #"{"title": "\#(title)", "starts_at": "\#(start.text)", "ends_at": "\#(end.text)"}"#
        )
    }

    func make(_ number: Int, _ title: String) {
        let made = appointment(number, title)
        #expect(portal.call(.put, made.path, made.json, as: .pia).status == 201)
    }

    @Test func `IO-16 of five lists only the one that has changed is read`() async throws {
        await phone.sync()
        _ = phone.line.asked()
        make(1, "Sitzung")
        #expect(await phone.sync().outcome == .complete)
        let lists = phone.line.asked().filter { !$0.contains("/my/appointments/") }
        #expect(lists == ["GET /my/changes", "GET /my/appointments?limit=200"])
        #expect(try phone.store.appointments().count == 1)
        #expect(await phone.sync().requests == 1)
    }

    @Test func `a list that did not arrive is read by the next run, though the portal tells nothing new`()
        async throws
    {
        await phone.sync()
        make(1, "Sitzung")
        phone.line.next(nil, .lost)
        #expect(await phone.sync().outcome != .complete)
        #expect(try phone.store.appointments().isEmpty)
        #expect(await phone.sync().outcome == .complete)
        #expect(try phone.store.appointments().count == 1)
    }

    @Test func `IO-16 a change beyond the reach of a list's tag is seen`() async throws {
        for number in 1...60 { make(number, "Sitzung \(number)") }
        await phone.sync()
        #expect(try phone.store.appointments().count == 60)
        for number in [1, 60] {
            let changed = appointment(number, "Anders \(number)")
            #expect(portal.change(.put, changed.path, changed.json, as: .pia).status == 200)
            await phone.sync()
            let titles = try phone.store.appointments().map(\.appointment.title)
            #expect(titles.contains("Anders \(number)"), "\(number)")
        }
        // Asked for itself, and for nothing else.
        let summary = await phone.sync()
        #expect(summary.requests == 2 && summary.unchanged == 2)
    }

    @Test func `an older portal is asked list by list, and for all changes never again`() async throws {
        phone.line.isOlder = true
        #expect(await phone.sync().outcome == .complete)
        #expect(try !phone.store.assignments().isEmpty)
        _ = phone.line.asked()
        let summary = await phone.sync()
        #expect(summary.requests == 5 && summary.unchanged == 5)
        #expect(!phone.line.asked().contains { $0.contains("/my/changes") })
        // The portal was brought up to date, and the app started again: once all five, then one.
        phone.line.isOlder = false
        let again = try SyncEngine(
            phone.client, phone.store, zone: { Phone.zone }, now: { [portal] in portal.now })
        make(1, "Sitzung")
        #expect(await again.synchronise().outcome == .complete)
        #expect(try phone.store.appointments().count == 1)
        #expect(await again.synchronise().requests == 1)
    }

    @Test func `who has no therapy asks once, and begins one without a list being passed over`() async throws
    {
        let nora = try Phone(portal, of: .nora)
        #expect(await nora.sync().outcome == .complete)
        #expect(await nora.sync().requests == 1)
        let pairing =
            #"{"code": "\#(portal.cast.openCode)", "birth_date": "1980-01-01", "gender": "female"}"#
        #expect(portal.call(.post, "/my/pairing", pairing, as: .nora).status == 201)
        let therapy = portal.cast.openTherapy
        let given = #"{"kind": "task", "text": "Achten Sie auf den Weg."}"#
        #expect(portal.call(.post, "/patients/\(therapy)/interventions", given, as: .ada).status == 201)
        #expect(await nora.sync().outcome == .complete)
        #expect(try nora.store.interventions().count == 1)
        #expect(await nora.sync().requests == 1)
    }
}
