import Foundation
import HTTP
import JSON
import Testing

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// `export` on the command line, beside a server that goes on.
@Suite struct ExportCommandTests {
    @Test func `ST-6 a file is not left with what was withdrawn while it was made`() throws {
        let portal = try TestPortal()
        let desk = StudyDesk(portal: portal)
        try portal.publish("wellbeing-5")
        let study = desk.begin()
        _ = desk.add("wellbeing-5", to: study)
        #expect(desk.enrol(.nora, in: study).status == 201)
        #expect(desk.answer("wellbeing-5", in: study, as: .nora).status == 201)
        let name = try #require(portal.call(.get, "/studies/\(study)", as: .lena).attributes["name"]?.string)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let settings = portal.services.settings
        #expect(throws: StartError.self) {
            try Operations.export(settings, study: name, format: "csv", to: path) {
                let left = portal.call(.delete, "/studies/\(study)/enrolment?data=remove", as: .nora)
                #expect(left.status == 204)
            }
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try Operations.export(settings, study: name, format: "csv", to: path).contains("0 sheets"))
        #expect(FileManager.default.fileExists(atPath: path))
    }
}
