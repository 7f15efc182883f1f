import Foundation
import Testing

/// RP-216: what links begin with is scheme, host and port alone.
@Suite struct PublicURLTests {
    let portal = RunningPortal()

    @Test(arguments: [
        ("https://klinik.example.org/portal/", "a path"), ("https://klinik.example.org//", "a path"),
        ("https://klinik.example.org?x=1", "a query"), ("https://klinik.example.org/?", "a query"),
        ("https://klinik.example.org/#f", "a fragment"),
        ("https://u:secret@klinik.example.org", "a user or a password"),
        ("https://u@klinik.example.org", "a user or a password"),
    ])
    func `RP-216 a public URL that no link can begin with is refused`(_ url: String, _ fault: String) throws {
        let outcome = try portal.run(
            ["serve", "--port", "0", "--outbox"], behind: ["/usr/bin/env", "INTERSESSION_PUBLIC_URL=\(url)"])
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.error.contains("INTERSESSION_PUBLIC_URL has \(fault)"), "\(outcome)")
        #expect(!outcome.error.contains("secret"))
    }

    @Test(arguments: [
        "https://klinik.example.org", "https://klinik.example.org/", "http://127.0.0.1:8080",
        "http://[::1]:80/",
    ])
    func `RP-216 scheme, host and port are taken, with a slash at the end or without`(_ url: String) throws {
        let outcome = try portal.run(
            ["serve", "--public-url", url, "--outbox", "--timezone", "Nowhere/None"])
        #expect(outcome.error.contains("--timezone"), "\(outcome)")
    }
}
