import Foundation
import Records
import Secrets
import Web
import Wording

/// What somebody says of themselves when registering (IO-1). Made only by reading.
package struct RegistrationDraft: Sendable {
    package let email: String
    package let password: String
    package let researchConsent: Bool
    package let language: Language
    package let timezone: String

    /// - Parameters:
    ///   - installed: the languages there are to choose from.
    ///   - language: where none is chosen.
    /// - Throws: `Problem.invalid`.
    package static func read(
        _ fields: InputReader, among installed: [Language], language: Language, timezone: String
    ) throws(Problem) -> RegistrationDraft {
        let email = fields.email("email")
        let password = PasswordRules.read(fields, context: [email ?? ""])
        if fields.bool("privacy_accepted") != true { fields.refuse("privacy_accepted", "errors.privacy") }
        let consent = fields.bool("research_consent") ?? false
        let chosen = fields.language("language", among: installed)
        let zone = fields.timezone("timezone") ?? timezone
        try fields.finish()
        guard let email, let password else { throw .invalid(fields.errors) }
        return RegistrationDraft(
            email: email, password: password, researchConsent: consent,
            language: chosen ?? language, timezone: zone)
    }

    private init(email: String, password: String, researchConsent: Bool, language: Language, timezone: String)
    {
        self.email = email
        self.password = password
        self.researchConsent = researchConsent
        self.language = language
        self.timezone = timezone
    }
}

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
