public import Secrets

/// Identifies the sender to a relay, so that a stolen subscription is useless to others (VAPID, RFC 8292).
public enum SenderToken {
    /// The longest validity allowed, in seconds.
    public static let longest: Int64 = 24 * 3600

    /// The value of `Authorization` for every message to a relay until then.
    /// - Parameters:
    ///   - origin: of the relay: `https://push.example.org`.
    ///   - subject: the contact for the relay: `mailto:` or `https:`.
    ///   - end: in seconds since 1970, at most 24 hours ahead.
    public static func authorization(
        for origin: String, subject: String, until end: Int64, by key: EllipticKey
    ) -> String {
        let head = Base64URL.text(Array(#"{"typ":"JWT","alg":"ES256"}"#.utf8))
        let claims = #"{"aud":"\#(quoted(origin))","exp":\#(end),"sub":"\#(quoted(subject))"}"#
        let text = head + "." + Base64URL.text(Array(claims.utf8))
        let signature = Base64URL.text(key.sign(Array(text.utf8)))
        return "vapid t=\(text).\(signature), k=\(Base64URL.text(key.publicPoint))"
    }

    private static func quoted(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && $0 != "\"" && $0 != "\\" })
    }
}
