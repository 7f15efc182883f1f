import Identity
import Web
import Wording

/// The origin of an invitation to a member of staff: the clinic's name and the inviting person, as far as known.
package struct Invitation: Sendable {
    private let clinic: String?
    private let inviter: String?

    package init<P>(by inviter: AccountRecord?, _ c: Context<P>) throws {
        clinic = c.services.clinic.now.record.name
        self.inviter = try inviter?.name(c.keys)
    }

    /// The first sentence of an invitation, in the mail and on the page that its link opens.
    package func sentence(_ texts: Texts) -> String {
        switch (inviter, clinic) {
        case (let inviter?, let clinic?):
            texts["password.invited_by_to", ["inviter": inviter, "clinic": clinic]]
        case (let inviter?, nil): texts["password.invited_by", ["inviter": inviter]]
        case (nil, let clinic?): texts["password.invited_to", ["clinic": clinic]]
        case (nil, nil): texts["password.invited"]
        }
    }

    package func subject(_ texts: Texts) -> String {
        clinic.map { texts["password.invitation_subject_clinic", ["clinic": $0]] }
            ?? texts["password.invitation_subject"]
    }
}
