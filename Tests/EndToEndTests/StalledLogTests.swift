import Foundation
import Programs
import Testing

/// RP-203: a log that nothing reads stops no request, and what it lost is told in health and in the log.
@Suite(.serialized) struct StalledLogTests {
    let portal = RunningPortal()

    @Test func `RP-203 pages, calls and sign-ins go on while the reader of the log stalls`() async throws {
        #expect(try portal.run(["seed"]).status == 0)
        let fifo = portal.data + "/log"
        #expect(mkfifo(fifo, 0o600) == 0)
        // Opened for both, so that opening waits for nothing.
        let reader = open(fifo, O_RDWR | O_NONBLOCK)
        #expect(reader >= 0)
        defer { close(reader) }
        // F_SETPIPE_SZ: a page instead of 64 kB.
        _ = fcntl(reader, 1031, 4096)
        try portal.serve(["--requests-per-minute", "0"], log: fifo)
        var lost = 0
        for round in 0..<100 where lost == 0 {
            for number in 0..<50 {
                #expect(try await portal.call("GET", "/nothing-\(round)-\(number)").status == 404)
            }
            lost = try await health()?.lost ?? 0
        }
        #expect(lost > 0)
        #expect(try await health()?.part == "failing")
        #expect(try await portal.send("GET", "/login").status == 200)
        let login = #"{"email": "ada@example.org", "password": "zwischen den Sitzungen"}"#
        let token = try await portal.call("POST", "/auth/login", login).attributes["token"] as? String
        #expect(token != nil)
        // The audit trail in the database loses nothing.
        let uma = try await portal.call(
            "POST", "/auth/login", login.replacingOccurrences(of: "ada@", with: "uma@"))
        let trail = try await portal.call("GET", "/audit-log", token: uma.attributes["token"] as? String)
        #expect(trail.status == 200 && !trail.list.isEmpty, "\(trail.text)")
        // Once the reader goes on, the log says what is missing, and health is well again.
        var text = ""
        for _ in 0..<400 {
            text += take(reader)
            if try await health()?.part == "ok" { break }
        }
        text += take(reader)
        #expect(try await health()?.part == "ok")
        #expect(text.contains(#""event":"lines lost""#))
        #expect(portal.stop() == 0)
    }

    /// All that is there to be read.
    private func take(_ descriptor: Int32) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        for _ in 0..<50 {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 {
                text += String(decoding: buffer.prefix(count), as: UTF8.self)
            } else {
                usleep(1_000)
            }
        }
        return text
    }

    /// A pipe that is full, and that nothing reads.
    private func fullPipe(_ name: String) throws -> (path: String, reader: Int32) {
        let path = portal.data + "-" + name
        #expect(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDWR | O_NONBLOCK)
        try #require(reader >= 0)
        for size in [4096, 1] {
            let filler = [UInt8](repeating: 10, count: size)
            while write(reader, filler, size) > 0 {}
        }
        return (path, reader)
    }

    @Test func `RP-203 the server ends in order though its log and its standard output stall`() async throws {
        let log = try fullPipe("log")
        let output = try fullPipe("output")
        defer {
            for pipe in [log, output] {
                close(pipe.reader)
                unlink(pipe.path)
            }
        }
        try await portal.serveUnread(output: output.path, log: log.path)
        #expect(try await portal.send("GET", "/login").status == 200)
        // What had to be cut off ends with 1.
        #expect(portal.stop() == 0)
    }

    @Test func `RP-203 a start that fails ends though its log stalls`() throws {
        let log = try fullPipe("log")
        defer {
            close(log.reader)
            unlink(log.path)
        }
        // 124 where it had to be ended. With few files a line of the log comes before the reason.
        let shell = [
            "/usr/bin/timeout", "60", "/bin/sh", "-c", "ulimit -n 512; exec \"$0\" \"$@\" 2>'\(log.path)'",
        ]
        let words = ["serve", "--address", "192.0.2.1", "--port", "0", "--outbox"]
        #expect(try portal.run(words, behind: shell).status == 1)
        #expect(try portal.run(["serve", "--port", "eighty"], behind: shell).status == 2)
    }

    @Test func `RP-203 a start whose log is closed fails by its reason and not by a signal`() throws {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -n 512; exec \"$0\" \"$@\"", RunningPortal.program.path, "serve", "--address",
            "192.0.2.1",
            "--port", "0", "--outbox", "--data", portal.data, "--resources", RunningPortal.root,
        ]
        let log = Pipe()
        try log.fileHandleForReading.close()
        process.standardError = log
        try process.run()
        process.waitUntilExit()
        #expect(process.signal == nil && process.terminationStatus == 1)
    }

    private func health() async throws -> (lost: Int, part: String)? {
        let answer = try await portal.call("GET", "/health").attributes
        let parts = answer["parts"] as? [[String: Any]] ?? []
        let part = parts.first { $0["name"] as? String == "log" }?["status"] as? String
        return (answer["log_lines_lost"] as? Int ?? 0, part ?? "")
    }
}
