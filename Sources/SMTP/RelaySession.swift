import CCurl
import Foundation

/// One conversation of libcurl with a mail server: hands out the message, and hears what the server offers. Servers offer anew in
/// each conversation, so nothing has to be remembered, and a mail server that was changed is known at once.
struct RelaySession {
    private let message: [UInt8]
    private var position = 0
    /// How often this server still says what it offers: over STARTTLS twice, and what it says the last time counts (RFC 3207, 4.2).
    private var greetingsLeft: Int
    private let needsUTF8: Bool
    private var isGreeting = false
    private var offersUTF8 = false
    /// Whether the conversation was broken off because an address needs what is not offered (RFC 6531, 3.5).
    private(set) var lacksUTF8 = false

    init(_ message: [UInt8], greetings: Int, needsUTF8: Bool) {
        self.message = message
        greetingsLeft = greetings
        self.needsUTF8 = needsUTF8
    }

    /// - Parameter session: stays where it is until the conversation is over.
    static func attach(_ session: UnsafeMutablePointer<RelaySession>, to curl: UnsafeMutableRawPointer) {
        let read: curl_read_callback = { buffer, size, count, context in
            guard let buffer, let session = context?.assumingMemoryBound(to: RelaySession.self) else {
                return 0
            }
            return session.pointee.read(into: buffer, atMost: size * count)
        }
        _ = intersession_curl_set_source(curl, read, session)
        let hear: curl_write_callback = { buffer, size, count, context in
            guard let buffer, let session = context?.assumingMemoryBound(to: RelaySession.self) else {
                return 0
            }
            let line = UnsafeRawBufferPointer(start: buffer, count: size * count)
            return session.pointee.hear(line) ? size * count : 0
        }
        let ignore: curl_write_callback = { _, size, count, _ in size * count }
        _ = intersession_curl_set_callbacks(curl, ignore, hear, nil, session)
    }

    private mutating func read(into buffer: UnsafeMutablePointer<CChar>, atMost limit: Int) -> Int {
        let count = min(limit, message.count - position)
        guard count > 0 else { return 0 }
        message.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            memcpy(buffer, start + position, count)
        }
        position += count
        return count
    }

    /// Hears a line of a reply: `250-SMTPUTF8`, the last line of a reply with a blank instead of the dash.
    /// - Returns: whether to go on.
    mutating func hear(_ line: UnsafeRawBufferPointer) -> Bool {
        if line.starts(with: Array("220".utf8)) {
            isGreeting = true
            offersUTF8 = false
        }
        // One that does not know EHLO is asked with HELO next, and offers nothing.
        guard isGreeting, line.starts(with: Array("250".utf8)) else { return true }
        let word = String(decoding: line.dropFirst(4), as: UTF8.self).split { $0.isWhitespace }.first
        if word?.uppercased() == "SMTPUTF8" { offersUTF8 = true }
        guard line.count > 3, line[3] != UInt8(ascii: "-") else { return true }
        isGreeting = false
        greetingsLeft -= 1
        lacksUTF8 = greetingsLeft == 0 && needsUTF8 && !offersUTF8
        return !lacksUTF8
    }
}
