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
    var refusal: Refusal?
    var isUnderWay = false

    /// Why a body is only read to be thrown away.
    enum Refusal {
        case tooLarge
        /// What is answered was known before the body came.
        case answered(Response)
    }

    init(socket: Int32) { self.socket = socket }

    func reset() {
        rawTarget = nil
        head = nil
        body = []
        reader = nil
        received = 0
        refusal = nil
        isUnderWay = false
    }

    /// Nothing that came is kept.
    func refuse(_ reason: Refusal) {
        refusal = reason
        body = []
        reader = nil
    }

    /// So many bytes are read of a body that is refused: a client, or a proxy before it, that still sends when its connection
    /// ends may never see the answer. From one that sends more it is taken at once.
    var mostRead: Int {
        if case .answered = refusal { return Self.mostBeyond }
        return bodyLimit + min(bodyLimit, Self.mostBeyond)
    }
    private static let mostBeyond = 4 * 1024 * 1024
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
        return collect(core, exchange, head, piece, size)
    }
    core.watchdog.enter(.handling, socket: exchange.socket)
    var response =
        exchange.refusal.map { answer(core, head, $0) } ?? answer(core, connection, exchange, head)
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
    var headers = fields.headers
    var target = exchange.rawTarget ?? ""
    var isElsewhere = false
    if let absolute = AbsoluteTarget(target) {
        isElsewhere = !core.isMeant(by: absolute, on: exchange.socket)
        target = absolute.origin
        // RFC 9112, 3.2.2: what stands in the target counts instead.
        headers.remove("Host")
    }
    let head = RequestHead(
        method: method.flatMap { Method(rawValue: String(cString: $0)) }, rawTarget: target,
        target: Target(target), headers: headers)
    exchange.head = head
    let isHTTP11 = version.map { String(cString: $0) == "HTTP/1.1" } ?? false
    let status = Guard.refusal(of: fields, head: head, isHTTP11: isHTTP11) ?? (isElsewhere ? 404 : nil)
    if let status {
        core.watchdog.enter(.answer, socket: exchange.socket)
        return queue(refused(core, head, status), on: connection)
    }
    var phase = Watchdog.Phase.body
    switch core.application.bodyPlan(for: head, peer: peerAddress(of: connection)) {
    case .memory(let limit): exchange.bodyLimit = limit
    case .upload(let folder, let limit):
        phase = .upload
        exchange.bodyLimit = limit
        let boundary = head.headers["Content-Type"].flatMap(Multipart.boundary)
        exchange.reader = MultipartReader(Upload(folder: folder), boundary: boundary ?? [])
        if boundary == nil { exchange.reader?.upload.failure = .malformed }
    case .answered(let response): exchange.refuse(.answered(response))
    }
    let announced = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
    if exchange.refusal == nil, announced > exchange.bodyLimit { exchange.refuse(.tooLarge) }
    // A client that waits for leave has sent nothing yet. libmicrohttpd closes the connection behind an answer to a head.
    if let refusal = exchange.refusal, announced > exchange.mostRead || head.headers["Expect"] != nil {
        var response = answer(core, head, refusal)
        response.closes = true
        core.watchdog.enter(.answer, socket: exchange.socket)
        return queue(response, on: connection)
    }
    core.watchdog.enter(phase, socket: exchange.socket)
    return .YES
}

private func collect(
    _ core: ServerCore, _ exchange: Exchange, _ head: RequestHead, _ piece: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>
) -> MHD_Result {
    exchange.received += size.pointee
    if exchange.refusal == nil, exchange.received > exchange.bodyLimit { exchange.refuse(.tooLarge) }
    if let refusal = exchange.refusal {
        if exchange.received > exchange.mostRead {
            // Over TLS only libmicrohttpd could write.
            if !core.speaksTLS { answer(core, head, refusal).write(to: exchange.socket) }
            return .NO
        }
    } else {
        let bytes = UnsafeRawBufferPointer(start: piece, count: size.pointee)
        if exchange.reader == nil { exchange.body.append(contentsOf: bytes) }
        exchange.reader?.take(bytes)
    }
    size.pointee = 0
    return .YES
}

private func answer(_ core: ServerCore, _ head: RequestHead, _ refusal: Exchange.Refusal) -> Response {
    switch refusal {
    case .tooLarge: refused(core, head, 413)
    case .answered(let response): response
    }
}

private func answer(
    _ core: ServerCore, _ connection: OpaquePointer, _ exchange: Exchange, _ head: RequestHead
) -> Response {
    guard let method = head.method, let target = head.target else { return refused(core, head, 400) }
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

private func refused(_ core: ServerCore, _ head: RequestHead, _ status: Int) -> Response {
    var response = core.application.refuse(head, status: status)
    response.closes = true
    return response
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
