import Database
import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// The remains of a deleted account, and the hint about them beforehand (FD-59).
@Suite struct KeptCopiesTests {
    private func holds(_ bytes: Data, _ portal: TestPortal) throws -> Bool {
        // What was asked of the writer before these is done.
        for _ in 0..<2 { try portal.services.records.writeUnaudited(.madeUp) { _ in } }
        return try portal.stored().holds(bytes)
    }

    @Test func `page and call say how long backups keep it, in both languages`() throws {
        for (days, told) in [(30, "30"), (7, "7"), (0, "35")] {
            let portal = try TestPortal { $0.backupDays = days }
            let german = portal.get("/my/settings/deletion", as: .pia).text
            #expect(
                german.contains("Sicherungskopien")
                    && german.contains("\(told) Tage aufbewahrt, höchstens 35"))
            #expect(german.contains("In Sicherungskopien bleibt sie diese 14 Tage länger"))
            let english = portal.call(.get, "/my/account/deletion", as: .pia, ["Accept-Language": "en"])
            let message = english.attributes["message"]?.string ?? ""
            #expect(message.contains("kept for \(told) days, 35 at most"))
            #expect(message.contains("the last sound one stays longer") && message.contains("14 days longer"))
        }
    }

    @Test func `a file that was laid aside is gone from the database file when its days are over`() throws {
        let portal = try TestPortal()
        let password = #"{"password": "\#(Cast.password)"}"#
        #expect(portal.call(.delete, "/my/account", password, as: .pia).status == 204)
        let sealed: [UInt8] = try portal.services.records.read {
            try #require(try $0.value("SELECT document FROM kept_files LIMIT 1"))
        }
        let piece = Data(sealed.prefix(200).suffix(64))
        #expect(try holds(piece, portal))
        portal.wait(days: 13)
        Housekeeping.run(portal.services)
        #expect(try holds(piece, portal))
        portal.wait(days: 2)
        Housekeeping.run(portal.services)
        #expect(try portal.count("kept_files") == 0)
        #expect(try !holds(piece, portal))
    }
}
