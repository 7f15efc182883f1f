import Database
import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// Refused sheets for staff: to read, to admit, to discard.
package enum QuarantineAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/quarantine", .caseloadReader,
            .many(
                "Refused sheets that wait for a decision, or that were discarded in the last 30 days",
                QuarantinedSheet<Ordered<Answer>>.self, query: ["state"]), index)
        routes.call(
            .post, "/patients/:patient/quarantine/:sheet/admission", .caseload,
            .nothing("Take a refused sheet in after all"), admit)
        routes.call(
            .post, "/patients/:patient/quarantine/:sheet/discard", .caseload,
            .nothing("Discard a refused sheet; for 30 days it can be brought back").undone(.discard), discard)
        routes.call(
            .post, "/patients/:patient/quarantine/:sheet/return", .caseload,
            .nothing("Bring a discarded sheet back to wait for a decision")
                .revised(Undo.discard.revision), bringBack)
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let therapy = c.proof.patient
        return try list(at: .therapy(therapy.id), c) { try Admission.read($0, therapy, c.services, $1) }
    }

    /// The part of a desk's sheets that is asked for.
    /// - Parameter read: reads a stored one for its decider.
    static func list<Sheet: RefusedContribution>(
        at desk: QuarantineDesk, _ c: Context<some Sendable>,
        _ read: (QuarantinedRecord, borrowing Connection) throws -> Sheet
    ) throws -> Reply {
        let asked = try HeldPart(c)
        let list = try c.read { connection in
            let found = try asked.read(at: desk, connection)
            let items = try found.part.map { Item(id: $0.id, try read($0, connection).wire) }
            return Many(items, total: try asked.count(at: desk, connection), next: found.next)
        }
        return try .data(list)
    }

    @Sendable static func admit(_ c: Context<Caseload>) throws -> Reply {
        try find(c).admit(c)
        return .response(.noContent)
    }

    @Sendable static func discard(_ c: Context<Caseload>) throws -> Reply {
        let admission = try find(c)
        try Admission.discard(admission.record.id, c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try Admission.bringBack(try c.id("sheet"), c)
        return .response(.noContent)
    }

    /// One of this therapy's; others are not found.
    package static func find(_ c: Context<Caseload>) throws -> Admission {
        let id: ID<QuarantinedRecord> = try c.id("sheet")
        let therapy = c.proof.patient
        let found = try c.read { connection -> Admission? in
            guard let record = try QuarantineStore.find(id, at: .therapy(therapy.id), connection) else {
                return nil
            }
            return try Admission.read(record, therapy, c.services, connection)
        }
        guard let found else { throw Problem.notFound }
        return found
    }
}

extension Undo {
    static let discard = Undo(
        by: "/patients/:patient/quarantine/:sheet/return", shown: "/patients/:patient/quarantine",
        QuarantineStore.revision)
    static let studyDiscard = Undo(
        by: "/studies/:study/quarantine/:sheet/return", shown: "/studies/:study/quarantine",
        QuarantineStore.revision)
}
