import Accounts
import HTTP
import Identity
import Scheduling
import Web
import Wire
import Wording

/// Consent to research with its history (IO-17). A page of its own names the consequences before it is withdrawn.
package enum OwnPrivacyPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, path, .patient, show)
        routes.page(.post, path, .patient, give)
        routes.page(.get, revocation, .patient, ask)
        routes.page(.post, revocation, .patient, revoke)
    }

    private static let path = "/my/settings/privacy"
    private static let revocation = "/my/settings/privacy/revocation"

    package struct Show: Page {
        package static let template = "my/privacy"
        package static let section: NavigationItem? = .more

        package struct Choice: Encodable, Sendable {
            let what: String
            let when: String
        }
        let isGiven: Bool
        /// Of the privacy statement in force.
        let version: String
        let history: [Choice]
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account
        let (privacy, version) = try c.read { connection in
            (
                try PrivacyAPI.privacy(account.id, connection),
                try InformationStore.version(of: .privacy, connection)
            )
        }
        let dates = c.dates(in: Zone(account.timezone))
        return .page(
            Show(
                isGiven: privacy.researchConsent, version: String(version),
                history: privacy.history.map { choice in
                    let key = choice.researchConsent ? "said_yes" : "said_no"
                    return Show.Choice(
                        what: c.texts["own_settings.\(key)"], when: dates.dayAndTime(choice.changedAt))
                }))
    }

    @Sendable static func give(_ c: Context<Member>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let version = fields.consentVersion("privacy_version")
        try fields.finish()
        do {
            try PrivacyAPI.choose(true, shown: version, c)
        } catch let problem as Problem where PrivacyStore.isChange(problem) {
            return .seeOther(path, flash: problem.message)
        }
        return .seeOther(path, flash: Message("own_settings.consent_thanks"))
    }

    @Sendable static func ask(_ c: Context<Member>) throws -> Reply {
        .page(
            OwnForm(
                title: c.texts["own_settings.revoke_title"], lead: c.texts["own_settings.revoke_lead"],
                points: (1...4).map { c.texts["own_settings.revoke_point_\($0)"] },
                parent: PageLink(
                    label: c.texts["own_settings.to_privacy"], path: path, isCurrent: false),
                action: revocation, submit: c.texts["own_settings.revoke_submit"], isGrave: true, asks: true))
    }

    @Sendable static func revoke(_ c: Context<Member>) throws -> Reply {
        try PrivacyAPI.choose(false, c)
        return .seeOther(path, flash: Message("own_settings.revoked"))
    }
}
