import Accounts
import Database
import Delivery
import Identity
import Records
import Rules
import Therapies
import Web
import Wording

/// The first steps of a new installation, for administrators and therapists: done and missing ones.
package struct Welcome: Sendable {
    package enum Step: String, Sendable, CaseIterable {
        // The administrator's part.
        case clinic, mail, privacy, imprint, colleagues
        // The part of therapists and study leads.
        case profile, starter, patient

        var isWork: Bool { [.profile, .starter, .patient].contains(self) }
    }

    package let steps: [(step: Step, isDone: Bool)]

    /// For rewritten pages, the sentence that still calls them templates.
    package let leftOver: [Step: String]

    package var open: Int { steps.count { !$0.isDone } }

    /// - Parameter roles: those of the account.
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
            let isOpen = try StarterQuestionnaires.standing(c, connection).isOpen
            steps.append((.starter, try !isOpen && !StarterPractice.standing(c, connection).isOpen))
        }
        if account.roles.contains(.therapist) {
            steps.append((.patient, try !TherapyStore.caseload(of: account.id, connection).isEmpty))
        }
        self.steps = steps
        self.leftOver = leftOver
    }

    /// The line on a home page: the number of open steps; nil once all are done, or the reader has dismissed them.
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
