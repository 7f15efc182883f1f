import Contributions
import Database
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// The request of an intervention (IO-12): none, a task, a question.
package enum InterventionKind: String, Sendable, CaseIterable, SQLConvertible {
    case commendation, task, question
}

/// An intervention given to a patient. The times of opening and completing are all that comes back (IO-13).
package struct InterventionRecord: Sendable, FromRow {
    package enum State: String, Sendable, CaseIterable { case new, opened, completed, withdrawn }

    package let id: ID<Intervention>
    package let therapyID: ID<Therapy>
    package let libraryID: ID<LibraryIntervention>?
    package let kind: InterventionKind
    package let assignedAt: Instant
    package let openedAt: Instant?
    package let completedAt: Instant?
    package let withdrawnAt: Instant?
    private let sealedText: [UInt8]

    package init(row: borrowing Row) throws {
        id = try row["id"]
        therapyID = try row["therapy_id"]
        libraryID = try row["library_id"]
        kind = try row["kind"]
        sealedText = try row["text"]
        assignedAt = try row["assigned_at"]
        openedAt = try row["opened_at"]
        completedAt = try row["completed_at"]
        withdrawnAt = try row["withdrawn_at"]
    }

    package var state: State {
        if withdrawnAt != nil { return .withdrawn }
        if completedAt != nil { return .completed }
        return openedAt == nil ? .new : .opened
    }

    /// Its words, in the languages it was given in.
    package func text(_ key: PersonKey) throws -> LocalizedText {
        LocalizedText(json: try JSON.parse(try key.openBytes(sealedText, from: InterventionPlace.text(id))))
    }

    /// Its words for a reader of these languages, the best first.
    package func words(_ key: PersonKey, _ readers: [Language]) throws -> String {
        try text(key).text(in: readers) ?? ""
    }
}

extension LocalizedText {
    /// The words of an intervention, sealed under the patient's key.
    package func sealed(_ key: PersonKey, for id: ID<Intervention>) throws -> [UInt8] {
        key.seal(bytes: try JSONWriter.bytes(of: self), for: InterventionPlace.text(id))
    }
}

/// The places of the sealed fields of interventions.
enum InterventionPlace {
    static func text(_ id: ID<Intervention>) -> SealContext { SealContext("interventions", id, "text") }
    static func vault(_ account: ID<Account>) -> SealContext { SealContext("vaults", account, "ciphertext") }
}

/// A device's report on an intervention. Made only by reading.
package struct InterventionReport: Sendable, Equatable {
    package let openedAt: Instant?
    package let completedAt: Instant?

    /// Names that apps may use for content that must not leave the phone; only these are named in the answer, so that
    /// nothing of the request is sent back.
    private static let knownNames: Set<String> = [
        "answer", "answers", "text", "done", "is_done", "comment", "note", "value", "kind", "assigned_at",
    ]

    /// - Throws: `Problem.invalid`: for any other field, and for a time in the future.
    package static func read(_ json: JSON, now: Instant) throws(Problem) -> InterventionReport {
        var errors = FieldErrors()
        if case .object(let members) = json {
            for member in members where member.key != "opened_at" && member.key != "completed_at" {
                let name = knownNames.contains(member.key) ? member.key : "body"
                errors.add(name, "interventions.stays_on_phone")
            }
        }
        if !errors.isEmpty { throw .invalid(errors) }
        let fields = InputReader(json: json)
        let opened = fields.time("opened_at")
        let completed = fields.time("completed_at")
        let slack = Submission.clockSlackSeconds
        for (name, time) in [("opened_at", opened), ("completed_at", completed)] {
            guard let time else { continue }
            if time.seconds > now.adding(seconds: slack).seconds { fields.refuse(name, "errors.future") }
        }
        try fields.finish()
        return InterventionReport(openedAt: opened.map(whole), completedAt: completed.map(whole))
    }

    /// Whether it agrees with the record: another device may have been faster.
    /// - Throws: `Problem.conflict` for a time that is set already, `.invalid` for completed before opened and for a
    ///   time before it was given.
    package func check(against record: InterventionRecord) throws(Problem) {
        if contradicts(record) { throw .conflict(Message("interventions.reported")) }
        var errors = FieldErrors()
        let earliest = record.assignedAt.adding(seconds: -Submission.clockSlackSeconds).seconds
        for (name, time) in [("opened_at", openedAt), ("completed_at", completedAt)] {
            if let time, time.seconds < earliest { errors.add(name, "interventions.before_given") }
        }
        if let first = openedAt ?? record.openedAt, let last = completedAt ?? record.completedAt,
            last.seconds < first.seconds
        {
            errors.add(completedAt == nil ? "opened_at" : "completed_at", "interventions.order")
        }
        if !errors.isEmpty { throw .invalid(errors) }
    }

    /// Times are compared, and kept, by whole seconds.
    private static func whole(_ time: Instant) -> Instant { Instant(milliseconds: time.seconds * 1000) }

    /// Whether a time that is set would get another value.
    private func contradicts(_ record: InterventionRecord) -> Bool {
        let isOther = { (sent: Instant?, kept: Instant?) in
            sent.map { sent in kept.map { $0.seconds != sent.seconds } ?? false } ?? false
        }
        return isOther(openedAt, record.openedAt) || isOther(completedAt, record.completedAt)
    }

    func addsNothing(to record: InterventionRecord) -> Bool {
        (openedAt == nil || record.openedAt != nil) && (completedAt == nil || record.completedAt != nil)
    }

    /// A step taken now; nil when it was taken already, and for completing what was never opened.
    init?(_ step: InterventionReporting.Step, of record: InterventionRecord, now: Instant) {
        switch step {
        case .opening:
            guard record.openedAt == nil else { return nil }
            self.init(openedAt: Self.whole(now), completedAt: nil)
        case .completion:
            guard let opened = record.openedAt, record.completedAt == nil else { return nil }
            // The clock of the phone that opened it may have been fast.
            self.init(openedAt: nil, completedAt: max(Self.whole(now), opened))
        }
    }

    private init(openedAt: Instant?, completedAt: Instant?) {
        self.openedAt = openedAt
        self.completedAt = completedAt
    }
}

extension AuditAction {
    static let interventionGiven = AuditAction(name: "intervention.given")
    static let interventionChanged = AuditAction(name: "intervention.changed")
    static let interventionWithdrawn = AuditAction(name: "intervention.withdrawn")
    static let interventionReported = AuditAction(name: "intervention.reported")
    static let libraryChanged = AuditAction(name: "library.changed")
    static let vaultChanged = AuditAction(name: "vault.changed")
}

extension InterventionRecord {
    func wire(_ key: PersonKey, _ readers: [Language]) throws -> GivenIntervention {
        GivenIntervention(
            kind: kind.rawValue, text: try words(key, readers), state: state.rawValue,
            assignedAt: assignedAt, openedAt: openedAt, completedAt: completedAt, withdrawnAt: withdrawnAt,
            interventionID: libraryID?.text)
    }
}
