import CMicroHTTPD
import Foundation

/// Hands an answer to libmicrohttpd.
func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
    guard let prepared = makeResponse(response) else { return .NO }
    defer { MHD_destroy_response(prepared) }
    for field in response.headers.fields {
        // libmicrohttpd refuses values with line ends; no answer is better than a split one.
        guard MHD_add_response_header(prepared, field.name, field.value) == .YES else { return .NO }
    }
    if response.closes { MHD_add_response_header(prepared, "Connection", "close") }
    return MHD_queue_response(connection, UInt32(response.status), prepared)
}

private func makeResponse(_ response: Response) -> OpaquePointer? {
    switch response.body {
    case .bytes(let bytes):
        return bytes.withUnsafeBytes { buffer in
            MHD_create_response_from_buffer(
                buffer.count, UnsafeMutableRawPointer(mutating: buffer.baseAddress), .RESPMEM_MUST_COPY)
        }
    case .file(let path, let offset, let count):
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        return MHD_create_response_from_fd_at_offset64(UInt64(count), descriptor, UInt64(offset))
    case .stream(let stream):
        return MHD_create_response_from_callback(
            UInt64(stream.count), 1 << 16, onPull, Unmanaged.passRetained(stream).toOpaque(),
            { context in
                if let context { Unmanaged<ByteStream>.fromOpaque(context).release() }
            })
    }
}

/// `MHD_CONTENT_READER_END_WITH_ERROR`, which Swift cannot import: the connection is cut.
private let endWithError = -2

/// Libmicrohttpd asks for the next bytes of a stream.
private func onPull(
    _ context: UnsafeMutableRawPointer?, _: UInt64, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int
) -> Int {
    guard let context, let buffer else { return endWithError }
    let stream = Unmanaged<ByteStream>.fromOpaque(context).takeUnretainedValue()
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: size)
    // Fewer bytes than announced are an error, too.
    guard let count = try? stream.read(into: room), count > 0 else { return endWithError }
    return count
}

extension Response {
    /// Writes the answer past libmicrohttpd, which takes none in the middle of a body, to a connection that ends with it.
    func write(to socket: Int32) {
        let reason = MHD_get_reason_phrase_for(UInt32(status)).map { String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(status) \(reason)\r\n"
        // libmicrohttpd looks at the others.
        for field in headers.fields where field.value.utf8.allSatisfy({ $0 >= 0x20 }) {
            head += "\(field.name): \(field.value)\r\n"
        }
        head += "Content-Length: \(bytes.count)\r\nConnection: close\r\n\r\n"
        // A socket that only received lately has room for an answer of this size; where it has none, the client is cut off.
        let all = Array(head.utf8) + bytes
        _ = send(socket, all, all.count, Int32(MSG_NOSIGNAL))
    }
}
