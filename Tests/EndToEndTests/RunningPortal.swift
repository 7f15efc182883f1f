import Foundation
import Programs
import Testing

@testable import Database
@testable import EngineTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The real program, started as an operator would, on a data folder of its own.
final class RunningPortal {
    let data: String
    private var process: Program?
    private(set) var address = ""
    private let ownsFolder: Bool
    /// Its database on a server; nil where it is a file in the folder.
    private let database: String?

    /// - Parameter database: the address of an empty one, which is gone afterwards; nil for a file in the folder.
    init(database: String? = nil) {
        data = FileManager.default.temporaryDirectory.appendingPathComponent("e2e-\(UUID().uuidString)").path
        ownsFolder = true
        self.database = database
    }

    /// On the engine that the run is for. What looks at the folder's own files stays with those of SQLite.
    static func onAskedEngine() throws -> RunningPortal { RunningPortal(database: try TestEngine.asked()) }

    /// A setting in the environment, which every command reads.
    private var environment: [String: String]? {
        database.map { address in
            ProcessInfo.processInfo.environment.merging(["INTERSESSION_DATABASE": address]) { $1 }
        }
    }

    /// One more program on the folder of another one.
    init(beside other: RunningPortal) {
        data = other.data
        ownsFolder = false
        database = other.database
    }

    deinit {
        process?.terminate()
        process?.waitUntilExit()
        guard ownsFolder else { return }
        try? FileManager.default.removeItem(atPath: data)
        database.map { TestEngine.postgreSQL.remove(.server($0)) }
    }

    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// The program lies beside the tests.
    static let program: URL = {
        let asked = ProcessInfo.processInfo.environment["INTERSESSION_PROGRAM"]
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        return asked.map { URL(fileURLWithPath: $0) } ?? beside.appendingPathComponent("intersession")
    }()

    struct Outcome {
        let status: Int32
        let output: String
        let error: String
    }

    /// Runs a command to its end.
    /// - Parameters:
    ///   - bare: without the option that says where templates lie.
    ///   - shell: words before the program's own, as for its environment.
    ///   - stranger: another user than the one that runs the tests.
    func run(
        _ arguments: [String], input: String = "", withData: Bool = true, bare: Bool = false,
        behind shell: [String] = [], as stranger: Stranger? = nil
    ) throws -> Outcome {
        let process = Program()
        let words =
            shell + (stranger?.words ?? []) + [stranger?.program ?? Self.program.path] + arguments
            + (withData ? ["--data", data] : [])
            + (bare ? [] : ["--resources", stranger?.resources ?? Self.root])
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        let output = Pipe()
        let error = Pipe()
        process.standardOutput = output
        process.standardError = error
        process.standardInput = try Self.typed(input)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errors = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Outcome(status: process.terminationStatus, output: text, error: errors)
    }

    /// - Returns: what a command of the shell has written.
    @discardableResult
    static func shell(_ command: String) throws -> String {
        let program = Program()
        let output = Pipe()
        program.executableURL = URL(fileURLWithPath: "/bin/sh")
        program.arguments = ["-c", command]
        program.standardOutput = output
        try program.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        return text
    }

    /// A standard input that holds a text. A file, not a pipe: a command may be over before it has read anything, and writing to
    /// its pipe then would end the process of the tests (`SIGPIPE`).
    static func typed(_ text: String) throws -> FileHandle {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("typed-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try FileHandle(forReadingFrom: file)
    }

    /// Starts serving on a free port and returns once the ready line is there.
    /// - Parameter shell: words before the program's own, as for its environment.
    func serve(_ more: [String] = [], behind shell: [String] = [], log: String = "/dev/null") throws {
        let process = Program()
        let words =
            shell + [
                Self.program.path, "serve", "--port", "0", "--timezone", "Europe/Vienna", "--data", data,
                "--resources",
                Self.root,
                "--second-factor", "optional",
            ]
            + more
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        self.process = process
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            line += String(decoding: bytes, as: UTF8.self)
        }
        let parts = line.trimmingCharacters(in: .whitespacesAndNewlines).components(separatedBy: " ")
        guard parts.count == 3, parts[0] == "listening" else { throw CocoaError(.fileReadUnknown) }
        address = parts[2]
    }

    /// Starts serving with a standard output that nothing reads; returns once it answers.
    /// - Parameter output: a pipe by its path, full already.
    func serveUnread(output: String, log: String) async throws {
        let port = try Self.freePort()
        let process = Program()
        process.executableURL = Self.program
        process.arguments = [
            "serve", "--port", String(port), "--data", data, "--resources", Self.root, "--second-factor",
            "optional",
        ]
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: log)
        try process.run()
        self.process = process
        address = "http://127.0.0.1:\(port)"
        while process.isRunning {
            if let answer = try? await send("GET", "/readyz"), answer.status == 200 { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CocoaError(.fileReadUnknown)
    }

    /// The name of a scheduled backup that was made an hour ago, whatever the day is: one that is dated ahead says that the clock is wrong.
    static func backupName() -> String {
        let made = Date(timeIntervalSinceNow: -3600).ISO8601Format()
        return "intersession-\(made.filter { $0.isNumber || $0 == "T" }).sqlite"
    }

    /// A port that nothing listens on.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw CocoaError(.fileReadUnknown) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// The process of the server.
    var identifier: pid_t? { process?.processIdentifier }

    /// Ends the server at once, as a power cut would.
    func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// Ends the server in order and answers its exit status.
    func stop() -> Int32? {
        guard let process else { return nil }
        process.terminate()
        process.waitUntilExit()
        self.process = nil
        return process.terminationStatus
    }

    // MARK: Requests

    struct Answer {
        let status: Int
        let headers: [AnyHashable: Any]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }
        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
        var id: String { (json["data"] as? [String: Any])?["id"] as? String ?? "" }
        var attributes: [String: Any] {
            (json["data"] as? [String: Any])?["attributes"] as? [String: Any] ?? [:]
        }
        var list: [[String: Any]] { json["data"] as? [[String: Any]] ?? [] }
    }

    /// No cookies and no redirects of its own: the test sees every answer as it comes.
    private final class Plain: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }

    private static let session: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        return URLSession(configuration: configuration, delegate: Plain(), delegateQueue: nil)
    }()

    func send(_ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil)
        async throws -> Answer
    {
        guard let url = URL(string: address + path) else { throw CocoaError(.fileReadUnknown) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in headers { request.setValue(field.value, forHTTPHeaderField: field.key) }
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await Self.session.data(for: request)
        guard let response = response as? HTTPURLResponse else { throw CocoaError(.fileReadUnknown) }
        return Answer(status: response.statusCode, headers: response.allHeaderFields, body: data)
    }

    /// A change of something as it is now.
    func change(_ method: String, _ path: String, _ json: String? = nil, token: String) async throws -> Answer
    {
        let headers = try await call("GET", path, token: token).headers
        let tag = headers["Etag"] as? String ?? headers["ETag"] as? String
        return try await call(method, path, json, token: token, tag.map { ["If-Match": $0] } ?? [:])
    }

    func call(
        _ method: String, _ path: String, _ json: String? = nil, token: String? = nil,
        _ more: [String: String] = [:]
    ) async throws -> Answer {
        // Foundation would ask for the language of the machine.
        var headers = more.merging(["Accept-Language": "de"]) { given, _ in given }
        if let token { headers["Authorization"] = "Bearer \(token)" }
        if json != nil { headers["Content-Type"] = "application/json" }
        return try await send(method, "/api/v1" + path, headers, body: json)
    }
}
