import Database
import HTTP
import Wire

/// Refused sheets for staff: to look at, to admit, to discard.
enum QuarantineAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/quarantine", .caseload,
            .many("Refused sheets that wait for a decision", QuarantinedSheet<Ordered<Answer>>.self), index)
        routes.call(
            .post, "/patients/:patient/quarantine/:sheet/admission", .caseload,
            .nothing("Take a refused sheet in after all"), admit)
        routes.call(
            .post, "/patients/:patient/quarantine/:sheet/discard", .caseload,
            .nothing("Leave a refused sheet out for good"), discard)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let (paging, therapy) = (try Paging(c.request), c.proof.patient)
        let list = try c.read { connection in
            let waiting = try QuarantineStore.waiting(inTherapy: therapy.id, connection)
            let (part, next) = paging.part(of: waiting) { Position($0.receivedAt, $0.id) }
            let items = try part.map { record in
                Item(id: record.id, wire(try Admission.read(record, therapy, c.services, connection), c))
            }
            return Many(items, total: waiting.count, next: next)
        }
        return try .data(list)
    }

    private static func wire(_ admission: Admission, _ c: Context<Caseload>) -> QuarantinedSheet<JSON> {
        QuarantinedSheet(
            contributionID: admission.record.contributionID, reason: admission.record.reason.rawValue,
            questionnaireKey: admission.target?.questionnaire.key, receivedAt: admission.record.receivedAt,
            completedAt: admission.submission?.completedAt,
            admissible: admission.obstacle == nil, answers: admission.json["answers"] ?? .object([]))
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

    /// One of this therapy's; somebody else's is not found.
    static func find(_ c: Context<Caseload>) throws -> Admission {
        let (id, therapy) = (try c.id("sheet"), c.proof.patient)
        let found = try c.read { connection -> Admission? in
            guard let record = try QuarantineStore.find(id, inTherapy: therapy.id, connection) else {
                return nil
            }
            return try Admission.read(record, therapy, c.services, connection)
        }
        guard let found else { throw Problem.notFound }
        return found
    }
}
