/// Bytes that come piece by piece. Read by one thread.
public final class ByteStream: @unchecked Sendable {
    // Created on the thread of a request and read on the thread of its connection, which is the same.
    private let pull: () throws -> [UInt8]?
    private var piece: ArraySlice<UInt8> = []
    /// Their exact number.
    public let count: Int

    /// - Parameter next: the next piece; nil at the end. An error breaks the answer off, which the client can see.
    public init(count: Int, _ next: @escaping () throws -> [UInt8]?) {
        self.count = count
        pull = next
    }

    /// Copies the next bytes, as many as fit.
    /// - Returns: how many bytes; 0 at the end.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while piece.isEmpty {
            guard let next = try pull() else { return 0 }
            piece = next[...]
        }
        let part = piece.prefix(buffer.count)
        buffer.copyBytes(from: part)
        piece = piece.dropFirst(part.count)
        return part.count
    }
}

public struct Response: Sendable {
    public enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a file, sent without reading it into memory.
        case file(path: String, offset: Int, count: Int)
        /// Bytes that are made while they are sent.
        case stream(ByteStream)
    }

    public var status: Int
    public var headers: Headers
    public var body: Body
    /// Whether the connection ends with this answer.
    public var closes = false

    public init(status: Int, headers: Headers = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    public init(status: Int = 200, type: String, _ bytes: [UInt8]) {
        self.init(status: status, headers: ["Content-Type": type], body: .bytes(bytes))
    }

    /// Redirects to another page after a form was taken.
    public static func seeOther(_ location: String) -> Response {
        Response(status: 303, headers: ["Location": location])
    }

    public static let noContent = Response(status: 204)

    /// The body's bytes; empty for a file and a stream.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { return bytes }
        return []
    }
}
