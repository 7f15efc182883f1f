import Database
import Records
import Web
import Wire
import Wording

/// A participant's consent to a version of a study's text.
package struct AgreedConsent: Sendable {
    /// How a text was agreed to.
    package enum Way: String, Sendable, SQLConvertible { case browser, app, paper }

    package let enrolment: ID<Enrolment>
    package let codename: String
    package let version: Int
    package let agreedAt: Instant
    /// Nil for consents older than this record.
    package let way: Way?
    /// Whether the agreement named the version that was shown; else it is the one of the moment of writing. Nil for consents
    /// older than this record.
    package let isVersionTold: Bool?
    /// Nil in the list of all participants, which shows the study's versions beside it.
    package let text: LocalizedText?

    package var id: String { DerivedID.of("consent", enrolment, String(version)) }

    /// How it was agreed to.
    package func words(_ texts: Texts) -> String {
        let way = texts["studies.way_\(way?.rawValue ?? "unknown")"]
        return isVersionTold == false ? texts["studies.version_untold", ["way": way]] : way
    }
}
