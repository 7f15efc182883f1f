import Foundation
import Programs

/// A cluster of PostgreSQL 15 as Debian ships it: in a folder of its own, on a socket in it, gone afterwards.
struct PostgreSQLCluster {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    static let programs = "/usr/lib/postgresql/15/bin"
    private let folder: String

    /// Makes it, starts it, and stops it when the body has ended.
    static func run<T>(_ body: (PostgreSQLCluster) throws -> T) throws -> T {
        guard FileManager.default.isExecutableFile(atPath: programs + "/initdb") else {
            throw Failed(description: "PostgreSQL 15 is not installed; bin/setup postgresql does that")
        }
        // The path of a socket has 107 bytes at most.
        let folder = FileManager.default.temporaryDirectory.path + "/pg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let cluster = PostgreSQLCluster(folder: folder)
        if getuid() == 0 { try cluster.command("/bin/chown", ["postgres", folder], isOwn: true) }
        try cluster.command(
            programs + "/initdb",
            ["-D", folder + "/data", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"])
        // A child of this process and no daemon, so that its end is waited for.
        let server = cluster.process(
            programs + "/postgres",
            [
                "-D", folder + "/data", "-c", "listen_addresses=", "-c", "unix_socket_directories=\(folder)",
                "-c",
                "fsync=off",
            ])
        server.standardOutput = FileHandle.nullDevice
        server.standardError = FileHandle.nullDevice
        try server.run()
        defer {
            _ = try? cluster.command(
                programs + "/pg_ctl", ["-D", folder + "/data", "-m", "immediate", "stop"])
            server.waitUntilExit()
        }
        let begin = ContinuousClock.now
        while (try? cluster.command(programs + "/pg_isready", ["-q", "-h", folder])) == nil {
            if begin.duration(to: .now) > .seconds(30) {
                throw Failed(description: "PostgreSQL does not start")
            }
            usleep(100_000)
        }
        return try body(cluster)
    }

    /// Runs a statement a line, each on its own.
    /// - Returns: what was refused, by the number of the line from 0, with the reason.
    func refusals(of lines: [String]) throws -> [Int: String] {
        let file = folder + "/statements.sql"
        try lines.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        let output = try command(
            Self.programs + "/psql", ["-X", "-q", "-h", folder, "-d", "postgres", "-f", file])
        var refusals: [Int: String] = [:]
        for match in output.matches(of: /statements\.sql:(\d+): ERROR: +(.+)/) {
            if let line = Int(match.1) { refusals[line - 1] = String(match.2) }
        }
        return refusals
    }

    /// The programs of PostgreSQL refuse to run as root.
    private func process(_ path: String, _ arguments: [String], isOwn: Bool = false) -> Program {
        let process = Program()
        let isOther = getuid() == 0 && !isOwn
        process.executableURL = URL(fileURLWithPath: isOther ? "/sbin/runuser" : path)
        process.arguments = isOther ? ["-u", "postgres", "--", path] + arguments : arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        return process
    }

    @discardableResult
    private func command(_ path: String, _ arguments: [String], isOwn: Bool = false) throws -> String {
        let output = FileManager.default.temporaryDirectory.path + "/pg-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: output) }
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        let process = process(path, arguments, isOwn: isOwn)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        let text = try String(contentsOfFile: output, encoding: .utf8)
        guard process.terminationStatus == 0 else { throw Failed(description: "\(path): \(text)") }
        return text
    }
}
