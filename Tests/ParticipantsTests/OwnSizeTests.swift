import HTTP
import Testing

@testable import PortalTesting
@testable import Web

/// A6: what a phone has to load.
@Suite struct OwnSizeTests {
    @Test func `A6 the first page takes at most 150 kB with everything it asks for, an answer page 60 kB`()
        throws
    {
        let portal = try TestPortal()
        let page = portal.get("/my", as: .pia)
        #expect(page.status == 200)
        let paths = Set(page.text.matches(of: /(?:href|src)="(\/assets\/[^"#]+)/).map { String($0.1) })
        #expect(paths.count >= 4)
        let assets = try paths.map { path in
            let asset = portal.send(.get, path)
            try #require(asset.status == 200, "\(path)")
            return asset.bytes.count
        }
        #expect(page.bytes.count + assets.reduce(0, +) <= 150_000)
        let answering = portal.get("/my/assignments/\(portal.cast.assignment)", as: .pia)
        #expect(answering.status == 200 && answering.bytes.count <= 60_000)
    }
}
