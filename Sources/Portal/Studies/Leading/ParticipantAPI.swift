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
        let found = try c.read { try Participants.all(c, $0) }.first { $0.enrolment.codename == codename }
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
        /// Whether the export holds their data.
        let isTold: Bool
    }

    static func all(_ c: Context<StudyLead>, _ connection: borrowing Connection) throws -> [Standing] {
        let study = c.proof.study.id
        let items = try StudyItemStore.all(in: study, connection)
        let sheets = try StudySheetStore.completed(in: study, connection)
        let told = Set(try EnrolmentStore.consenting(in: study, connection).map(\.id))
        return try EnrolmentStore.all(in: study, connection).map { enrolment in
            // Whose consent is withdrawn is not looked at either: the screen shows what the export holds.
            let isTold = told.contains(enrolment.id)
            let own = isTold ? sheets[enrolment.accountID] ?? [] : []
            return Standing(
                enrolment: enrolment,
                compliance: Compliance(enrolment, isTold ? items : [], sheets: own, now: c.now),
                isTold: isTold)
        }
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
