import Identity
import Web
import Wording

/// What an invitation of a member of staff says of its origin: the clinic by its own name and the person that invites,
/// as far as they are known.
package struct Invitation: Sendable {
    private let clinic: String?
    private let inviter: String?

    package init<P>(by inviter: AccountRecord?, _ c: Context<P>) throws {
        clinic = c.services.clinic.now.record.name
        self.inviter = try inviter?.name(c.keys)
    }

    /// The sentence that an invitation begins with, in the mail and on the page that its link opens.
    package func sentence(_ texts: Texts) -> String {
        switch (inviter, clinic) {
        case (let inviter?, let clinic?):
            texts["password.invited_by_to", ["inviter": inviter, "clinic": clinic]]
        case (let inviter?, nil): texts["password.invited_by", ["inviter": inviter]]
        case (nil, let clinic?): texts["password.invited_to", ["clinic": clinic]]
        case (nil, nil): texts["password.invited"]
        }
    }

    /// The subject of its mail.
    package func subject(_ texts: Texts) -> String {
        clinic.map { texts["password.invitation_subject_clinic", ["clinic": $0]] }
            ?? texts["password.invitation_subject"]
    }
}
