import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// Saying that one has seen an answer that has to be seen (PR-11), by page and by call.
enum SeenPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/patients/:patient/contributions/:contribution/seen", .caseload, create)
        routes.call(
            .post, "/patients/:patient/contributions/:contribution/seen", .caseload,
            .nothing("The answers that have to be seen were seen"), mark)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let back = NextPath.safe(try c.form()["back"])
        let id = try note(c)
        let sheet = "/patients/\(c.proof.patient.id)/contributions/\(id)"
        return .seeOther(back == "/" ? sheet : back == "/today" ? "/" : back, flash: Message("seen.noted"))
    }

    @Sendable static func mark(_ c: Context<Caseload>) throws -> Reply {
        _ = try note(c)
        return .response(.noContent)
    }

    /// Saying it twice is harmless, and of a sheet without such an answer, too.
    /// - Throws: `Problem.notFound` for a sheet of somebody else.
    private static func note(_ c: Context<Caseload>) throws -> ID<ContributionRecord> {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let therapy = c.proof.patient.id
        guard let record = try c.read({ try ContributionStore.find(id, inTherapy: therapy, $0) }) else {
            throw Problem.notFound
        }
        if !record.mustBeSeen || record.seenAt != nil { return id }
        let person = c.proof.therapist.id
        try c.write(.contributionSeen, about: therapy, object: id) { [now = c.now] connection in
            try ContributionStore.markSeen(id, inTherapy: therapy, by: person, at: now, connection)
        }
        return id
    }
}

extension AuditAction {
    static let contributionSeen = AuditAction(name: "contribution.seen")
}
