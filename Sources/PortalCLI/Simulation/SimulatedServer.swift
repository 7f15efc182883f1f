import Foundation
import Locks
import Portal
import Programs
import Records

/// The real program on a data folder of its own, as a process of its own, so that it can be killed.
final class SimulatedServer: Sendable {
    private let arguments: [String]
    private let log: String
    private let state: Lock<(process: Program?, port: String)>

    /// - Parameters:
    ///   - log: the file for its log lines.
    ///   - port: nought for any.
    ///   - isBehindProxy: whether a proxy of this machine hands the requests on.
    init(
        _ settings: Settings, clock: String, log: String, port: Int = 0, isBehindProxy: Bool = false
    ) throws {
        arguments =
            [
                "serve", "--data", settings.data, "--resources", settings.resources, "--clock", clock,
                "--timezone", "Europe/Vienna", "--requests-per-minute", "0", "--backup-days", "0",
                "--second-factor", "optional",
            ] + (settings.server.map { ["--database", $0] } ?? [])
            + (isBehindProxy ? ["--trusted-proxy", "127.0.0.1"] : [])
        self.log = log
        state = Lock((nil, String(port)))
        _ = FileManager.default.createFile(atPath: log, contents: nil, attributes: [.posixPermissions: 0o600])
        try start()
    }

    var address: String { "http://127.0.0.1:\(state.withLock { $0.port })" }

    /// Starts it; again on the same port, the only one phones know.
    func start() throws {
        let process = Program()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments + ["--port", state.withLock { $0.port }]
        let output = Pipe()
        let lines = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try lines.seekToEnd()
        process.standardOutput = output
        process.standardError = lines
        try process.run()
        try lines.close()
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            line += String(decoding: bytes, as: UTF8.self)
        }
        guard let port = line.split(separator: ":").last.flatMap({ UInt16($0.dropLast()) }) else {
            throw StartError("the server did not start; see \(log)")
        }
        state.withLock { $0 = (process, String(port)) }
    }

    /// As a power cut would.
    func kill() {
        guard let process = state.withLock({ $0.process }) else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    func stop() {
        guard let process = state.withLock({ $0.process }) else { return }
        process.terminate()
        process.waitUntilExit()
    }

    // MARK: Its log

    private struct Line: Decodable {
        let ms: Double?
        let status: Int?
    }

    /// The milliseconds of logged requests, and the number of server errors.
    func requests() -> (waits: [Double], faults: Int) {
        guard let data = FileManager.default.contents(atPath: log) else { return ([], 0) }
        let decoder = JSONDecoder()
        let lines = data.split(separator: UInt8(ascii: "\n")).compactMap {
            try? decoder.decode(Line.self, from: Data($0))
        }
        return (lines.compactMap(\.ms), lines.count { ($0.status ?? 0) == 500 })
    }

    /// Drops the lines so far.
    func forgetLog() throws { try FileHandle(forWritingTo: URL(fileURLWithPath: log)).truncate(atOffset: 0) }
}
