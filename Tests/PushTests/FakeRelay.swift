import Foundation
import NetworkTesting
import Secrets
import Synchronization
import Testing
import WebPush
import Wire

/// A relay on this machine, and the devices behind it: it keeps what came, and opens it as a device would.
final class FakeRelay: Sendable {
    struct Message: Sendable {
        let path: String
        let headers: [String: String]
        let body: [UInt8]
    }

    /// What it does with a message.
    enum Behaviour: Sendable, CustomTestStringConvertible {
        case answers(String)
        /// Sends the head at once, and a byte of the rest now and then, for as long as the client listens.
        case drips(String)
        case resets
        case hangsUp
        /// Says nothing until it is let go, and takes it then.
        case holds

        var testDescription: String { String("\(self)".prefix(80)) }
    }

    private let kept = Mutex<[Message]>([])
    private let behaviours = Mutex<[String: Behaviour]>([:])
    private let held = DispatchSemaphore(value: 0)
    private let server: LocalServer
    let device = EllipticKey.random()
    let secret = SecureRandom.bytes(16)

    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    init() throws {
        let shared = Shared()
        server = try LocalServer(
            LocalServer.serving { request, connection in
                shared.relay?.serve(request, connection) ?? false
            })
        shared.relay = self
    }

    /// Made before the relay that it leads to.
    private final class Shared: @unchecked Sendable { weak var relay: FakeRelay? }

    deinit { server.stop() }

    var port: Int { server.port }
    var messages: [Message] { kept.withLock { $0 } }

    func endpoint(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }

    /// As a device subscribes over the API.
    func subscription(_ name: String = "device", wants: String = #"["prompts", "changes"]"#) -> String {
        let (point, secret) = (Base64URL.text(device.publicPoint), Base64URL.text(secret))
        return
            #"{"endpoint": "\#(endpoint(name))", "keys": {"p256dh": "\#(point)", "auth": "\#(secret)"}, "wants": \#(wants)}"#
    }

    func answers(_ status: String, _ more: String = "", to name: String = "") {
        behaves(.answers("HTTP/1.1 \(status)\r\n\(more)Content-Length: 0\r\n\r\n"), to: name)
    }

    /// - Parameter name: the device it does this to; empty for all without a behaviour of their own.
    func behaves(_ behaviour: Behaviour, to name: String = "") {
        behaviours.withLock { $0[name] = behaviour }
    }

    /// One that is held goes on.
    func letGo() { held.signal() }

    /// - Returns: whether the connection goes on.
    private func serve(_ request: [UInt8], _ connection: Int32) -> Bool {
        let name = take(request)
        switch behaviours.withLock({ $0[name] ?? $0[""] }) ?? .answers(Self.created) {
        case .answers(let text): return LocalServer.write(text, to: connection)
        case .drips(let head):
            guard LocalServer.write(head, to: connection) else { return false }
            while LocalServer.write("a", to: connection) { Thread.sleep(forTimeInterval: 0.02) }
            return false
        case .resets:
            LocalServer.reset(connection)
            return false
        case .hangsUp: return false
        case .holds:
            _ = held.wait(timeout: .now() + 30)
            return LocalServer.write(Self.created, to: connection)
        }
    }

    /// - Returns: the name of the device.
    private func take(_ request: [UInt8]) -> String {
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return "" }
        let lines = String(decoding: request[..<end.lowerBound], as: UTF8.self).components(
            separatedBy: "\r\n")
        let headers = lines.dropFirst().reduce(into: [String: String]()) { all, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            all[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let path = String(lines[0].split(separator: " ")[1])
        let message = Message(path: path, headers: headers, body: Array(request[end.upperBound...]))
        kept.withLock { $0.append(message) }
        return String(path.dropFirst())
    }

    /// What the device reads; nil for what it cannot open.
    func open(_ message: Message) -> String? {
        let body = message.body
        guard body.count > 86, let sender = EllipticPoint(Array(body[21..<86])),
            let shared = device.agree(with: sender)
        else { return nil }
        let whose = Array("WebPush: info\0".utf8) + device.publicPoint + sender.bytes
        let base = KeyDerivation.hkdf(secret: shared, salt: secret, info: whose, length: 32)
        let salt = Array(body[..<16])
        let key = KeyDerivation.hkdf(
            secret: base, salt: salt, info: Array("Content-Encoding: aes128gcm\0".utf8), length: 16)
        let nonce = KeyDerivation.hkdf(
            secret: base, salt: salt, info: Array("Content-Encoding: nonce\0".utf8), length: 12)
        guard let plain = SealedGCM.open(Array(body[86...]), key: key, nonce: nonce),
            let end = plain.lastIndex(of: 2)
        else { return nil }
        return String(decoding: plain[..<end], as: UTF8.self)
    }
}
