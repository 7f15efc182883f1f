import Foundation
import Records
import Secrets
import Web
import Wording

/// The data of a registration (IO-1). Made only by reading.
package struct RegistrationDraft: Sendable {
    package let email: String
    package let password: String
    package let researchConsent: Bool
    package let language: Language
    package let zone: DeviceZone
    /// The version of the privacy statement that was shown; nil where it was not told.
    package let privacyVersion: Int?
    /// Whether invisible signs were taken out of the address.
    package let isEmailCleaned: Bool

    /// - Parameters:
    ///   - installed: the languages to choose from.
    ///   - language: the default.
    ///   - timezone: the clinic's, which counts where none or an unknown one is told.
    /// - Throws: `Problem.invalid`.
    package static func read(
        _ fields: InputReader, among installed: [Language], language: Language, timezone: String
    ) throws(Problem) -> RegistrationDraft {
        let email = fields.email("email")
        let password = PasswordRules.read(fields, context: [email ?? ""])
        if fields.bool("privacy_accepted") != true { fields.refuse("privacy_accepted", "errors.privacy") }
        let consent = fields.bool("research_consent") ?? false
        let version = fields.consentVersion("privacy_version")
        let chosen = fields.language("language", among: installed)
        let zone = fields.deviceZone("timezone", or: timezone) ?? DeviceZone(name: timezone)
        try fields.finish()
        guard let email, let password else { throw .invalid(fields.errors) }
        return RegistrationDraft(
            email: email, password: password, researchConsent: consent,
            language: chosen ?? language, zone: zone, privacyVersion: version,
            isEmailCleaned: fields.cleaned.contains("email"))
    }

    private init(
        email: String, password: String, researchConsent: Bool, language: Language, zone: DeviceZone,
        privacyVersion: Int?, isEmailCleaned: Bool
    ) {
        self.email = email
        self.password = password
        self.researchConsent = researchConsent
        self.language = language
        self.zone = zone
        self.privacyVersion = privacyVersion
        self.isEmailCleaned = isEmailCleaned
    }
}

extension Registrant {
    init(_ draft: RegistrationDraft, _ key: PersonKey) {
        self.init(key: key, language: draft.language, timezone: draft.zone.name)
    }
}
