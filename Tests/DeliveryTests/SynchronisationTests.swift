import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting
@testable import Records
@testable import Scheduling
@testable import Therapies
@testable import Web

/// Questionnaires between phone and server (figure 5.16 and the last chapter of `api.md`): what each step of the phone
/// finds, whatever the server has done meanwhile.
@Suite struct SynchronisationTests {
    let portal: TestPortal
    var pia: ID<Therapy> { portal.cast.therapies[.pia] ?? "" }

    init() throws { portal = try TestPortal() }

    /// What happened on the server since the phone last synchronised, when the answers were completed on the phone, and
    /// what comes of it: whether the assignment is still listed, the status of the submission, whether it is kept.
    static let table: [(server: String, completed: String, isListed: Bool, status: Int, isKept: Bool)] = [
        ("nothing", "in time", true, 201, true), ("nothing", "too early", true, 422, false),
        ("nothing", "not yet", true, 422, false), ("withdrawn", "before that", false, 201, true),
        ("withdrawn", "after that", false, 409, false), ("expired", "in time", false, 201, true),
        ("expired", "after that", false, 422, false), ("answered", "in time", false, 409, false),
        ("answered the same", "in time", false, 200, true), ("ended", "before that", false, 201, true),
        ("ended", "after that", false, 403, false), ("ended long ago", "before that", false, 403, false),
    ]

    @Test(arguments: table.indices) func `5.4.5 what was completed in time is taken, then gone`(
        index: Int
    ) throws {
        let row = Self.table[index]
        let before = portal.call(.get, "/my/assignments", as: .pia)
        #expect(before.list.count == 1)
        try change(row.server)
        let list = portal.call(.get, "/my/assignments", as: .pia)
        #expect(list.list.contains { $0["id"]?.string == portal.cast.assignment } == row.isListed, "\(row)")
        let isSame = row.server == "nothing"
        #expect((list.headers["ETag"] == before.headers["ETag"]) == isSame, "\(row)")
        let path = row.server == "answered the same" ? Self.other : SheetSample.path
        let body = SheetSample.sheetBody(
            assignment: portal.cast.assignment, at: moment(row.completed, row.server))
        let sent = portal.call(.put, path, body, as: .pia)
        #expect(sent.status == row.status, "\(row) \(sent.text)")
        let kept = portal.call(.get, "/my" + path.dropFirst(3), as: .pia)
        #expect((kept.status == 200) == row.isKept, "\(row)")
        // Sent again, because the answer was lost: nothing is doubled.
        let count = try portal.count("contributions")
        let again = portal.call(.put, path, body, as: .pia)
        #expect(again.status == (row.isKept ? 200 : row.status), "\(row)")
        #expect(try portal.count("contributions") == count)
    }

    private static let other = "/my/contributions/0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b77"

    private func change(_ what: String) throws {
        switch what {
        case "withdrawn":
            let path = "/patients/\(pia)/assignments/\(portal.cast.assignment)"
            #expect(portal.call(.delete, path, as: .ada).status == 204)
            portal.wait(seconds: 7200)
        case "expired": portal.wait(days: 7)
        case "answered", "answered the same":
            let body = SheetSample.sheetBody(
                assignment: portal.cast.assignment,
                at: what == "answered" ? "2026-11-20T08:30:00Z" : "2026-11-20T08:45:00Z")
            #expect(portal.call(.put, Self.other, body, as: .pia).status == 201)
        case "ended", "ended long ago":
            let now = portal.now
            let ada = portal.cast.accounts[.ada] ?? ""
            try portal.services.records.writeUnaudited(.madeUp) { [pia] connection in
                try TherapyStore.end(
                    pia, on: LocalTime(now, Zone("UTC")).date, at: now, therapist: ada, connection)
            }
            portal.wait(days: what == "ended" ? 1 : 31)
        default: break
        }
    }

    private func moment(_ completed: String, _ server: String) -> String {
        switch completed {
        case "too early": "2026-11-19T08:00:00Z"
        case "not yet": "2026-11-20T12:00:00Z"
        case "after that": server == "expired" ? "2026-11-27T08:00:00Z" : "2026-11-20T10:00:00Z"
        default: "2026-11-20T08:45:00Z"
        }
    }
}
