import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// IO-17, C12: consent at any time, and the devices that are signed in.
@Suite struct PrivacyTests {
    let portal: TestPortal

    init() throws { portal = try TestPortal() }

    @Test func `IO-17 E4 consent is given and taken back, each time written down`() throws {
        let choices = { portal.call(.get, "/my/privacy", as: .pia).attributes["history"]?.array ?? [] }
        #expect(choices().map { $0["research_consent"] } == [.bool(true)])
        let put = { (body: String) in portal.call(.put, "/my/privacy", body, as: .pia) }
        portal.wait(seconds: 60)
        #expect(put(#"{"research_consent": false}"#).attributes["research_consent"] == .bool(false))
        #expect(portal.call(.get, "/my/profile", as: .pia).attributes["research_consent"] == .bool(false))
        #expect(put(#"{"research_consent": false}"#).status == 200)
        #expect(choices().count == 2 && choices().first?["changed_at"] == .string("2026-11-20T09:01:00Z"))
        #expect(put(#"{"research_consent": true}"#).status == 200)
        #expect(choices().map { $0["research_consent"] } == [.bool(true), .bool(false), .bool(true)])
        #expect(put("{}").wrongFields == ["research_consent"])
        #expect(put(#"{"research_consent": "ja"}"#).status == 422)
        #expect(portal.call(.get, "/my/privacy", as: .quinn).attributes["history"]?.array?.count == 1)
        #expect(try portal.audit().filter { $0 == "consent.chosen" }.count == 2)
        // E5: treatment goes on, whatever was said.
        #expect(portal.call(.get, "/my/assignments", as: .pia).list.count == 1)
    }

    @Test func `C12 devices are listed by name and signed out one by one`() throws {
        let body =
            #"{"email": "pia@example.org", "password": "\#(Cast.password)", "device_name": "Pias Tablet", "client": {"platform": "ios", "os_version": "19", "app_version": "1.0"}}"#
        portal.wait(seconds: 60)
        let token = portal.call(.post, "/auth/login", body).attributes["token"]?.string ?? ""
        let devices = portal.call(.get, "/my/devices", as: .pia).list
        #expect(devices.count == 3 && devices.first?["attributes"]?["device_name"] == .string("Pias Tablet"))
        #expect(devices.count { $0["attributes"]?["current"] == .bool(true) } == 1)
        let tablet = devices.first?["id"]?.string ?? ""
        #expect(portal.call(.delete, "/my/devices/\(tablet)", as: .quinn).status == 404)
        #expect(portal.call(.delete, "/my/devices/\(tablet)", as: .pia).status == 204)
        #expect(portal.send(.get, "/api/v1/my/profile", ["Authorization": "Bearer \(token)"]).status == 401)
        #expect(portal.call(.delete, "/my/devices/\(tablet)", as: .pia).status == 404)
        // Her browser is one too.
        #expect(portal.call(.get, "/my/devices", as: .pia).list.count == 2)
    }
}
