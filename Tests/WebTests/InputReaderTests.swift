import HTTP
import Testing

@testable import Web

@Suite struct InputReaderTests {
    /// With TZ=UTC, as in most containers, the zone of the system is called GMT.
    @Test func `whatever a system calls its zone can be sent back`() {
        for (name, isZone) in [
            ("GMT", true), ("UTC", true), ("Europe/Vienna", true), ("EST", false), ("Mars/X", false),
        ] {
            let fields = InputReader(form: ["timezone": name])
            #expect((fields.timezone("timezone") == name) == isZone, "\(name)")
        }
    }
}
