import HTTP
import Testing

@testable import PortalTesting
@testable import Records
@testable import Web

/// What is compressed on the wire, and what must not be (PW-23).
@Suite struct CompressionTests {
    let portal: TestPortal
    init() throws { portal = try TestPortal() }

    private static let takes: Headers = ["Accept-Encoding": "gzip, deflate, br"]

    private func isCompressed(_ path: String, as person: Person) -> Bool {
        portal.get(path, as: person, Self.takes).headers["Content-Encoding"] == "gzip"
    }

    @Test(arguments: [
        ("/", Person.ada), ("/patients", .ada), ("/my", .pia), ("/my/results", .pia),
        ("/info/privacy", .nobody),
        ("/login", .nobody),
    ])
    func `PW-23 pages are compressed for browsers that take it`(path: String, person: Person) {
        #expect(isCompressed(path, as: person))
        let plain = portal.get(path, as: person)
        #expect(plain.headers["Content-Encoding"] == nil && plain.headers["Vary"] == "Accept-Encoding")
        #expect(plain.bytes.count > portal.get(path, as: person, Self.takes).bytes.count * 2)
    }

    @Test func `PW-23 what repeats the request stays plain: search, queries, links, errors, calls, files`()
        throws
    {
        for path in ["/search?q=winter", "/patients?q=winter", "/?lang=en", "/nowhere", "/q/abc"] {
            #expect(!isCompressed(path, as: .ada), "\(path)")
        }
        #expect(portal.get("/search", as: .ada).headers["Vary"] == nil)
        let wrong = portal.post(
            "/patients/new", [("alias", String(repeating: "x", count: 500))], as: .ada, Self.takes)
        #expect(wrong.status == 422 && wrong.headers["Content-Encoding"] == nil)
        let call = portal.call(.get, "/patients", nil, as: .ada, Self.takes)
        #expect(call.headers["Content-Encoding"] == nil && call.headers["Vary"] != "Accept-Encoding")
    }

    @Test func `PW-23 style sheets and modules are compressed once, pictures never`() throws {
        let assets = portal.services.assets
        for path in [assets.stylesheet, assets.deskScript, assets.own("main.js"), "/assets/icons/icons.svg"] {
            let packed = portal.get(path, as: .nobody, Self.takes)
            #expect(packed.headers["Content-Encoding"] == "gzip", "\(path)")
            let tag = try #require(packed.headers["ETag"])
            #expect(tag.hasSuffix("-gzip\"") && portal.get(path, as: .nobody).headers["ETag"] != tag)
        }
        #expect(!isCompressed("/assets/icons/app-192.png", as: .nobody))
    }

    @Test func `PW-23 a form's token is another in every page, and each of them is taken`() throws {
        let tokens = try (0..<2).map { _ in
            let page = portal.get("/patients/new", as: .ada).text
            return String(try #require(page.firstMatch(of: /name="form_token" value="([^"]+)"/)).output.1)
        }
        #expect(tokens[0] != tokens[1])
        for token in tokens {
            let cookie = portal.cast.sessions[.ada] ?? ""
            #expect(token != portal.services.keys.formToken(for: cookie))
            #expect(portal.services.keys.isFormToken(token, for: cookie))
            #expect(!portal.services.keys.isFormToken(token, for: portal.cast.sessions[.ben] ?? ""))
        }
    }
}
