import Contributions
import Database
import Delivery
import Identity
import Instruments
import JSON
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// The way a sheet comes in.
package enum Arrival: Sendable {
    /// Where a device's sheet was filled in: in an app, in a signed-in browser, or behind a link.
    package enum Place: Sendable { case app, browser, link }

    /// From a phone, with the earlier sheet under the same id.
    case device(Quarantine, credential: ID<Credential>?, known: ContributionRecord?)
    /// Entered by a member of staff.
    case paper(by: ID<Account>)
    /// Refused before, and admitted by a member of staff.
    case quarantine(QuarantinedRecord, by: ID<Account>)

    var action: AuditAction {
        switch self {
        case .device: .contributionReceived
        case .paper: .paperEntered
        case .quarantine: .quarantineAdmitted
        }
    }

    /// Nil for a sheet that comes in now.
    var receivedAt: Instant? {
        if case .quarantine(let record, _) = self { return record.receivedAt }
        return nil
    }

    /// The sending device, by its credential; nil for sheets that staff admit.
    var device: ID<Credential>? {
        if case .device(_, let credential, _) = self { return credential }
        return nil
    }

    /// Whether it came without a signed-in account.
    var isByLink: Bool {
        if case .device(let quarantine, _, _) = self { return quarantine.place == .link }
        return false
    }

    /// A draft begun after a sheet had been refused belongs to another sheet; nil for all drafts.
    var draftsUntil: Instant? { receivedAt }

    // MARK: Known already

    /// Whether a device has sent this very sheet before.
    /// - Throws: `Contradiction` when another one was sent under its id.
    func isKnown(_ new: IncomingContribution) throws -> Bool {
        guard case .device(_, _, let known?) = self else { return false }
        return try Self.isSame(new, known)
    }

    /// The same in the transaction that stores it, where a paper is also entered only once.
    /// - Throws: `Contradiction`; `Problem.conflict` for a paper that was entered before.
    func isKnown(_ new: IncomingContribution, _ connection: borrowing Connection) throws -> Bool {
        let sheet = new.sheet
        switch self {
        case .device:
            let known = try ContributionStore.find(sheet.id, of: sheet.account, connection)
            return try known.map { try Self.isSame(new, $0) } ?? false
        case .paper:
            try ContributionStore.refuseTwice(
                sheet.questionnaire, at: sheet.completedAt, of: sheet.account, connection)
            return false
        case .quarantine: return false
        }
    }

    /// A refused sheet is decided about once.
    /// - Throws: `Problem.conflict` when it was decided already.
    func noteDecision(
        about occasion: Occasion, at now: Instant, _ connection: borrowing Connection
    ) throws {
        guard case .quarantine(let record, let staff) = self else { return }
        switch occasion.owner {
        case .therapy(let target):
            try QuarantineStore.decide(
                .admitted, record.id, at: .therapy(target.therapy.id), by: staff, now: now, connection)
        case .study(let place):
            try QuarantineStore.decide(
                .admitted, record.id, at: .study(place.study.id), by: staff, now: now, connection)
        }
    }

    private static func isSame(_ new: IncomingContribution, _ known: ContributionRecord) throws -> Bool {
        guard try new.sheet.says(theSameAs: known, new.key) else { throw Contradiction("answers.changed") }
        return true
    }

    // MARK: Refused

    /// - Returns: the answer to the client. A device's sheet is kept, unless it is the same under another id.
    func refuse(
        _ contradiction: Contradiction, _ new: IncomingContribution, for occasion: Occasion,
        _ c: Context<some Sendable>
    ) throws -> Problem {
        switch self {
        case .device(let quarantine, _, _):
            if try !Self.isSentTwice(new, for: occasion, quarantine.place, c) {
                try quarantine.keep(.contradiction, for: occasion.decider, c)
            }
            return .conflict(Message(contradiction.key))
        case .paper: return .conflict(Message(contradiction.key))
        case .quarantine: return .conflict(Message("quarantine.decided"))
        }
    }

    /// - Returns: the answer to the client. A device's sheet is kept; paper can be corrected in its form, an admitted
    ///   sheet cannot.
    func refuse(
        _ clock: WrongClock, for occasion: Occasion, _ c: Context<some Sendable>
    ) throws -> Problem {
        switch self {
        case .device(let quarantine, _, _):
            try quarantine.keep(.clock, for: occasion.decider, c)
            return .invalid("completed_at", clock.key)
        case .paper: return .invalid("completed_at", clock.key)
        case .quarantine: return .conflict(Message(clock.key))
        }
    }

    /// - Returns: the answer to the client. The device's sheet is kept.
    func refuse(_ ended: AfterEnd, _ c: Context<some Sendable>) throws -> Problem {
        if case .device(let quarantine, _, _) = self { try quarantine.keep(.ended, for: ended.owner, c) }
        return ended.problem
    }

    /// Whether equal answers to the same thing came under two ids: sent twice, not contradicting. A page's form can
    /// come twice under one id after a double tap, with different times.
    private static func isSentTwice(
        _ new: IncomingContribution, for occasion: Occasion, _ place: Place, _ c: Context<some Sendable>
    ) throws -> Bool {
        let account = new.sheet.account
        let first = try c.read { connection -> ContributionRecord? in
            switch occasion {
            case .assignment(let assignment, _):
                try ContributionStore.find(answering: assignment.id, of: account, connection)
            case .prompt(let asked, let place):
                // What is asked once has one answer for all its prompts.
                try StudyContributionStore.first(
                    answering: place.item.isOnetime ? nil : asked.id, of: place.enrolment.id,
                    item: place.item,
                    questionnaire: place.questionnaire.id, connection)
            case .unasked(.study) where new.sheet.event != nil:
                try new.sheet.event.flatMap { event in
                    try StudyEventStore.find(event, of: account, connection)?.sheet.flatMap {
                        try ContributionStore.find($0, of: account, connection)
                    }
                }
            case .unasked(.study(let place)):
                try StudyContributionStore.first(
                    answering: nil, of: place.enrolment.id, item: place.item,
                    questionnaire: place.questionnaire.id, connection)
            case .ownDaily, .unasked(.therapy): nil
            }
        }
        guard let first, place != .app || first.id != new.sheet.id else { return false }
        return try first.answers(new.key).bytes == new.sheet.answers
    }
}
