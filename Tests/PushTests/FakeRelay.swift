import Foundation
import NetworkTesting
import Secrets
import Synchronization
import WebPush
import Wire

/// A relay on this machine, and the devices behind it: it keeps what came, and opens it as a device would.
final class FakeRelay: Sendable {
    struct Message: Sendable {
        let path: String
        let headers: [String: String]
        let body: [UInt8]
    }

    private let kept = Mutex<[Message]>([])
    private let answer = Mutex<String>(FakeRelay.created)
    private let server: LocalServer
    let device = EllipticKey.random()
    let secret = SecureRandom.bytes(16)

    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"

    init() throws {
        let (kept, answer) = (Shared(), Shared())
        server = try LocalServer(
            LocalServer.answering { request in
                kept.relay?.take(request)
                return answer.relay?.answer.withLock { $0 } ?? ""
            })
        kept.relay = self
        answer.relay = self
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

    func answers(_ status: String, _ more: String = "") {
        answer.withLock { $0 = "HTTP/1.1 \(status)\r\n\(more)Content-Length: 0\r\n\r\n" }
    }

    private func take(_ request: [UInt8]) {
        guard let end = request.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
        let lines = String(decoding: request[..<end.lowerBound], as: UTF8.self).components(
            separatedBy: "\r\n")
        let headers = lines.dropFirst().reduce(into: [String: String]()) { all, line in
            let parts = line.split(separator: ":", maxSplits: 1)
            all[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let path = String(lines[0].split(separator: " ")[1])
        let message = Message(path: path, headers: headers, body: Array(request[end.upperBound...]))
        kept.withLock { $0.append(message) }
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
