import CZlib

/// The format `gzip` (RFC 1952), which every browser reads.
public enum Gzip {
    /// - Parameter level: from 1, the fastest, to 9, the smallest.
    public static func compressed(_ bytes: [UInt8], level: Int32) -> [UInt8] {
        var stream = z_stream()
        // 16 more bits of the window stand for the head and the sum of gzip.
        let begun = deflateInit2_(
            &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib is another than the one it was built with")
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: room) { output, count in
            bytes.withUnsafeBufferPointer { input in
                stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                let ended = deflate(&stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "zlib had too little room, which deflateBound rules out")
            }
            count = room - Int(stream.avail_out)
        }
    }
}

extension Request {
    /// Whether the client takes gzip (RFC 9110, 12.5.3); not without a word on it.
    public var acceptsGzip: Bool {
        guard let header = headers["Accept-Encoding"] else { return false }
        var any = false
        for part in header.lowercased().split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.trimmingBlanks() }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            let isWanted = (quality ?? 1) > 0
            if pieces.first == "gzip" { return isWanted }
            if pieces.first == "*" { any = isWanted }
        }
        return any
    }
}

extension Response {
    /// Below it the head of an answer is larger than what could be saved.
    private static let fewest = 1024
    /// Pages are compressed once for each reader: the fastest level takes a quarter of the time of the usual one.
    private static let quick: Int32 = 1

    /// Compresses a body of bytes where the client takes it, and says that the answer depends on that.
    public mutating func compress(for request: Request) {
        guard case .bytes(let bytes) = body, bytes.count >= Self.fewest else { return }
        headers.append("Vary", "Accept-Encoding")
        guard request.acceptsGzip else { return }
        body = .bytes(Gzip.compressed(bytes, level: Self.quick))
        headers.append("Content-Encoding", "gzip")
    }
}

/// An answer that is known at the start, plain and compressed.
public struct PreparedAnswer: Sendable {
    /// With its entity tag.
    public let plain: Response
    private let packed: Response?

    private static let smallest: Int32 = 9

    /// - Parameters:
    ///   - tag: a strong entity tag, without its quotation marks.
    ///   - more: fields beside the type and the tag.
    public init(type: String, _ bytes: [UInt8], tag: String, more: [(String, String)] = []) {
        let small = Gzip.compressed(bytes, level: Self.smallest)
        let isWorthIt = small.count < bytes.count
        let answer = { (bytes: [UInt8], tag: String) -> Response in
            var response = Response(type: type, bytes)
            for (name, value) in more { response.headers.append(name, value) }
            response.headers.append("ETag", "\"\(tag)\"")
            if isWorthIt { response.headers.append("Vary", "Accept-Encoding") }
            return response
        }
        plain = answer(bytes, tag)
        guard isWorthIt else {
            packed = nil
            return
        }
        var response = answer(small, tag + "-gzip")
        response.headers.append("Content-Encoding", "gzip")
        packed = response
    }

    /// What the client takes: 304 for one that has it.
    public func response(to request: Request) -> Response {
        let chosen = request.acceptsGzip ? packed ?? plain : plain
        guard let tag = chosen.headers["ETag"], request.hasTag(tag) else { return chosen }
        return Response(status: 304, headers: chosen.headers)
    }
}
