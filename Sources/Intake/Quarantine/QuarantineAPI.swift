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
        let paging = try Paging(c.request)
        let therapy = c.proof.patient
        let isDiscarded = try isAskedForDiscarded(c.request.query)
        let list = try c.read { connection in
            let sheets =
                isDiscarded
                ? try QuarantineStore.discarded(at: .therapy(therapy.id), now: c.now, connection)
                : try QuarantineStore.waiting(at: .therapy(therapy.id), connection)
            let (part, next) = paging.part(of: sheets) { Position($0.decidedAt ?? $0.receivedAt, $0.id) }
            let items = try part.map { record in
                Item(id: record.id, try Admission.read(record, therapy, c.services, connection).wire)
            }
            return Many(items, total: sheets.count, next: next)
        }
        return try .data(list)
    }

    /// - Throws: `Problem.invalid` for an unknown state.
    static func isAskedForDiscarded(_ query: Form) throws -> Bool {
        let fields = InputReader(form: query)
        let state = fields.choice("state", from: ["waiting", "discarded"])
        if !fields.errors.isEmpty { throw Problem.invalid(fields.errors) }
        return state == "discarded"
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
