import HTTP
import JSON
import Testing
import Wire

@testable import Accounts
@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web

/// PW-4: a signed-in device lets another of the same person in.
@Suite struct DeviceCodeTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private func code() throws -> String {
        let made = portal.call(.post, "/my/device-codes", as: .pia)
        #expect(made.status == 201)
        let code = try #require(made.attributes["code"]?.string)
        #expect(code.wholeMatch(of: /\d{8}/) != nil)
        return code
    }

    private func enter(_ code: String) -> Response {
        portal.call(
            .post, "/auth/device",
            #"{"code": "\#(code)", "device_name": "Zweites", "client": {"platform": "ios"}}"#)
    }

    private func profile(_ token: String) -> Int {
        portal.call(.get, "/my/profile", as: .nobody, ["Authorization": "Bearer \(token)"]).status
    }

    @Test func `PW-4 the token counts once the first device has said yes`() throws {
        let answer = enter(try code())
        #expect(answer.status == 200)
        let token = try #require(answer.attributes["token"]?.string)
        #expect(profile(token) == 401)
        let state = portal.call(.get, "/my/device-codes", as: .pia).attributes
        #expect(state["waiting"] == .bool(true) && state["device_name"]?.string == "Zweites")
        #expect(portal.call(.post, "/my/device-codes/approval", as: .pia).status == 204)
        #expect(profile(token) == 200)
        #expect(portal.call(.get, "/my/device-codes", as: .pia).status == 404)
        #expect(portal.call(.post, "/my/device-codes/approval", as: .pia).status == 410)
    }

    @Test func `PW-4 a no, ten minutes and a newer code end it`() throws {
        let refused = try #require(enter(try code()).attributes["token"]?.string)
        #expect(portal.call(.post, "/my/device-codes/refusal", as: .pia).status == 204)
        #expect(portal.call(.post, "/my/device-codes/approval", as: .pia).status == 410)
        let old = try code()
        let fresh = try code()
        #expect(enter(old).status == 404)
        portal.wait(seconds: 601)
        #expect(enter(fresh).status == 404 && profile(refused) == 401)
    }

    @Test func `PW-4 a code works once, for one device`() throws {
        let code = try code()
        #expect(enter(code).status == 200)
        #expect(enter(code).status == 410)
    }

    @Test func `PW-4 ten wrong codes an hour and address, then nobody from there is asked any more`() throws {
        let right = try code()
        for _ in 0..<10 { #expect(enter("00000000").status == 404) }
        #expect(enter(right).status == 429)
        portal.wait(seconds: 3601)
        #expect(enter(try code()).status == 200)
    }

    @Test func `RP-214 a code is read in the digits of any script, and a letter makes it wrong`() throws {
        let code = try code()
        #expect(enter(code + "O").status == 404)
        let persian = String(
            String.UnicodeScalarView(
                code.unicodeScalars.compactMap { Unicode.Scalar($0.value - 0x30 + 0x06F0) }))
        #expect(enter("\(persian.prefix(4))\u{2013}\(persian.suffix(4))\u{200E}").status == 200)
    }

    @Test func `PW-4 staff have no codes`() {
        #expect(portal.call(.post, "/my/device-codes", as: .ada).status == 403)
        #expect(portal.get("/my/device-code", as: .ada).status == 403)
    }

    @Test func `PW-4 the same in two browsers`() throws {
        let first = Browser(portal)
        _ = first.signIn("pia@example.org")
        #expect(first.post("/my/device-code").headers["Location"] == "/my/device-code")
        let shown = try #require(first.get("/my/device-code").text.firstMatch(of: /(\d{4}) (\d{4})/))
        let second = Browser(portal)
        let wrong = second.post("/login/device", [("code", "1111 1111")])
        #expect(wrong.status == 422 && wrong.text.contains("1111 1111"))
        #expect(second.post("/login/device", [("code", "\(shown.1) \(shown.2)")]).status == 200)
        #expect(second.get("/login/device/waiting").status == 200 && second.get("/my").status == 303)
        let asked = first.get("/my/device-code").text
        #expect(asked.contains("Ja, das bin ich"))
        #expect(first.post("/my/device-code/approval", [("claim", try claim(asked))]).status == 303)
        #expect(second.get("/login/device/waiting").headers["Location"] == "/my")
        #expect(second.get("/my").status == 200)
    }

    private func twoBrowsers(staying: Bool = false) throws -> (first: Browser, second: Browser) {
        let first = Browser(portal, userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0")
        _ = first.signIn("pia@example.org")
        _ = first.post("/my/device-code")
        let shown = try #require(first.get("/my/device-code").text.firstMatch(of: /(\d{4}) (\d{4})/))
        let second = Browser(portal, userAgent: "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Firefox/140.0")
        let stays = staying ? [("stay_signed_in", "true")] : []
        #expect(second.post("/login/device", [("code", "\(shown.1)\(shown.2)")] + stays).status == 200)
        return (first, second)
    }

    private func claim(_ page: String) throws -> String {
        String(try #require(page.firstMatch(of: /name="claim" value="([^"]+)"/)).1)
    }

    @Test func `FD-18 who says yes sees what asked and when, and that the digits had to be typed by oneself`()
        throws
    {
        let (first, second) = try twoBrowsers(staying: true)
        portal.wait(seconds: 120)
        let page = first.get("/my/device-code").text
        #expect(page.contains("Firefox auf Android") && page.contains("Gefragt: "), "\(page)")
        #expect(page.contains("die Ziffern gerade selbst") && page.contains("„Angemeldet bleiben“ gewählt"))
        let state = portal.call(.get, "/my/device-codes", as: .pia).attributes
        #expect(state["browser"]?.string == "firefox" && state["system"]?.string == "android")
        #expect(state["asked_at"]?.string == portal.now.adding(seconds: -120).text)
        // Let in to stay: also when the browser is closed and opened again.
        #expect(first.post("/my/device-code/approval", [("claim", try claim(page))]).status == 303)
        second.closeAndOpen()
        portal.wait(days: 80)
        #expect(second.get("/my").status == 200)
        #expect(second.get("/my/settings/devices").text.contains("Firefox auf Android"))
    }

    @Test func `FD-18 without the tick it ends with the browser`() throws {
        let (first, second) = try twoBrowsers()
        let page = first.get("/my/device-code").text
        #expect(!page.contains("„Angemeldet bleiben“ gewählt"))
        _ = first.post("/my/device-code/approval", [("claim", try claim(page))])
        #expect(second.get("/my").status == 200)
        second.closeAndOpen()
        #expect(second.get("/my").status == 303)
    }

    @Test func `FD-18 a yes counts for the one that was shown alone`() throws {
        let (first, second) = try twoBrowsers()
        let page = first.get("/my/device-code").text
        // On another page of hers she begins anew, and another one is faster.
        let token = try #require(enter(try code()).attributes["token"]?.string)
        #expect(first.post("/my/device-code/approval", [("claim", try claim(page))]).status == 410)
        #expect(first.post("/my/device-code/approval").status == 410)
        #expect(profile(token) == 401 && second.get("/my").status == 303)
    }

    @Test func `FD-18 the page that waits says so when nothing waits any more`() throws {
        let (first, second) = try twoBrowsers()
        #expect(second.get("/login/device/waiting").text.contains("data-behaviour=\"awaits\""))
        _ = first.post("/my/device-code/removal")
        let over = second.get("/login/device/waiting")
        #expect(over.status == 200 && over.text.contains("Es wird nicht mehr gewartet"))
        let late = try twoBrowsers().second
        portal.wait(seconds: 601)
        #expect(late.get("/login/device/waiting").text.contains("Es wird nicht mehr gewartet"))
    }

    @Test func `a change of the password ends what waits`() throws {
        let token = try #require(enter(try code()).attributes["token"]?.string)
        let body = """
            {"current_password": "\(Cast.password)", "password": "vier Wörter ohne Sinn",
             "password_confirmation": "vier Wörter ohne Sinn"}
            """
        #expect(portal.call(.put, "/my/password", body, as: .pia).status == 204)
        #expect(portal.call(.post, "/my/device-codes/approval", as: .pia).status == 410)
        #expect(profile(token) == 401)
    }
}
