import Foundation
import Synchronization

/// A mail server on this machine that records the recipients of mails, and refuses some addresses as unknown.
public final class LocalMailServer: Sendable {
    private let server: LocalServer
    private let state: State

    private final class State: Sendable {
        let taken = Mutex<[String]>([])
        let senders = Mutex<[String]>([])
        let refusals = Mutex<[String: String]>([:])
        /// What EHLO is answered.
        let greeting: String

        init(offering offers: [String]) {
            let lines = ["localhost"] + offers
            greeting = zip(lines.indices, lines).map { index, line in
                "250\(index == lines.count - 1 ? " " : "-")\(line)\r\n"
            }.joined()
        }
    }

    public var port: Int { server.port }
    /// The recipients of accepted mails.
    public var taken: [String] { state.taken.withLock { $0 } }
    /// The lines that named the senders of mails, with what they say of them.
    public var senders: [String] { state.senders.withLock { $0 } }
    /// The number of connections.
    public var connections: Int { server.connections }

    /// - Parameters:
    ///   - refusals: the answers to addresses it refuses: `550 5.1.1 no such mailbox`.
    ///   - offers: the extensions it offers: `SMTPUTF8`.
    public init(refusing refusals: [String: String] = [:], offering offers: [String] = []) throws {
        let state = State(offering: offers)
        state.refusals.withLock { $0 = refusals }
        self.state = state
        server = try LocalServer { Self.talk($0, state) }
    }

    public func stop() { server.stop() }

    /// Sets the refusals from now on.
    public func refuse(_ refusals: [String: String]) { state.refusals.withLock { $0 = refusals } }

    private static func talk(_ connection: Int32, _ state: State) {
        LocalServer.write("220 localhost\r\n", to: connection)
        var recipient = ""
        var isInMail = false
        var lines = Lines(connection)
        while let line = lines.next() {
            if isInMail {
                guard line == "." else { continue }
                isInMail = false
                state.taken.withLock { $0.append(recipient) }
                LocalServer.write("250 taken\r\n", to: connection)
                continue
            }
            let word = line.prefix(4).uppercased()
            switch word {
            case "EHLO": LocalServer.write(state.greeting, to: connection)
            case "MAIL":
                state.senders.withLock { $0.append(line) }
                LocalServer.write("250 taken\r\n", to: connection)
            case "RCPT":
                recipient = line.firstMatch(of: /<(.*)>/).map { String($0.1) } ?? ""
                let refusal = state.refusals.withLock { [recipient] in $0[recipient] }
                LocalServer.write((refusal ?? "250 taken") + "\r\n", to: connection)
            case "DATA":
                isInMail = true
                LocalServer.write("354 go on\r\n", to: connection)
            case "QUIT":
                LocalServer.write("221 bye\r\n", to: connection)
                return
            default: LocalServer.write("250 localhost\r\n", to: connection)
            }
        }
    }

    /// A connection line by line.
    private struct Lines {
        let connection: Int32
        private var bytes: [UInt8] = []

        init(_ connection: Int32) { self.connection = connection }

        mutating func next() -> String? {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                if let end = bytes.firstIndex(of: 10) {
                    let line = String(decoding: bytes[..<end], as: UTF8.self)
                    bytes.removeFirst(end + 1)
                    return line.hasSuffix("\r\n") || line.hasSuffix("\r") ? String(line.dropLast()) : line
                }
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { return nil }
                bytes += buffer[..<count]
            }
        }
    }
}
