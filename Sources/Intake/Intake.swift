import Contributions
import Database
import Records
import Rules
import Studies
import Therapies
import Web
import Wire

/// The only way into `contributions`: every answer comes in here, for any occasion and from any source. Sending the
/// same again is harmless (IO-10).
package enum Intake {
    /// The result of taking an answer.
    package struct Taken: Sendable {
        package let id: ID<ContributionRecord>
        /// False for one that was stored already.
        package let isNew: Bool
        fileprivate var reaction = Occasion.Reaction()

        init(id: ID<ContributionRecord>, isNew: Bool) { (self.id, self.isNew) = (id, isNew) }

        fileprivate init(id: ID<ContributionRecord>, isNew: Bool, _ reaction: Occasion.Reaction) {
            self.init(id: id, isNew: isNew)
            self.reaction = reaction
        }
    }

    /// The first state of a continued profile is a sheet like every other (SN-4).
    static func insert(
        _ sheet: NewContribution, _ sealed: SealedAnswers, _ connection: borrowing Connection
    ) throws {
        try ContributionStore.insert(sheet, sealed, connection)
    }

    /// Answers are read, scored and sealed before the transaction, because all writes wait for the one in progress.
    /// The data that the occasion's rule checks is read inside it, so that of two phones only one is first.
    /// - Throws: `Problem` for a refused sheet. One that may still be of use is in quarantine then.
    static func take(
        _ new: IncomingContribution, for occasion: Occasion, from arrival: Arrival,
        _ c: Context<some Sendable>
    ) throws -> Taken {
        let id = new.sheet.id
        do {
            // A repeated sheet needs no line in the audit log.
            if try arrival.isKnown(new) { return Taken(id: id, isNew: false) }
            let sealed = new.sheet.sealed(new.key)
            let taken = try c.write(
                arrival.action, by: arrival.isByLink ? .nobody : .caller,
                about: occasion.therapy?.id ?? new.sheet.account, object: id
            ) { [now = c.now, services = c.services] connection in
                if try arrival.isKnown(new, connection) { return Taken(id: id, isNew: false) }
                try new.proof?(connection)
                try arrival.noteDecision(about: occasion, at: now, connection)
                var sheet = new.sheet
                let answered = try occasion.prove(&sheet, from: arrival, services, now: now, connection)
                try insert(sheet, sealed, connection)
                try answered.eraseDraft(of: sheet, until: arrival.draftsUntil, connection)
                try answered.noteActivity(at: sheet.receivedAt, connection)
                try answered.note(new.position, connection)
                let reaction = try answered.react(to: sheet, services, now: now, connection)
                return Taken(id: id, isNew: true, reaction)
            }
            if taken.reaction.isMailDue { RuleMail.trySending(c.services, now: c.now) }
            taken.reaction.allocated.map { c.services.spread(.studiesChanged($0)) }
            return taken
        } catch let contradiction as Contradiction {
            throw try arrival.refuse(contradiction, new, for: occasion, c)
        } catch let clock as WrongClock {
            throw try arrival.refuse(clock, for: occasion, c)
        } catch let ended as AfterEnd {
            throw try arrival.refuse(ended, c)
        }
    }
}

/// Answers on their way in, read and scored, and the key that seals them.
struct IncomingContribution: Sendable {
    let sheet: NewContribution
    let key: PersonKey
    /// The device's statement on its position; nil without one.
    var position: StudyLocation.Device?
    /// Another check in the transaction that stores it, such as of the link it came by.
    var proof: (@Sendable (borrowing Connection) throws -> Void)?
}
