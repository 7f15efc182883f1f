import HTTP
import JSON
import Testing
import Wire

@testable import Participants
@testable import PortalTesting
@testable import Records
@testable import Web

/// IO-16: one question tells which lists have changed.
@Suite struct ChangesTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test(arguments: [Person.pia, .nora], ["de", "en"])
    func `IO-16 every tag is the one that the list itself answers`(person: Person, language: String) {
        let wanted: Headers = ["Accept-Language": language]
        let changes = portal.call(.get, "/my/changes", as: person, wanted)
        #expect(changes.status == 200)
        for name in Changes.names {
            let list = portal.call(.get, Changes.path(of: name), as: person, wanted)
            if list.status == 403 {
                #expect(person == .nora && changes.attributes[name] == .null, "\(name)")
            } else {
                #expect(list.status == 200, "\(name): \(list.text)")
                #expect(changes.attributes[name]?.string == list.headers["ETag"], "\(name)")
            }
        }
    }

    @Test func `IO-16 nothing new is 304, and a change moves its own tag alone`() throws {
        let first = portal.call(.get, "/my/changes", as: .pia)
        let tag = try #require(first.headers["ETag"])
        #expect(portal.call(.get, "/my/changes", as: .pia, ["If-None-Match": tag]).status == 304)
        #expect(
            portal.call(
                .put, "/my/sensor-settings", #"{"gps": true, "microphone": false}"#, as: .pia
            ).status == 200)
        let second = portal.call(.get, "/my/changes", as: .pia, ["If-None-Match": tag])
        #expect(second.status == 200)
        let moved = Changes.names.filter { first.attributes[$0] != second.attributes[$0] }
        #expect(moved == ["sensor_settings"])
    }

    @Test func `IO-16 asking leaves no trace of a refusal`() throws {
        #expect(portal.call(.get, "/my/changes", as: .nora).attributes["appointments"] == .null)
        #expect(try !portal.audit().contains("access.denied"))
    }
}
