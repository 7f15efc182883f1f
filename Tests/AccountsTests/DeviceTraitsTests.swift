import Database
import HTTP
import JSON
import Testing
import Wire

@testable import Identity
@testable import PortalTesting
@testable import Records
@testable import Web

/// What browsers say of themselves, as they did in 2026.
enum UserAgents {
    static let firefoxOnAndroid = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
    static let safariOnMac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/17.0 Safari/605.1.15"
    static let safariOnPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "Version/19.1 Mobile/15E148 Safari/604.1"
    static let edgeOnWindows =
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/144.0.0.0 Safari/537.36 Edg/144.0.0.0"
    static let chromeOnAndroid =
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36"
    static let samsung =
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36"
    static let operaOnMac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
        + "Chrome/142.0.0.0 Safari/537.36 OPR/126.0.0.0"
    static let chromeOnPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
        + "CriOS/144.0.0.0 Mobile/15E148 Safari/604.1"
    static let firefoxOnLinux = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
}

/// FD-18: devices are told apart.
@Suite struct DeviceTraitsTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    @Test(
        arguments: [
            (UserAgents.firefoxOnAndroid, .firefox, .android), (UserAgents.safariOnPhone, .safari, .ios),
            (UserAgents.edgeOnWindows, .edge, .windows), (UserAgents.chromeOnAndroid, .chrome, .android),
            (UserAgents.samsung, .samsung, .android), (UserAgents.operaOnMac, .opera, .macos),
            (UserAgents.chromeOnPhone, .chrome, .ios), (UserAgents.firefoxOnLinux, .firefox, .linux),
            ("curl/8.9.1", nil, nil), ("", nil, nil),
            (String(repeating: "x", count: 600) + " Firefox/140.0", nil, nil),
        ] as [(String, DeviceTraits.Browser?, DeviceTraits.System?)])
    func `FD-18 of what browsers say coarse names are kept`(
        _ text: String, _ browser: DeviceTraits.Browser?, _ system: DeviceTraits.System?
    ) {
        #expect(DeviceTraits(userAgent: text) == DeviceTraits(browser: browser, system: system))
    }

    private func signedIn(
        _ userAgent: String?, _ email: String = "pia@example.org", _ more: [(String, String)] = []
    ) -> Browser {
        let browser = Browser(portal, userAgent: userAgent)
        let form = [("email", email), ("password", Cast.password), ("stay_signed_in", "true")]
        #expect(browser.post("/login", form + more).status == 303)
        return browser
    }

    @Test(arguments: [("pia@example.org", "/my/settings/devices"), ("ada@example.org", "/profile/devices")])
    func `RP-16 a Mac with a screen to touch is an iPad, and stays one`(_ email: String, _ path: String) {
        let pad = signedIn(UserAgents.safariOnMac, email, [("touch", "true")])
        #expect(pad.get(path).text.contains("Safari auf iOS"))
        portal.wait(days: 2)
        if email == "pia@example.org" {
            #expect(pad.get(path).text.contains("Safari auf iOS"))
            #expect(sessions().contains { $0["system"]?.string == "ios" })
        }
        let mac = signedIn(UserAgents.safariOnMac, email)
        let page = mac.get(path).text
        #expect(page.contains("Safari auf macOS"))
        // Others have both: a screen to touch tells nothing of them.
        let windows = signedIn(UserAgents.edgeOnWindows, email, [("touch", "true")])
        #expect(windows.get(path).text.contains("Edge auf Windows"))
    }

    @Test(arguments: ["/login", "/register", "/login/device"])
    func `RP-16 every form that begins a session says whether there is a screen to touch`(_ path: String) {
        #expect(portal.send(.get, path).text.contains(/<form[^>]* data-says="(timezone )?touch"/))
    }

    private func sessions() -> [JSON] {
        portal.call(.get, "/my/devices", as: .pia).list.compactMap { $0["attributes"] }
    }

    @Test func `FD-18 two browsers are called by their names, on the page and over the API`() throws {
        _ = signedIn(UserAgents.firefoxOnAndroid)
        let other = signedIn(UserAgents.edgeOnWindows)
        let page = other.get("/my/settings/devices").text
        #expect(page.contains("Firefox auf Android") && page.contains("Edge auf Windows"), "\(page)")
        #expect(page.contains("gerade in Benutzung") && !page.contains("140.0") && !page.contains("Mozilla"))
        let names = sessions().map { [$0["browser"]?.string, $0["system"]?.string] }
        #expect(names.contains(["firefox", "android"]) && names.contains(["edge", "windows"]))
        let raw = try portal.services.records.read { connection -> Int in
            try connection.value(
                "SELECT count(*) FROM credentials WHERE browser LIKE '%140%' OR system LIKE '%Mozilla%'") ?? 0
        }
        #expect(raw == 0)
    }

    @Test func `FD-18 staff see it, too, and a browser that says nothing is one`() {
        _ = signedIn(UserAgents.firefoxOnLinux, "ada@example.org")
        let silent = signedIn(nil, "ada@example.org")
        let page = silent.get("/profile/devices").text
        #expect(page.contains("Firefox auf Linux") && page.contains("Portal im Browser"), "\(page)")
    }

    @Test func `FD-18 a session knows that its pages were begun from the home screen, from then on`() throws {
        let browser = signedIn(UserAgents.chromeOnAndroid)
        #expect(!browser.get("/my/settings/devices").text.contains("Als App auf dem Startbildschirm"))
        let manifest = try JSON.parse(portal.send(.get, "/my/manifest.json").bytes)
        #expect(manifest["start_url"]?.string == "/my?app=1" && manifest["id"]?.string == "/my")
        #expect(browser.get("/my?app=1").status == 200)
        portal.wait(days: 2)
        #expect(browser.get("/my").status == 200)
        #expect(browser.get("/my/settings/devices").text.contains("Als App auf dem Startbildschirm"))
        #expect(sessions().contains { $0["installed"] == .bool(true) && $0["browser"]?.string == "chrome" })
    }

    @Test func `FD-18 a session of before learns its browser when its use is noted`() throws {
        let browser = signedIn(UserAgents.safariOnPhone)
        try portal.services.records.writeUnaudited(.lastUse) { connection in
            try connection.run("UPDATE credentials SET browser = NULL, system = NULL")
        }
        #expect(!browser.get("/my/settings/devices").text.contains("Safari"))
        portal.wait(days: 2)
        #expect(browser.get("/my/settings/devices").text.contains("Safari auf iOS"))
    }
}
