import HTTP
import Records
import Studies
import Web
import Wire
import Wording

/// Refused sheets of a study for its leads: to read, to admit, to discard.
package enum StudyQuarantineAPI {
    static func routes(_ routes: inout Routes) {
        let path = "/studies/:study/quarantine"
        routes.call(
            .get, path, .studyLead,
            .many(
                "Refused sheets that wait for a decision, or that were discarded in the last 30 days",
                QuarantinedSheet<Ordered<Answer>>.self, query: ["state"]), index)
        routes.call(
            .post, path + "/:sheet/admission", .studyLead,
            .nothing("Take a refused sheet of a study in after all"), admit)
        routes.call(
            .post, path + "/:sheet/discard", .studyLead,
            .nothing("Discard a refused sheet of a study; for 30 days it can be brought back")
                .undone(.studyDiscard), discard)
        routes.call(
            .post, path + "/:sheet/return", .studyLead,
            .nothing("Bring a discarded sheet of a study back to wait for a decision")
                .revised(Undo.studyDiscard.revision), bringBack)
    }

    @Sendable package static func index(_ c: Context<StudyLead>) throws -> Reply {
        let study = c.proof.study.id
        return try QuarantineAPI.list(at: .study(study), c) {
            try StudyAdmission.read($0, in: study, c.services, $1)
        }
    }

    @Sendable static func admit(_ c: Context<StudyLead>) throws -> Reply {
        try find(c).admit(c)
        return .response(.noContent)
    }

    @Sendable static func discard(_ c: Context<StudyLead>) throws -> Reply {
        try find(c).discard(c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<StudyLead>) throws -> Reply {
        try StudyAdmission.bringBack(c)
        return .response(.noContent)
    }

    /// One of this study's; another study's is not found, nor one whose data may not be disclosed.
    static func find(_ c: Context<StudyLead>) throws -> StudyAdmission {
        let id: ID<QuarantinedRecord> = try c.id("sheet")
        let study = c.proof.study.id
        let found = try c.read { connection in
            try QuarantineStore.find(id, at: .study(study), connection).map {
                try StudyAdmission.read($0, in: study, c.services, connection)
            }
        }
        guard let found else { throw Problem.notFound }
        return found
    }
}
