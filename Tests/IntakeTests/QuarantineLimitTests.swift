import Database
import Foundation
import HTTP
import Testing
import Wire

@testable import Identity
@testable import Intake
@testable import PortalTesting
@testable import Records
@testable import Web

/// What of an account may wait undecided, in bytes.
@Suite struct QuarantineLimitTests {
    typealias Desk = HeldListTests.Desk

    let lists: HeldListTests
    var portal: TestPortal { lists.portal }

    init() throws { lists = try HeldListTests() }

    /// A device's sheet that is refused, of the same length each time.
    /// - Returns: whether it was kept.
    func isKept(_ desk: Desk, _ number: Int) throws -> Bool {
        let before = try portal.count("quarantined_sheets")
        #expect(send(desk, number) == 422)
        return try portal.count("quarantined_sheets") > before
    }

    func send(_ desk: Desk, _ number: Int) -> Int {
        guard desk == .study else {
            let ahead = "2026-11-22T08:45:0\(number)Z"
            let sheet = SheetSample.sheetBody(assignment: portal.cast.assignment, at: ahead)
            return portal.call(.put, SheetSample.path, sheet, as: .pia).status
        }
        return portal.call(
            .put, "/my/contributions/\(UUID().uuidString.lowercased())",
            """
            {"study_id": "\(lists.study)", "questionnaire_id": "\(UUID().uuidString.lowercased())",
             "started_at": "\(portal.now.text)", "completed_at": "\(portal.now.text)",
             "timezone": "Europe/Vienna", "answers": {"calm": \(number)}}
            """, as: .nora
        ).status
    }

    /// Puts one on a desk that is longer than any a device may send.
    @discardableResult
    func lay(_ desk: Desk, _ bytes: Int, of account: ID<Account>) throws -> ID<QuarantinedRecord> {
        try lists.lay(desk, of: account, at: portal.now) { _ in Array(repeating: 0, count: bytes) }
    }

    /// The length of a sealed sheet that a device sends.
    func length(_ desk: Desk) throws -> Int {
        #expect(try isKept(desk, 0))
        return try portal.services.records.read { connection in
            try connection.count("SELECT length(sheet) FROM quarantined_sheets")
        }
    }

    @Test(arguments: Desk.allCases)
    func `16 MiB of an account may wait at a kind of desk, and what goes over is refused and not kept`(
        _ desk: Desk
    ) throws {
        let length = try length(desk)
        let rest = try lay(desk, Quarantine.mostBytes - 2 * length, of: lists.account(desk))
        #expect(try isKept(desk, 1))
        #expect(try !isKept(desk, 2))
        try portal.services.records.writeUnaudited(.madeUp) { [portal, lists] connection in
            try QuarantineStore.decide(
                .discarded, rest, at: lists.place(desk), by: portal.cast.accounts[lists.decider(desk)] ?? "",
                now: portal.now, connection)
        }
        #expect(try isKept(desk, 2))
    }

    @Test(arguments: Desk.allCases)
    func `what waits of others, or of the account at the other kind of desk, does not count`(_ desk: Desk)
        throws
    {
        let other: Desk = desk == .therapy ? .study : .therapy
        try lay(other, Quarantine.mostBytes, of: lists.account(desk))
        try lay(desk, Quarantine.mostBytes, of: lists.account(other))
        #expect(try isKept(desk, 1))
    }

    @Test(arguments: Desk.allCases)
    func `what comes between is measured before a sheet is kept`(_ desk: Desk) throws {
        // A clock that is wrong is found in a write of its own, before the one that keeps its sheet.
        let (status, hasComeToWrite) = portal.interleaving(after: desk == .therapy ? 1 : 0) {
            #expect(throws: Never.self) { try lay(desk, Quarantine.mostBytes, of: lists.account(desk)) }
        } _: {
            send(desk, 1)
        }
        #expect(status == 422 && hasComeToWrite)
        #expect(try portal.count("quarantined_sheets") == 1)
    }
}
