import Database
import Identity
import Records
import Studies
import Web
import Wire
import Wording

/// The arm of a participant, told in an emergency (ST-10).
struct Unmasked: Documented, Decodable {
    static let type = "unmasking"
    var codename: String
    /// Its key.
    var arm: String
    /// Nil for one of the house's three that has no other name.
    var title: LocalizedText?
    var unmaskedAt: Instant

    static let sent = Schema.object([Schema.property("reason", .string)])
    static let narrowed: [String: Schema] = [:]
    static let example = Unmasked(
        codename: "S482193", arm: "a", title: ["de": "Wirkstoff"], unmaskedAt: .example)
}

/// A line of the log of emergency unmaskings, for leads who are not masked.
struct StudyUnmasking: Documented, Decodable {
    static let type = "study_unmasking"
    /// Nil for participants of whom is told nothing any more, like the reason.
    var codename: String?
    var reason: String?
    /// The address of the lead; nil once their account is gone.
    var by: String?
    var unmaskedAt: Instant

    static let narrowed: [String: Schema] = [:]
    static let example = StudyUnmasking(
        codename: "S482193", reason: "Schwere unerwünschte Wirkung", by: "lena@example.org",
        unmaskedAt: .example)
}

/// Emergency unmaskings, for pages and calls alike.
enum Unmaskings {
    private static let reasonLength = 10...500

    /// A reason that a lead gives.
    static func reason(_ fields: InputReader) throws -> String {
        let reason = fields.text("reason", required: true, limit: reasonLength.upperBound, lines: true)
        if let reason, reason.unicodeScalars.count < reasonLength.lowerBound {
            fields.refuse("reason", "studies.unmask_reason_short")
        }
        try fields.finish()
        return reason ?? ""
    }

    /// The participant of the path, with the arm.
    /// - Throws: `Problem.conflict` where there is nothing to unmask.
    static func found(
        _ c: Context<StudyAssessor>, _ connection: borrowing Connection
    ) throws -> (enrolment: EnrolmentRecord, arm: StudyArm.Key) {
        let enrolment = try EnrolmentStore.told(c, connection)
        guard let arm = enrolment.arm else { throw Problem.conflict(Message("studies.unmask_none")) }
        return (enrolment, arm)
    }

    /// For how long the same words of the same lead are the same unmasking, sent once more, in seconds.
    private static let sameFor: Int64 = 600

    /// Tells the arm of the participant of the path, with a line in both logs; of one sent twice in the audit log alone.
    static func unmask(
        because reason: String, _ c: Context<StudyAssessor>
    ) throws -> (id: ID<UnmaskingStore.Line>, told: Unmasked) {
        let known = try c.read { try found(c, $0).enrolment }
        guard let account = try c.read({ try AccountStore.find(known.accountID, $0) }) else {
            throw Problem.notFound
        }
        let id: ID<UnmaskingStore.Line> = c.newID()
        let key = try account.key(c.keys)
        let sealed = key.seal(reason, for: UnmaskingStore.place(id))
        let lead = c.proof.lead.id
        return try c.write(.enrolmentUnmasked, about: known.accountID, object: known.studyID) {
            [now = c.now] connection in
            let (enrolment, arm) = try found(c, connection)
            let earlier = try UnmaskingStore.notes(
                of: enrolment.id, by: lead, since: now.adding(seconds: -sameFor), connection
            ).first { note in
                try note.reason.map { try key.open($0, from: UnmaskingStore.place(note.id)) } == reason
            }
            if earlier == nil {
                try UnmaskingStore.insert(
                    id, of: enrolment, by: lead, because: sealed, at: now, connection)
            }
            let arms = try GroupStore.find(enrolment.studyID, connection)?.groups.arms
            return (
                earlier?.id ?? id,
                Unmasked(
                    codename: enrolment.codename, arm: arm.rawValue, title: arms?[arm]?.title,
                    unmaskedAt: earlier?.at ?? now)
            )
        }
    }

    /// The log with what is sealed opened.
    static func log(
        _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [(id: ID<UnmaskingStore.Line>, line: StudyUnmasking, name: String?)] {
        try UnmaskingStore.all(in: c.proof.study.id, connection).map { line in
            let participant = try line.participant.flatMap { try AccountStore.find($0, connection) }
            let lead = try line.lead.flatMap { try AccountStore.find($0, connection) }
            let reason = try line.reason.flatMap { sealed in
                try participant?.key(c.keys).open(sealed, from: UnmaskingStore.place(line.id))
            }
            return (
                line.id,
                StudyUnmasking(
                    codename: line.codename, reason: reason, by: try lead?.email(c.keys),
                    unmaskedAt: line.at), try lead?.name(c.keys)
            )
        }
    }
}

extension AuditAction {
    static let enrolmentUnmasked = AuditAction(name: "enrolment.unmasked")
}
