import Foundation
import Testing

/// RP-218: signals of log rotation end nothing. That a closed terminal ends its server in order was tried by hand.
@Suite(.serialized) struct SignalTests {
    let portal = RunningPortal()

    private static let hasTerminal: Bool = {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }()

    @Test func `RP-218 SIGHUP, SIGUSR1 and SIGUSR2 end no server without a terminal`() async throws {
        try portal.serve()
        let identifier = try #require(portal.identifier)
        for number in [SIGUSR1, SIGUSR2] + (Self.hasTerminal ? [] : [SIGHUP]) {
            for _ in 0..<3 { #expect(kill(identifier, number) == 0) }
            try await Task.sleep(for: .milliseconds(100))
            #expect(try await portal.send("GET", "/login").status == 200)
        }
        #expect(portal.stop() == 0)
    }
}
