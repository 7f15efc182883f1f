import Foundation
import JSON
import Testing

@testable import PortalClient

/// `Tests/Scripts/verdicts.json` is followed by the outbox of the browser as well (`verdicts.mjs`).
@Suite struct VerdictTests {
    static let table: [[JSON]] = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let bytes = (try? Data(contentsOf: tests.appending(path: "Scripts/verdicts.json"))) ?? Data()
        return (try? JSON.parse(Array(bytes), allowsNull: true))?.array?.compactMap(\.array) ?? []
    }()

    @Test(arguments: table)
    func `RP-102 an answer says the same to an app as to a browser`(_ row: [JSON]) throws {
        let status = Int(try #require(row[0].number))
        let reply = ServerReply(status: status, body: try JSONEncoder().encode(row[1]))
        #expect(Refusal(reply).isFinal == (row[2].string == "refused"), "\(row)")
    }

    @Test func `RP-102 the table has every verdict`() {
        #expect(Self.table.count >= 20)
        let verdicts = Set(Self.table.compactMap { $0.last?.string })
        #expect(verdicts == ["refused", "token", "signed out", "unknown"])
    }
}
