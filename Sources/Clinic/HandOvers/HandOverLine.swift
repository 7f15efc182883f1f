import Accounts
import Database
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// A line on Today about a hand-over, for both therapists until each has read it (PR-31).
struct HandOverLine: Encodable, Sendable {
    let id: ID<ToldHandOver>
    let text: String
    /// The list for the new therapist; nil for the former one, who has no access any more.
    let path: String?

    static func all(_ c: Context<Member>, _ connection: borrowing Connection) throws -> [HandOverLine] {
        let reader = c.proof.account.id
        return try ToldHandOverStore.unread(by: reader, connection).map { told, codename in
            let isGiven = told.from == reader
            let other = try TherapistStore.name(of: isGiven ? told.to : told.from, c.keys, connection)
            let values = ["codename": codename, "name": other, "day": c.dates.day(told.handedAt)]
            return HandOverLine(
                id: told.id, text: c.texts[isGiven ? "handover.told_from" : "handover.told_to", values],
                path: isGiven ? nil : "/patients/\(told.therapyID)/handed-over")
        }
    }
}
