import Outbound
import Records
import Secrets
import Web
import WebPush
import Wire

/// The request to a relay for a message: opened, sealed for the device, and signed.
struct PushRequests {
    private let services: Services
    private let desk: PushSignal
    /// Relays keep a message for four weeks at most; some refuse one that asks for more (RP-107).
    private static let longestLife: Int64 = 2_419_200
    /// Two hours: a telephone that sleeps hands over what is not urgent much later, and a window that closes this soon would be
    /// over (RFC 8030, 5.3; RP-110).
    private static let closing: Int64 = 7200
    private var letters: [String: (value: String, until: Int64)] = [:]

    init(_ services: Services) {
        self.services = services
        desk = services.part(PushSignal.self)
    }

    /// - Throws: for messages that can never be opened or sealed.
    mutating func request(_ message: DuePushMessage, _ now: Instant) throws -> OutboundRequest {
        let key = try services.keys.unwrap(message.wrappedKey, owner: message.account)
        let place = PushPlace.endpoint(message.subscription)
        guard let endpoint = PushEndpoint(stored: try key.openBytes(message.endpoint, from: place)),
            let receiver = endpoint.receiver
        else { throw SealBroken() }
        let title = try message.title.map { try key.open($0, from: PushPlace.title(message.subscription)) }
        let text = try PushLetter.text(message, title: title, services)
        let sealed = try PushMessage.seal(text, for: receiver, padded: PushLetter.length)
        let rest = min(max(0, message.expires.seconds - now.seconds), Self.longestLife)
        return OutboundRequest(
            url: endpoint.url,
            headers: [
                ("TTL", String(rest)), ("Topic", Self.topic(message)),
                ("Urgency", message.isMomentary || rest <= Self.closing ? "high" : "normal"),
                ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
                ("Authorization", authorization(for: endpoint.origin, now)),
            ], body: sealed)
    }

    /// One for each subject and device: a relay replaces an earlier message, and learns nothing from it.
    private static func topic(_ message: DuePushMessage) -> String {
        String(
            Base64URL.text(Digest.plain(Array("\(message.subscription)/\(message.subject.id)".utf8))).prefix(
                32))
    }

    /// Kept for twelve hours for each relay: making it for every message would take half of the work.
    private mutating func authorization(for origin: String, _ now: Instant) -> String {
        if let known = letters[origin], known.until > now.seconds + 3600, known.until <= now.seconds + 43_200
        {
            return known.value
        }
        let end = now.seconds + 43_200
        // Relays accept `mailto:` and `https:` alone; a trial has neither.
        let site = services.origin.hasPrefix("https:") ? services.origin : "mailto:noreply@localhost"
        let subject = services.settings.sender.map { "mailto:\($0)" } ?? site
        let value = SenderToken.authorization(for: origin, subject: subject, until: end, by: desk.key)
        letters[origin] = (value, end)
        return value
    }
}
