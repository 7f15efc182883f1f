import Database
import Records
import Web
import Wire
import Wording

/// A participant's consent to a version of a study's text.
package struct AgreedConsent: Sendable {
    /// How a text is agreed to.
    package enum Way: String, Sendable, SQLConvertible { case browser, app, paper }

    package let enrolment: ID<Enrolment>
    package let codename: String
    package let version: Int
    package let agreedAt: Instant
    /// Nil for what was agreed to before it was kept.
    package let way: Way?
    /// Nil in the list of everybody: there it stands beside the versions of the study.
    package let text: LocalizedText?

    /// What it is called in lists.
    package var id: String { DerivedID.of("consent", enrolment, String(version)) }
}
