import Database
import HTTP
import JSON
import Testing
import Wire

@testable import PortalTesting

/// Item 6: a patient's token ends 90 days after its last use.
@Suite struct TokenLifeTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func device() -> JSON? {
        portal.call(.get, "/my/devices", as: .pia).list.map { $0["attributes"] ?? .null }.first {
            $0["current"] == .bool(true)
        }
    }

    private func expiry() -> Instant? { device()?["expires_at"]?.string.flatMap { Instant($0) } }

    @Test func `a use every eighty days keeps a patient signed in over two hundred days`() throws {
        for _ in 0..<3 {
            portal.wait(days: 80)
            #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
            #expect(expiry() == portal.now.adding(days: 90))
        }
        portal.wait(days: 91)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
    }

    @Test func `a token that lay unused for ninety-one days is dead`() throws {
        portal.wait(days: 91)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 401)
    }

    @Test func `a use is noted once a day at most`() throws {
        portal.wait(days: 2)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        let noted = portal.now
        for _ in 0..<5 {
            portal.wait(seconds: 4 * 3600)
            #expect(device()?["last_used_at"]?.string == noted.text)
            #expect(expiry() == noted.adding(days: 90))
        }
        portal.wait(seconds: 4 * 3600 + 1)
        #expect(portal.call(.get, "/my/profile", as: .pia).status == 200)
        #expect(expiry() == portal.now.adding(days: 90))
    }

    @Test func `tokens of staff end after twelve hours, however much they are used`() throws {
        let signedIn = portal.call(
            .post, "/auth/login", #"{"email": "ada@example.org", "password": "\#(Cast.password)"}"#)
        let token = try #require(signedIn.attributes["token"]?.string)
        let bearer: Headers = ["Authorization": "Bearer \(token)"]
        for _ in 0..<35 {
            portal.wait(seconds: 20 * 60)
            #expect(portal.send(.get, "/api/v1/my/profile", bearer).status == 200)
        }
        portal.wait(seconds: 20 * 60)
        #expect(portal.send(.get, "/api/v1/my/profile", bearer).status == 401)
    }
}
