import Contributions
import Database
import Identity
import JSON
import Records
import Secrets
import Studies
import Therapies
import Web
import Wire

/// A refused sheet that may still be of use, on its way into quarantine.
package struct Quarantine: Sendable {
    package enum Reason: String, Sendable, CaseIterable, SQLConvertible {
        case unknownVersion = "unknown_version"
        /// Another sheet came first, under the same id or for the same assignment.
        case contradiction
        /// Completed in the future, or before it was open.
        case clock
        /// Completed after the therapy, the study or the questionnaire had ended, which a device without a network cannot know.
        case ended

        /// As stored. Programs before `M123` know three reasons, and take one of these for a clock that was wrong.
        fileprivate var stored: Reason { self == .ended ? .clock : self }
    }

    /// Decides about it: a therapist, or the leads of a study, who know the participant by codename.
    enum Owner: Sendable {
        case therapy(ID<Therapy>)
        case study(enrolment: ID<Enrolment>)

        var therapy: ID<Therapy>? {
            if case .therapy(let id) = self { return id }
            return nil
        }
        var enrolment: ID<Enrolment>? {
            if case .study(let id) = self { return id }
            return nil
        }
    }

    let id: ID<ContributionRecord>
    let json: JSON
    let account: AccountRecord
    var place: Arrival.Place = .app

    /// The limit of undecided ones: more are of no use, and a broken device must not fill the disk.
    static let limit = 50
    /// The same for those completed in time that came after an end or a grace: a phone may have been away for a month of prompts.
    static let endedLimit = 2000
    /// In bytes: what may wait undecided of an account with its therapists, and as much with the leads of studies.
    static let mostBytes = 16 * 1024 * 1024
    /// The number of days a discarded sheet can be brought back.
    static let returnDays: Int64 = 30
    /// The number of days after an end for which sheets are kept whose device had not heard of it.
    static let endedDays: Int64 = 30
    /// In bytes; the longest real sheet has a tenth of this.
    static let largest = 64 * 1024

    /// Keeps the sheet as received. The same sheet refused again is kept once.
    func keep(_ reason: Reason, for owner: Owner, _ c: Context<some Sendable>) throws {
        let key = try account.key(c.keys)
        let bytes = try JSONWriter.bytes(of: json)
        guard bytes.count <= Self.largest else { return }
        let row: ID<QuarantinedRecord> = c.newID()
        let place = QuarantinePlace.sheet(row)
        let new = NewQuarantined(
            id: row, account: account.id, contribution: id, owner: owner, reason: reason,
            // Keyed: a few answers could be guessed from a plain digest.
            fingerprint: Digest.keyed(key.key, Array("\(id)/\(reason.rawValue)/".utf8) + bytes),
            sheet: key.seal(bytes: bytes, for: place),
            event: owner.enrolment == nil ? nil : ID(uuid: json["event_id"]?.string), receivedAt: c.now)
        let isKnown = try c.read { connection in
            let known = try QuarantineStore.holds(new.fingerprint, of: new.account, connection)
            return try known || new.isTooMuch(connection) || isErased(owner, connection)
        }
        if isKnown { return }
        try c.write(.contributionQuarantined, about: owner.therapy ?? account.id, object: row) { connection in
            if let therapy = owner.therapy {
                try TherapyHolderStore.requireTaking(sheetsOf: new.account, in: therapy, connection)
            }
            // Counted and measured again in the transaction: many may come at once.
            guard try !new.isTooMuch(connection), try !isErased(owner, connection) else { return }
            try QuarantineStore.insert(new, connection)
        }
    }

    /// A participant whose data a study has erased: nothing is kept again.
    private func isErased(_ owner: Owner, _ connection: borrowing Connection) throws -> Bool {
        guard let enrolment = owner.enrolment else { return false }
        return try EnrolmentStore.find(id: enrolment, connection)?.erasedAt != nil
    }
}

/// A row to be stored.
struct NewQuarantined: Sendable {
    let id: ID<QuarantinedRecord>
    let account: ID<Account>
    let contribution: ID<ContributionRecord>
    let owner: Quarantine.Owner
    let reason: Quarantine.Reason
    let fingerprint: [UInt8]
    let sheet: [UInt8]
    /// What it is about, where that was noted with a button.
    var event: ID<StudyEvent>?
    let receivedAt: Instant

    var isAfterEnd: Bool { reason == .ended }

    /// Whether it goes over what may wait undecided of its account, by number or in bytes.
    func isTooMuch(_ connection: borrowing Connection) throws -> Bool {
        let waiting = try QuarantineStore.undecided(beside: self, connection)
        return waiting.count >= (isAfterEnd ? Quarantine.endedLimit : Quarantine.limit)
            || waiting.bytes + sheet.count > Quarantine.mostBytes
    }
    var storedReason: Quarantine.Reason { reason.stored }
}

/// A sheet in quarantine.
package struct QuarantinedRecord: Sendable, FromRow {
    package enum Decision: String, Sendable, SQLConvertible { case admitted, discarded }

    let id: ID<QuarantinedRecord>
    let accountID: ID<Account>
    let contributionID: ID<ContributionRecord>
    /// One of the two.
    let therapyID: ID<Therapy>?
    let enrolmentID: ID<Enrolment>?
    package let reason: Quarantine.Reason
    package let receivedAt: Instant
    package let decision: Decision?
    let decidedAt: Instant?
    private let sealedSheet: [UInt8]

    /// Its id once admitted: the id it was sent under may be another sheet's.
    var admittedID: ID<ContributionRecord> { ID(id.text) }

    /// Whether the content is gone: it was admitted, or discarded more than 30 days ago.
    package var isEmptied: Bool { sealedSheet.isEmpty }

    package init(row: borrowing Row) throws {
        id = try row["id"]
        accountID = try row["account_id"]
        contributionID = try row["contribution_id"]
        therapyID = try row["therapy_id"]
        enrolmentID = try row["enrolment_id"]
        let isAfterEnd: Bool = try row["after_end"]
        reason = isAfterEnd ? .ended : try row["reason"]
        receivedAt = try row["received_at"]
        sealedSheet = try row["sheet"]
        decision = try row["decision"]
        decidedAt = try row["decided_at"]
    }

    /// The body as sent.
    package func json(_ key: PersonKey) throws -> JSON {
        try JSON.parse(try key.openBytes(sealedSheet, from: QuarantinePlace.sheet(id)))
    }
}

/// The places of a quarantined sheet's sealed fields.
enum QuarantinePlace {
    static func sheet(_ id: ID<QuarantinedRecord>) -> SealContext {
        SealContext("quarantined_sheets", id, "sheet")
    }
}

extension AuditAction {
    static let contributionQuarantined = AuditAction(name: "contribution.quarantined")
    static let quarantineAdmitted = AuditAction(name: "quarantine.admitted")
    static let quarantineDiscarded = AuditAction(name: "quarantine.discarded")
    static let quarantineReturned = AuditAction(name: "quarantine.returned")
}
