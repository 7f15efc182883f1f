import Database
import Foundation
import JSON
import Wire

/// One JSON object a line, without any body, name, address, token or query.
public struct Log: Sendable {
    private let write: @Sendable ([UInt8]) -> Void

    public init(_ write: @escaping @Sendable ([UInt8]) -> Void) { self.write = write }

    /// A line that cannot be written (disk full, closed pipe) is lost, and only it: requests go on.
    public static let standardError = Log { try? FileHandle.standardError.write(contentsOf: Data($0)) }
    public static let silent = Log { _ in }

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

/// An error whose description holds no values from outside, so that it may be logged.
package protocol LoggedError: Error, CustomStringConvertible {}

extension DatabaseError: LoggedError {}
