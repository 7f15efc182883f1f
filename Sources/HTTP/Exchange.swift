import CMicroHTTPD
import Foundation
import Synchronization

/// One connection and its present request. All callbacks of a connection come on its own thread.
final class Exchange {
    let socket: Int32
    var rawTarget: String?
    var head: RequestHead?
    var body: [UInt8] = []
    /// Reads the body of an upload.
    var reader: MultipartReader?
    var bodyLimit = 0
    var received = 0
    var isTooLarge = false
    var isUnderWay = false

    init(socket: Int32) { self.socket = socket }

    func reset() {
        rawTarget = nil
        head = nil
        body = []
        reader = nil
        received = 0
        isTooLarge = false
        isUnderWay = false
    }
}

private func exchange(of connection: OpaquePointer?) -> Exchange? {
    guard let connection, let pointer = intersession_mhd_socket_context(connection) else { return nil }
    return Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
}

private func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
    context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
}

/// `MHD_CONNECTION_NOTIFY_STARTED`, which Swift imports under no name.
private let connectionStarted = 0

/// A connection begins or ends.
func onConnection(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_ConnectionNotificationCode
) {
    guard let core = core(context), let connection, let socketContext else { return }
    if code.rawValue == connectionStarted {
        let exchange = Exchange(socket: intersession_mhd_socket(connection))
        socketContext.pointee = Unmanaged.passRetained(exchange).toOpaque()
        core.watchdog.begin(socket: exchange.socket)
    } else if let pointer = socketContext.pointee {
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        core.watchdog.forget(socket: exchange.socket)
        socketContext.pointee = nil
    }
}

/// The request line has arrived; its target can be NULL on port scans.
func onTarget(
    _ context: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let text, let exchange = exchange(of: connection) else { return nil }
    let length = strlen(text)
    let bytes = UnsafeRawBufferPointer(start: text, count: length)
    exchange.rawTarget = String(decoding: bytes, as: UTF8.self)
    return nil
}

/// A request has ended, successfully or not.
func onCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _: MHD_RequestTerminationCode
) {
    guard let core = core(context), let exchange = exchange(of: connection) else { return }
    if exchange.isUnderWay { core.requestsUnderWay.subtract(1, ordering: .releasing) }
    exchange.reset()
    core.watchdog.enter(.idle, socket: exchange.socket)
}

/// Called first with the head, then with each piece of the body, at last without more data.
func onRequest(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let core = core(context), let connection, let size, let exchange = exchange(of: connection) else {
        return .NO
    }
    guard let head = exchange.head else {
        return begin(core, connection, exchange, method: method, version: version)
    }
    if size.pointee > 0 {
        return collect(exchange, piece, size)
    }
    core.watchdog.enter(.handling, socket: exchange.socket)
    var response = exchange.isTooLarge ? refusal(core, head, 413) : answer(core, connection, exchange, head)
    if core.isStopping.load(ordering: .relaxed) { response.closes = true }
    core.watchdog.enter(.answer, socket: exchange.socket)
    return queue(response, on: connection)
}

private func begin(
    _ core: ServerCore, _ connection: OpaquePointer, _ exchange: Exchange, method: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?
) -> MHD_Result {
    core.requestsUnderWay.add(1, ordering: .acquiring)
    exchange.isUnderWay = true
    let fields = readFields(of: connection)
    let head = RequestHead(
        method: method.flatMap { Method(rawValue: String(cString: $0)) },
        rawTarget: exchange.rawTarget ?? "", target: exchange.rawTarget.flatMap { Target($0) },
        headers: fields.headers)
    exchange.head = head
    let isHTTP11 = version.map { String(cString: $0) == "HTTP/1.1" } ?? false
    if let status = Guard.refusal(of: fields, head: head, isHTTP11: isHTTP11) {
        core.watchdog.enter(.answer, socket: exchange.socket)
        return queue(refusal(core, head, status), on: connection)
    }
    switch core.application.bodyPlan(for: head, peer: peerAddress(of: connection)) {
    case .memory(let limit): exchange.bodyLimit = limit
    case .upload(let folder, let limit):
        exchange.bodyLimit = limit
        let boundary = head.headers["Content-Type"].flatMap(Multipart.boundary)
        exchange.reader = MultipartReader(Upload(folder: folder), boundary: boundary ?? [])
        if boundary == nil { exchange.reader?.upload.failure = .malformed }
    case .answered(var response):
        response.closes = true
        core.watchdog.enter(.answer, socket: exchange.socket)
        return queue(response, on: connection)
    }
    if let length = head.headers["Content-Length"].flatMap({ Int($0) }), length > exchange.bodyLimit {
        // Answered before the body is read; libmicrohttpd then closes the connection.
        core.watchdog.enter(.answer, socket: exchange.socket)
        return queue(refusal(core, head, 413), on: connection)
    }
    core.watchdog.enter(exchange.reader == nil ? .body : .upload, socket: exchange.socket)
    return .YES
}

private func collect(
    _ exchange: Exchange, _ piece: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>
) -> MHD_Result {
    if exchange.received + size.pointee > exchange.bodyLimit {
        exchange.isTooLarge = true
        exchange.bodyLimit -= size.pointee
        exchange.body = []
        exchange.reader = nil
        // No answer is possible in the middle of a body: a little is drained for honest clients, then it is cut.
        if exchange.bodyLimit < -8 * 1024 * 1024 { return .NO }
    } else if !exchange.isTooLarge {
        let bytes = UnsafeRawBufferPointer(start: piece, count: size.pointee)
        exchange.received += size.pointee
        if exchange.reader == nil { exchange.body.append(contentsOf: bytes) }
        exchange.reader?.take(bytes)
    }
    size.pointee = 0
    return .YES
}

private func answer(
    _ core: ServerCore, _ connection: OpaquePointer, _ exchange: Exchange, _ head: RequestHead
) -> Response {
    guard let method = head.method, let target = head.target else { return refusal(core, head, 400) }
    exchange.reader?.finish()
    let request = Request(
        method: method, target: target, headers: head.headers, body: exchange.body,
        upload: exchange.reader?.upload, peer: peerAddress(of: connection),
        isAwaited: presence(on: exchange.socket, patience: core.patience))
    exchange.body = []
    exchange.reader = nil
    return core.application.respond(to: request)
}

/// Whether a client is still there. One that closed its sending half looks gone; quick answers reach it.
private func presence(on socket: Int32, patience: Double) -> @Sendable () -> Bool {
    let lookFrom = monotonicSeconds() + patience
    return { monotonicSeconds() < lookFrom || intersession_is_left(socket) == 0 }
}

private func refusal(_ core: ServerCore, _ head: RequestHead, _ status: Int) -> Response {
    var response = core.application.refuse(head, status: status)
    response.closes = true
    return response
}

private func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
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

private func peerAddress(of connection: OpaquePointer) -> String {
    guard let address = intersession_mhd_peer(connection) else { return "" }
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
    let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    guard
        getnameinfo(address, socklen_t(length), &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
    else { return "" }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}
