import Accounts
import Identity
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// A patient's therapist, for page and call alike (IO-7).
package enum OwnTherapist {
    package static let cardType = "text/vcard; charset=utf-8"

    /// A holiday that includes today.
    package struct Absence: Sendable {
        package let until: LocalDate
        /// The substitute.
        package let cover: String?
    }

    /// - Throws: `Problem.notFound`.
    package static func card(_ c: Context<PairedPatient>) throws -> TherapistCard {
        let id = c.proof.therapy.therapistID
        guard let card = try c.read({ try TherapistStore.card(of: id, c.keys, $0) }) else {
            throw Problem.notFound
        }
        return card
    }

    package static func absence(_ c: Context<PairedPatient>) throws -> Absence? {
        try absence(c.proof.therapy, of: c.proof.account, c)
    }

    /// The same for pages open to every patient.
    package static func absence<P>(
        _ therapy: Therapy, of account: AccountRecord, _ c: Context<P>
    ) throws -> Absence? {
        let today = LocalTime(c.now, Zone(account.timezone)).date
        let (pauses, therapist) = try c.read { connection in
            (
                try PauseStore.own(of: therapy.therapistID, connection),
                try AccountStore.find(therapy.therapistID, connection)
            )
        }
        guard let pause = pauses.last(where: { $0.startsOn <= today && $0.endsOn >= today }) else {
            return nil
        }
        return Absence(
            until: pause.endsOn, cover: try therapist.flatMap { try pause.cover(try $0.key(c.keys)) })
    }
}
