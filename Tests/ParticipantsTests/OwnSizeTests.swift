import HTTP
import Testing

@testable import PortalTesting
@testable import Web

/// A6 and PW-23: what a phone has to load, as it goes over the wire.
@Suite struct OwnSizeTests {
    @Test func `PW-23 the first page takes at most 60 kB with everything it asks for, an answer page 20 kB`()
        throws
    {
        let portal = try TestPortal()
        let takes: Headers = ["Accept-Encoding": "gzip"]
        let page = portal.get("/my", as: .pia, takes)
        #expect(page.status == 200)
        let text = portal.get("/my", as: .pia).text
        let paths = Set(text.matches(of: /(?:href|src)="(\/assets\/[^"#]+)/).map { String($0.1) })
        #expect(paths.count >= 4)
        let assets = try paths.map { path in
            let asset = portal.send(.get, path, takes)
            try #require(asset.status == 200, "\(path)")
            return asset.bytes.count
        }
        #expect(page.bytes.count + assets.reduce(0, +) <= 60_000)
        let answering = portal.get("/my/assignments/\(portal.cast.assignment)", as: .pia, takes)
        #expect(answering.status == 200 && answering.bytes.count <= 20_000)
    }
}
