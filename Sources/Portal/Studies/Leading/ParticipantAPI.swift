import Database
import HTTP
import Wire

/// Who takes part, for leads: by codename alone.
enum ParticipantAPI {
    static func routes(_ routes: inout Routes) {
        let (type, path) = (Participant.self, "/studies/:study/participants")
        routes.call(.get, path, .studyLead, .many("Who takes part, by codename", type), index)
        routes.call(
            .post, path + "/:codename/accept", .studyLead, .one("Let somebody in who has asked", type), accept
        )
        routes.call(
            .post, path + "/:codename/decline", .studyLead, .one("Decline somebody who has asked", type),
            decline)
    }

    @Sendable static func index(_ c: Context<StudyLead>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try c.read { try Participants.all(c, $0) }
        let (part, next) = paging.part(of: all) { Position($0.enrolment.askedAt, $0.enrolment.id) }
        return try .data(Many(part.map { Item(id: $0.enrolment.id, wire($0)) }, total: all.count, next: next))
    }

    @Sendable static func accept(_ c: Context<StudyLead>) throws -> Reply { try decide(true, c) }
    @Sendable static func decline(_ c: Context<StudyLead>) throws -> Reply { try decide(false, c) }

    private static func decide(_ isAccepted: Bool, _ c: Context<StudyLead>) throws -> Reply {
        let codename = c.places["codename"] ?? ""
        try Participants.decide(codename, isAccepted: isAccepted, c)
        let found = try c.read { connection -> Participants.Standing? in
            let study = c.proof.study
            let enrolment = try EnrolmentStore.find(codename, in: study.id, connection)
            let reader = try ComplianceReader(study, c.now, connection)
            return enrolment.map { .init(enrolment: $0, compliance: reader.compliance(of: $0)) }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: found.enrolment.id, wire(found)))
    }

    private static func wire(_ entry: Participants.Standing) -> Participant {
        let enrolment = entry.enrolment
        return Participant(
            codename: enrolment.codename, state: enrolment.state.rawValue, arm: nil,
            askedAt: enrolment.askedAt,
            enrolledAt: enrolment.enrolledAt, leftAt: enrolment.leftAt,
            lastActivityAt: enrolment.lastActivityAt,
            consentVersion: enrolment.consentVersion, prompted: entry.compliance.prompted,
            answered: entry.compliance.answered)
    }
}

/// Who takes part in a study, for the pages and the calls alike.
enum Participants {
    struct Standing: Sendable {
        let enrolment: EnrolmentRecord
        let compliance: Compliance
    }

    /// Those whose data the export holds, and those who have asked or were declined. Whose consent is withdrawn is not
    /// told of: the screen shows what the export holds.
    static func all(_ c: Context<StudyLead>, _ connection: borrowing Connection) throws -> [Standing] {
        let study = c.proof.study
        let told = Set(try EnrolmentStore.consenting(in: study.id, connection).map(\.id))
        let shown = try EnrolmentStore.all(in: study.id, connection).filter {
            told.contains($0.id) || $0.enrolledAt == nil
        }
        let reader = try ComplianceReader(study, c.now, connection)
        return shown.map { Standing(enrolment: $0, compliance: reader.compliance(of: $0)) }
    }

    /// - Throws: `Problem.notFound` for a codename of another study; `Problem.conflict` when it was decided already.
    static func decide(_ codename: String, isAccepted: Bool, _ c: Context<StudyLead>) throws {
        let study = c.proof.study.id
        guard let enrolment = try c.read({ try EnrolmentStore.find(codename, in: study, $0) }) else {
            throw Problem.notFound
        }
        try c.write(.enrolmentDecided, about: enrolment.accountID, object: study) {
            [now = c.now] connection in
            try EnrolmentStore.decide(enrolment.id, isAccepted: isAccepted, at: now, connection)
        }
    }
}
