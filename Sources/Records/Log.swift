import Database
import Foundation
import JSON
import Locks
import Wire

/// One JSON object a line, without any body, name, address, token or query.
public struct Log: Sendable {
    private let write: @Sendable ([UInt8]) -> Void
    private let queue: LineQueue?

    public init(_ write: @escaping @Sendable ([UInt8]) -> Void) {
        self.write = write
        queue = nil
    }

    /// Requests do not wait for its reader.
    public init(_ queue: LineQueue) {
        write = { queue.add($0) }
        self.queue = queue
    }

    /// A line that cannot be written (disk full, closed pipe), or not in time, is lost, and only it: requests go on.
    public static let standardError = Log(LineQueue.standardError)
    public static let silent = Log { _ in }

    /// The lines that were lost.
    package var losses: LineQueue.Losses { queue?.losses ?? LineQueue.Losses() }

    /// - Parameter facts: only values of this program; text from outside does not belong here.
    package func line(_ level: String, _ event: String, _ facts: [(String, String)] = [], at now: Instant) {
        let pairs = [("time", now.text), ("level", level), ("event", event)] + facts
        let line = JSON.object(pairs.map { JSON.Member($0.0, .string($0.1)) })
        guard let bytes = try? JSONWriter.bytes(of: line) else { return }
        write(bytes + [UInt8(ascii: "\n")])
    }

    /// The description of this program's own errors, which hold no values from outside; the type of all others.
    package static func detail(of error: any Error) -> String {
        (error as? any LoggedError)?.description ?? String(describing: type(of: error))
    }

    package func request(
        _ id: String, _ method: String, route: String, status: Int, milliseconds: Double, at now: Instant
    ) {
        let line = RequestLine(
            time: now.text, level: status >= 500 ? "error" : "info", request: id, method: method,
            route: route,
            status: status, ms: (milliseconds * 100).rounded() / 100)
        guard let bytes = try? JSONWriter.bytes(of: line) else { return }
        write(bytes + [UInt8(ascii: "\n")])
    }

    private struct RequestLine: Encodable {
        let time, level, request, method, route: String
        let status: Int
        let ms: Double
    }
}

extension LineQueue {
    public static let standardError = LineQueue(descriptor: STDERR_FILENO) { count in
        let line = Lock<[UInt8]>([])
        let log = Log { bytes in line.withLock { $0 = bytes } }
        log.line("error", "lines lost", [("lines", String(count))], at: Clock.system.now)
        return line.withLock { $0 }
    }

    /// The ready line does not keep the server from its signals.
    public static let standardOutput = LineQueue(descriptor: STDOUT_FILENO) { _ in [] }
}

/// An error whose description holds no values from outside, so that it may be logged.
package protocol LoggedError: Error, CustomStringConvertible {}

extension DatabaseError: LoggedError {}
