import Foundation
import HTTP
import Testing
import Wire

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Secrets
@testable import Web

/// FD-12: every cookie's life stands in one table.
@Suite struct CookieTests {
    private let now = Cast.now
    private let token = Token()

    private func life(_ cookie: NewCookie, at now: Instant) -> Int64? {
        cookie.header(at: now, isSecure: true).firstMatch(of: /Max-Age=(\d+)$/).flatMap { Int64($0.1) }
    }

    @Test(
        arguments: [
            (CookieKind.session, "sid", nil), (.ownDevice, "sid", 90 * 86_400),
            (.known, "known", 90 * 86_400),
            (.linkDraft, "sheet", 48 * 3600),
        ] as [(CookieKind, String, Int64?)])
    func `FD-12 a cookie lives as long as its kind says`(
        _ kind: CookieKind, _ name: String, _ seconds: Int64?
    ) {
        #expect(kind.name(isSecure: false) == name && kind.name(isSecure: true) == "__Host-" + name)
        #expect(kind.seconds == seconds)
        let header = NewCookie(kind, token).header(at: now, isSecure: true)
        #expect(header.hasPrefix("__Host-\(name)=\(token.text); Path=/; HttpOnly; SameSite=Lax; Secure"))
        #expect(life(NewCookie(kind, token), at: now) == seconds)
        #expect(life(NewCookie(kind, nil), at: now) == 0)
    }

    @Test func `FD-12 every kind of cookie is in the table above`() {
        #expect(CookieKind.allCases.count == 4)
    }

    @Test func `FD-12 no cookie is made elsewhere`() throws {
        let root = Cast.root + "/Sources"
        let makers = try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
            guard path.hasSuffix(".swift") else { return false }
            let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
            return text.contains("SetCookie(") || text.contains("\"Set-Cookie\", \"")
        }
        #expect(makers == ["Web/Request/Cookies.swift"])
    }

    @Test func `FD-12 no cookie outlives the end it was given`() {
        let end = now.adding(days: 365)
        let cookie = NewCookie.session(token, staysUntil: end)
        #expect(life(cookie, at: now) == 7_776_000)
        #expect(life(cookie, at: now.adding(days: 360)) == 432_000)
        #expect(life(cookie, at: now.adding(days: 366)) == 0)
        #expect(life(.session(token), at: now) == nil)
    }
}
