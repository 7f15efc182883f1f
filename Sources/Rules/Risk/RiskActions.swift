import Contributions
import Database
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Settling an answer that has to be seen, with all alerts that it raised, and taking that back (PR-27).
enum RiskActions {
    /// Of a word, in characters.
    static let commentLimit = 500

    /// Another request was first: nothing is changed, and nothing is written to the audit log.
    private struct Settled: Error {}

    /// The first of two at once counts; the second changes nothing.
    /// - Parameter proves: the access of the caller, asked once more inside the write.
    static func settle<P>(
        _ sheet: ID<ContributionRecord>, of therapy: Therapy, _ comment: String?, by reader: ID<Account>,
        proves: @escaping @Sendable (borrowing Connection) throws -> Void = { _ in }, _ c: Context<P>
    ) throws {
        let key = try therapy.key(c.keys)
        let sealed = comment.map { key.seal($0, for: ContributionPlace.seenComment(therapy.id, sheet)) }
        let change = try c.change(of: key, to: ["comment": comment])
        do {
            try c.write(.contributionSeen, about: therapy.id, object: sheet, change: change) {
                [now = c.now] connection in
                try proves(connection)
                guard
                    try ContributionStore.markSeen(
                        sheet, inTherapy: therapy.id, by: reader, comment: sealed, at: now, connection)
                else { throw Settled() }
                for alert in try AlertStore.waiting(by: sheet, in: therapy.id, connection) {
                    let word = comment.map { key.seal($0, for: FiringPlace.comment(alert)) }
                    try AlertStore.acknowledge(alert, by: reader, comment: word, at: now, connection)
                }
            }
        } catch is Settled {}
    }

    /// Lets it wait again, with the alerts that were acknowledged along with it; for ten minutes, by the same account.
    /// - Throws: `Problem.notFound` for a sheet of another patient, `.conflict` where there is nothing to take back.
    static func takeBack(_ c: Context<Caseload>) throws {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let therapy = c.proof.patient.id
        let reader = c.proof.therapist.id
        try c.write(.contributionUnseen, about: therapy, object: id) { [now = c.now] connection in
            guard let record = try ContributionStore.find(id, inTherapy: therapy, connection) else {
                throw Problem.notFound
            }
            guard let moment = record.seenAt, record.seenBy == reader,
                moment > now.adding(seconds: -Undo.seconds)
            else { throw Problem.conflict(Message("undo.not_removed")) }
            try ContributionStore.markUnseen(id, inTherapy: therapy, by: reader, at: moment, connection)
            try AlertStore.release(in: therapy, by: reader, at: moment, connection)
        }
    }
}

extension AuditAction {
    static let contributionSeen = AuditAction(name: "contribution.seen")
    static let contributionUnseen = AuditAction(name: "contribution.unseen")
}

extension Undo {
    static let riskSeen = Undo(
        by: "/patients/:patient/contributions/:contribution/seen/return",
        shown: "/patients/:patient/contributions/:contribution", ContributionStore.seenRevision)
}
