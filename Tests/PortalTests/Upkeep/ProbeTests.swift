import Database
import HTTP
import Testing
import Wire

@testable import Portal
@testable import PortalTesting
@testable import Records
@testable import Web

/// `/livez` and `/readyz`, for supervisors and balancers.
@Suite struct ProbeTests {
    @Test func `a server that works is alive and ready, and says so in a word`() throws {
        let portal = try TestPortal { $0.requestsPerMinute = 1 }
        for _ in 0..<5 {
            let live = portal.send(.get, "/livez")
            #expect(live.status == 200 && live.text == "ok\n")
            let ready = portal.send(.get, "/readyz")
            #expect(ready.status == 200 && ready.text == "ready\n")
            #expect(ready.headers["Cache-Control"] == "no-store" && ready.headers["Set-Cookie"] == nil)
        }
        #expect(portal.logged == [])
        #expect(portal.send(.head, "/livez").status == 200)
        #expect(portal.send(.post, "/livez").status != 200)
    }

    @Test func `who is about to end is alive, and not ready any more`() throws {
        let portal = try TestPortal()
        #expect(portal.send(.get, "/readyz").status == 200)
        portal.services.readiness.stop()
        let ready = portal.send(.get, "/readyz")
        #expect(ready.status == 503 && ready.headers["Retry-After"] != nil)
        #expect(portal.send(.get, "/livez").status == 200)
        // What went wrong is news.
        #expect(portal.logged.count == 1 && portal.logged[0].contains("/readyz"))
    }

    @Test func `a database that does not answer as it should is not ready`() throws {
        let harms: [SQL] = ["ALTER TABLE installation RENAME TO other", "DELETE FROM installation"]
        for harm in harms {
            let portal = try TestPortal()
            try portal.services.records.writeUnaudited(.madeUp) { _ = try $0.run(harm) }
            #expect(portal.send(.get, "/readyz").status == 503)
            #expect(portal.send(.get, "/livez").status == 200)
        }
    }

    @Test func `where the database is away a page is what there is to say, and a call as ever`() throws {
        let portal = try TestPortal()
        portal.services.close()
        let page = portal.send(.get, "/login")
        #expect(page.status == 500 && page.headers["Content-Type"]?.hasPrefix("text/plain") == true)
        #expect(page.text.split(separator: "\n").count == 2, "\(page.text)")
        #expect(portal.call(.get, "/my/contributions", as: .pia).status == 500)
    }

    @Test func `a database that takes no writes is not ready`() throws {
        let portal = try TestPortal()
        try portal.refuse("UPDATE", on: "installation")
        #expect(portal.send(.get, "/readyz").status == 503)
    }
}
