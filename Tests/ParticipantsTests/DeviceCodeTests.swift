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
        #expect(first.get("/my/device-code").text.contains("Ja, das bin ich"))
        #expect(first.post("/my/device-code/approval").status == 303)
        #expect(second.get("/login/device/waiting").headers["Location"] == "/my")
        #expect(second.get("/my").status == 200)
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
