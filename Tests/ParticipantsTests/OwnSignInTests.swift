import Foundation
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web

/// PW-5: patients and participants sign in by the same form, and stay where they want to.
@Suite struct OwnSignInTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func signedIn(staying: Bool = false) -> Browser {
        let browser = Browser(portal)
        let form = [("email", "pia@example.org"), ("password", Cast.password), ("next", "/")]
        let answer = browser.post("/login", form + (staying ? [("stay_signed_in", "true")] : []))
        #expect(answer.status == 303 && answer.headers["Location"] == "/my")
        return browser
    }

    @Test func `PW-5 a patient signs in and begins at her own day`() {
        let browser = signedIn()
        let page = browser.get("/my")
        #expect(page.status == 200 && page.text.contains("Guten Morgen"))
        #expect(browser.get("/").headers["Location"] == "/my")
        #expect(browser.get("/patients").status == 403 && browser.get("/my/more").status == 200)
    }

    @Test func `PW-5 without staying half an hour of silence ends the session, and 12 hours do in any case`()
    {
        let browser = signedIn()
        portal.wait(seconds: 29 * 60)
        #expect(browser.get("/my").status == 200)
        portal.wait(seconds: 31 * 60)
        #expect(browser.get("/my").headers["Location"] == "/login?next=%2Fmy")
        let other = signedIn()
        for _ in 0..<35 {
            portal.wait(seconds: 20 * 60)
            #expect(other.get("/my").status == 200)
        }
        portal.wait(seconds: 25 * 60)
        #expect(other.get("/my").status == 303)
    }

    @Test func `PW-5 who stays is signed in 90 days after the last use, and a year at most`() {
        let browser = signedIn(staying: true)
        for _ in 0..<4 {
            portal.wait(days: 89)
            #expect(browser.get("/my").status == 200)
        }
        portal.wait(days: 10)
        #expect(browser.get("/my").status == 303)
        let lazy = signedIn(staying: true)
        portal.wait(days: 91)
        #expect(lazy.get("/my").status == 303)
    }

    @Test func `FD-12 who stays is signed in still when the browser is opened again, renewed as it is used`()
    {
        let browser = signedIn(staying: true)
        for _ in 0..<6 {
            browser.closeAndOpen()
            portal.wait(days: 50)
            #expect(browser.get("/my").status == 200)
            // Once a day is enough.
            portal.wait(seconds: 3600)
            #expect(browser.get("/my").headers["Set-Cookie"] == nil)
        }
        portal.wait(days: 64)
        let last = browser.get("/my/more").headers["Set-Cookie"]
        // Never beyond a year from signing in.
        #expect(
            last?.firstMatch(of: /Max-Age=(\d+)/).flatMap { Int($0.1) } ?? .max <= 86_400, "\(last ?? "-")")
        portal.wait(days: 1)
        browser.closeAndOpen()
        #expect(browser.value(of: "sid") == nil)
        #expect(browser.get("/my").headers["Location"] == "/login?next=%2Fmy")
    }

    @Test func `FD-12 a write renews it too, and a session of before that knew no end is given one`() {
        let browser = signedIn(staying: true)
        // As it was set before it said when it ends.
        browser.cookie = browser.cookie
        portal.wait(days: 2)
        let answer = browser.post("/my/settings/sensors", [("gps", "true")])
        #expect(answer.headers["Set-Cookie"]?.contains("Max-Age=7776000") == true, "\(answer.headers)")
        browser.closeAndOpen()
        #expect(browser.get("/my").status == 200)
    }

    @Test func `FD-12 without staying closing the browser signs out, and nothing of it is listed for long`() {
        let browser = signedIn()
        browser.closeAndOpen()
        #expect(browser.get("/my").status == 303)
        portal.wait(seconds: 31 * 60)
        let other = signedIn()
        let page = other.get("/my/settings/devices").text
        #expect(page.components(separatedBy: "/removal").count - 1 <= 2, "\(page)")
    }

    @Test func `PW-5 staff never stay, and never mix with patients`() {
        let browser = Browser(portal)
        let form = [
            ("email", "ada@example.org"), ("password", Cast.password), ("next", "/my"),
            ("stay_signed_in", "true"),
        ]
        #expect(browser.post("/login", form).headers["Location"] == "/")
        #expect(browser.get("/my").status == 403)
        portal.wait(seconds: 31 * 60)
        #expect(browser.get("/patients").headers["Location"]?.hasPrefix("/login") == true)
    }

    @Test func `a patient who signs in where staff were signed in ends their session`() {
        let browser = Browser(portal)
        _ = browser.signIn()
        let staff = browser.cookie
        let form = [("email", "pia@example.org"), ("password", Cast.password), ("next", "/patients")]
        #expect(browser.post("/login", form).headers["Location"] == "/my")
        browser.cookie = staff
        #expect(browser.get("/patients").headers["Location"]?.hasPrefix("/login") == true)
    }

    @Test func `PW-6 signing out clears what a patient's pages keep, and only copies of staff's`() {
        let patient = signedIn().post("/logout").headers["Clear-Site-Data"]
        #expect(patient == #""cache", "storage""#)
        let staff = Browser(portal)
        _ = staff.signIn()
        #expect(staff.post("/logout").headers["Clear-Site-Data"] == #""cache""#)
    }

    @Test func `PW-6 where something of somebody else lies in the browser, signing out clears copies alone`()
    {
        let patient = signedIn().post("/logout", [("others_stay", "true")])
        #expect(patient.headers["Clear-Site-Data"] == #""cache""#)
        #expect(patient.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        let erased = signedIn().post(
            "/my/settings/deletion", [("password", Cast.password), ("others_stay", "true")])
        #expect(erased.headers["Location"] == "/account-deleted", "\(erased.text)")
        #expect(erased.headers["Clear-Site-Data"] == #""cache""#)
    }

    @Test func `own pages allow no script but the one policy's, and are kept by nobody on the way`() throws {
        let page = signedIn().get("/my")
        let policy = try #require(page.headers["Content-Security-Policy"])
        #expect(policy.contains("require-trusted-types-for 'script'") && policy.contains("worker-src 'self'"))
        #expect(page.headers["Cache-Control"] == "no-store")
        let staff = try #require(portal.get("/", as: .ada).headers["Content-Security-Policy"])
        #expect(!staff.contains("worker-src"))
    }
}
