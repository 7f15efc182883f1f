import CCurl
import Foundation
import Outbound

/// Why a mail was not taken. Holds no address and no text of the mail, so it may be shown and logged.
public struct RelayError: Error, CustomStringConvertible, Sendable {
    /// The last reply of the mail server, as `550`; 0 when there was none.
    public let reply: Int
    /// libcurl's message.
    public let reason: String
    /// Whether the server permanently refuses this address: trying again changes nothing.
    public let isAddressRefused: Bool

    init(reply: Int, reason: String, isAddressRefused: Bool = false) {
        self.reply = reply
        self.reason = reason
        self.isAddressRefused = isAddressRefused
    }

    public var description: String { reply == 0 ? reason : "\(reply): \(reason)" }
}

/// A mail server that takes mails and passes them on (RFC 5321). Every host but this one must speak TLS.
public struct Relay: Sendable {
    private let url: String
    /// Host and port, without name and password.
    public let place: String
    private let needsTLS: Bool

    /// - Parameter url: `smtp://user:password@host:587` or `smtps://host`; nil for anything else.
    public init?(_ url: String) {
        guard let parts = URLComponents(string: url), let host = parts.host, !host.isEmpty,
            parts.scheme == "smtp" || parts.scheme == "smtps", parts.path.isEmpty || parts.path == "/"
        else { return nil }
        self.url = url
        place = host + (parts.port.map { ":\($0)" } ?? "")
        // On the same machine there is no eavesdropper, and its certificate would be self-made.
        needsTLS = !["localhost", "127.0.0.1", "[::1]", "::1"].contains(host)
    }

    /// Hands a mail over and returns once the server has taken it.
    /// - Parameter message: the whole message after RFC 5322, with CRLF.
    /// - Throws: `RelayError`; then the mail may be tried again.
    public func send(_ message: [UInt8], from sender: String, to recipient: String) throws {
        let sender = MailAddress.plain(sender)
        let recipient = MailAddress.plain(recipient)
        // An address becomes a line of the protocol: it must not bring lines of its own.
        guard (sender + recipient).unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7f }) else {
            throw RelayError(reply: 0, reason: "the address is not one")
        }
        guard Libcurl.isReady, let curl = curl_easy_init() else {
            throw RelayError(reply: 0, reason: "libcurl cannot be started")
        }
        defer { curl_easy_cleanup(curl) }
        let recipients = curl_slist_append(nil, "<\(recipient)>")
        defer { curl_slist_free_all(recipients) }
        var session = RelaySession(
            message, greetings: needsTLS && !url.hasPrefix("smtps") ? 2 : 1,
            needsUTF8: !(sender + recipient).utf8.allSatisfy { $0 < 0x80 })
        var words = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
        let code = withUnsafeMutablePointer(to: &session) { session in
            words.withUnsafeMutableBufferPointer { words in
                _ = intersession_curl_set_text(curl, CURLOPT_ERRORBUFFER, words.baseAddress)
                configure(curl, sender: sender, recipients, session)
                return curl_easy_perform(curl)
            }
        }
        if session.lacksUTF8 {
            throw RelayError(
                reply: 0, reason: "the mail server takes no address with letters beyond ASCII (SMTPUTF8)",
                isAddressRefused: true)
        }
        guard code == CURLE_OK else {
            throw Self.error(code, reply: intersession_curl_response_code(curl), words)
        }
    }

    /// libcurl's message tells at which step the server refused. "No such mailbox", "not here", "this name is not
    /// allowed" and "this domain takes no mail" are final; a relay that may not be used, a full mailbox and a policy
    /// are not.
    private static func error(_ code: CURLcode, reply: Int, _ words: [CChar]) -> RelayError {
        let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if text.hasPrefix("RCPT failed"), [550, 551, 553, 556].contains(reply) {
            return RelayError(
                reply: reply, reason: "the mail server takes no mail for this address", isAddressRefused: true
            )
        }
        return RelayError(reply: reply, reason: String(cString: curl_easy_strerror(code)))
    }

    private func configure(
        _ curl: UnsafeMutableRawPointer, sender: String, _ recipients: UnsafeMutablePointer<curl_slist>?,
        _ session: UnsafeMutablePointer<RelaySession>
    ) {
        let texts: [(CURLoption, String)] = [
            (CURLOPT_URL, url), (CURLOPT_PROTOCOLS_STR, "smtp,smtps"), (CURLOPT_MAIL_FROM, "<\(sender)>"),
            // Regardless of proxies in the environment.
            (CURLOPT_PROXY, ""),
        ]
        for (option, value) in texts { _ = intersession_curl_set_text(curl, option, value) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_USE_SSL, Int(needsTLS ? CURLUSESSL_ALL.rawValue : CURLUSESSL_NONE.rawValue)),
            (CURLOPT_UPLOAD, 1), (CURLOPT_CONNECTTIMEOUT, 10), (CURLOPT_TIMEOUT, 60), (CURLOPT_NOSIGNAL, 1),
            (CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue)),
        ]
        for (option, value) in numbers { _ = intersession_curl_set_number(curl, option, value) }
        _ = intersession_curl_set_list(curl, CURLOPT_MAIL_RCPT, recipients)
        RelaySession.attach(session, to: curl)
    }
}
