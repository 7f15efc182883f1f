import Foundation
import Testing

/// RP-218: signals of log rotation end nothing; a closed terminal ends its server in order.
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

    @Test func `RP-218 a closed terminal ends its server in order, and the folder is free`() async throws {
        let ready = portal.data + "-ready"
        defer { try? FileManager.default.removeItem(atPath: ready) }
        let words = [
            RunningPortal.program.path, "serve", "--port", "0", "--data", portal.data, "--resources",
            RunningPortal.root,
        ]
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        let terminal = Process()
        terminal.executableURL = URL(fileURLWithPath: "/usr/bin/script")
        terminal.arguments = ["-qec", "\(command) > '\(ready)' 2>/dev/null", "/dev/null"]
        terminal.standardInput = Pipe()
        terminal.standardOutput = FileHandle.nullDevice
        terminal.standardError = FileHandle.nullDevice
        try terminal.run()
        let isReady = { (try? String(contentsOfFile: ready, encoding: .utf8))?.contains("listening") == true }
        for _ in 0..<600 where !isReady() { try await Task.sleep(for: .milliseconds(50)) }
        #expect(isReady())
        #expect(FileManager.default.fileExists(atPath: portal.data + "/intersession.sqlite-wal"))
        kill(terminal.processIdentifier, SIGKILL)
        terminal.waitUntilExit()
        let hasLog = { FileManager.default.fileExists(atPath: portal.data + "/intersession.sqlite-wal") }
        for _ in 0..<240 where hasLog() { try await Task.sleep(for: .milliseconds(50)) }
        // The log is folded into the database by an end in order alone.
        #expect(!hasLog())
        try portal.serve()
        #expect(portal.stop() == 0)
    }
}
