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
        let ignored = try Self.ignored(by: identifier)
        for number in [SIGUSR1, SIGUSR2] + (Self.hasTerminal ? [] : [SIGHUP]) {
            // A server that ends by it may still answer for a moment, and ends in order, too.
            #expect(ignored & 1 << UInt64(number - 1) != 0, "\(number)")
            for _ in 0..<3 { #expect(kill(identifier, number) == 0) }
            #expect(try await portal.send("GET", "/login").status == 200)
        }
        #expect(portal.stop() == 0)
    }

    /// The signals that a process ignores, as the kernel knows them: the lowest bit is signal 1.
    private static func ignored(by process: pid_t) throws -> UInt64 {
        let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
        return try #require(UInt64(line.split(whereSeparator: \.isWhitespace)[1], radix: 16))
    }
}
