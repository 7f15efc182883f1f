import Records
import Secrets
import Wording

/// The mail with the link that proves an address.
enum VerificationMail {
    static let lifetimeDays: Int64 = 7

    /// Where its link leads, and the one that proves another address later.
    static func address(of token: Token, _ origin: String) -> String {
        "\(origin)/verify-email?token=\(token.text)"
    }

    static func make(to address: String, token: Token, origin: String, texts: Texts) -> Mail {
        let link = self.address(of: token, origin)
        let body = texts["registration.mail_body", ["link": link, "days": String(lifetimeDays)]]
        return Mail(recipient: address, subject: texts["registration.mail_subject"], body: body)
    }
}
