import Accounts
import Database
import Identity
import Records
import Responses
import Rules
import Therapies
import Web
import Wire
import Wording

/// The first steps of a new installation, for administrators and therapists: what is done, and what is missing.
package struct Welcome: Sendable {
    package enum Step: String, Sendable, CaseIterable {
        // The administrator's half.
        case clinic, mail, privacy, imprint, colleagues
        // The half of those who treat and study.
        case profile, starter, patient

        var isWork: Bool { [.profile, .starter, .patient].contains(self) }
    }

    package let steps: [(step: Step, isDone: Bool)]

    /// Of pages that were rewritten, the sentence that still calls them templates.
    package let leftOver: [Step: String]

    package var open: Int { steps.count { !$0.isDone } }

    /// - Parameter roles: of whom it leads.
    package init(for account: AccountRecord, _ c: Context<Member>, _ connection: borrowing Connection) throws
    {
        var steps: [(step: Step, isDone: Bool)] = []
        var leftOver: [Step: String] = [:]
        if account.roles.contains(.admin) {
            steps.append((.clinic, c.services.clinic.now.record.revision > 0))
            steps.append((.mail, try c.services.postman.isProved(connection)))
            for (step, page) in [(Step.privacy, ShippedPage.privacy), (.imprint, .imprint)] {
                let version = try InformationStore.version(of: InformationPage(page), connection)
                let isOwn = version > InformationPage.shippedVersion
                let sentence = try Information.templateSentence(page, c.services, connection)
                if isOwn { leftOver[step] = sentence }
                steps.append((step, isOwn && sentence == nil))
            }
            steps.append((.colleagues, try AccountStore.isThereOpen(.therapist, connection)))
        }
        if account.roles.contains(.therapist) {
            let card = try TherapistStore.card(of: account, c.keys, connection)
            steps.append((.profile, card.profile.phone != nil || card.profile.street != nil))
        }
        if !account.roles.isDisjoint(with: [.therapist, .lead]) {
            let isOpen = try Responses.StarterSet.standing(c, connection).isOpen
            steps.append((.starter, try !isOpen && !StarterPractice.standing(c, connection).isOpen))
        }
        if account.roles.contains(.therapist) {
            steps.append((.patient, try !TherapyStore.caseload(of: account.id, connection).isEmpty))
        }
        self.steps = steps
        self.leftOver = leftOver
    }

    /// What a home page says: how many steps are open; nil once all are done, or the reader has put them away.
    package static func banner(
        for account: AccountRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> String? {
        if try WelcomeStore.isDismissed(by: account.id, connection) { return nil }
        let open = try Welcome(for: account, c, connection).open
        return open == 0 ? nil : c.texts.count("welcome.open", open)
    }
}

extension AuditAction {
    static let mailTried = AuditAction(name: "mail.tried")
    static let welcomeDismissed = AuditAction(name: "welcome.dismissed")
}
