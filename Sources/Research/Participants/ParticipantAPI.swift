import Accounts
import Database
import HTTP
import Identity
import Records
import Studies
import Therapies
import Web
import Wire
import Wording

/// Participants for leads: by codename alone.
enum ParticipantAPI {
    static func routes(_ routes: inout Routes) {
        let type = Participant.self
        let path = "/studies/:study/participants"
        routes.call(
            .get, path, .studyAssessor,
            .many("Who takes part, by codename; masked leads learn no group", type),
            index)
        routes.call(
            .post, path, .studyLead,
            .one(
                "Take in somebody who signed the consent on paper and needs no account", type, status: 201,
                takes: type.sent), enter)
        routes.call(
            .get, path + "/:codename", .studyLead,
            .one(
                "A participant over time: scores; with consent to research dailies, interventions and sessions of the therapy",
                ParticipantInFull.self
            ).revised(ParticipantScoreStore.revision), show)
        routes.call(
            .delete, path + "/:codename", .studyLead,
            .nothing("Erase somebody on paper with all they filled in").revised(
                ParticipantScoreStore.revision),
            destroy)
        routes.call(
            .post, path + "/:codename/accept", .studyLead, .one("Let somebody in who has asked", type), accept
        )
        routes.call(
            .post, path + "/:codename/decline", .studyLead, .one("Decline somebody who has asked", type),
            decline)
    }

    @Sendable static func index(_ c: Context<StudyAssessor>) throws -> Reply {
        let paging = try Paging(c.request)
        let list = try c.read { connection -> Many<Participant> in
            guard let c = c.unmasked else {
                let (part, total, next) = try Participants.enrolments(
                    paging, in: c.proof.study.id, connection)
                return Many(part.map { Item(id: $0.id, Participant(masked: $0)) }, total: total, next: next)
            }
            let page = try Participants.page(paging, c, connection)
            let items = page.part.map { Item(id: $0.enrolment.id, wire($0)) }
            return Many(items, total: page.total, next: page.next)
        }
        return try .data(list)
    }

    @Sendable static func enter(_ c: Context<StudyLead>) throws -> Reply {
        let draft = try PaperParticipantDraft.read(try c.body(), today: c.dates.today)
        return try answer(try PaperParticipants.enter(draft, c), c, status: 201)
    }

    @Sendable static func show(_ c: Context<StudyLead>) throws -> Reply {
        let (enrolment, course) = try c.read { connection in
            let enrolment = try EnrolmentStore.told(c, connection)
            return (enrolment, try ToldCourse(of: enrolment, c, connection))
        }
        return try .data(One(id: enrolment.id, course.wire(enrolment)))
    }

    @Sendable static func destroy(_ c: Context<StudyLead>) throws -> Reply {
        try PaperParticipants.erase(try PaperParticipants.found(c), c)
        return .response(.noContent)
    }

    @Sendable static func accept(_ c: Context<StudyLead>) throws -> Reply { try decide(true, c) }
    @Sendable static func decline(_ c: Context<StudyLead>) throws -> Reply { try decide(false, c) }

    private static func decide(_ isAccepted: Bool, _ c: Context<StudyLead>) throws -> Reply {
        let codename = c.places["codename"] ?? ""
        try Participants.decide(codename, isAccepted: isAccepted, c)
        return try answer(codename, c, status: 200)
    }

    private static func answer(_ codename: String, _ c: Context<StudyLead>, status: Int) throws -> Reply {
        let found = try c.read { connection -> Participants.Standing? in
            let study = c.proof.study
            let enrolment = try EnrolmentStore.find(codename, in: study.id, connection)
            let reader = try ComplianceReader(study, c.now, connection)
            return try enrolment.map {
                .init(enrolment: $0, compliance: try reader.compliance(of: $0, connection))
            }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: found.enrolment.id, wire(found)), status: status)
    }

    private static func wire(_ entry: Participants.Standing) -> Participant {
        let enrolment = entry.enrolment
        var wire = Participant(
            codename: enrolment.codename, state: enrolment.state.rawValue, arm: enrolment.arm?.rawValue,
            askedAt: enrolment.askedAt,
            enrolledAt: enrolment.enrolledAt, leftAt: enrolment.leftAt,
            lastActivityAt: enrolment.lastActivityAt,
            consentVersion: enrolment.consentVersion, prompted: entry.compliance.prompted,
            answered: entry.compliance.answered, unseen: entry.compliance.unseen,
            paused: entry.compliance.paused)
        wire.consentedOn = enrolment.signedOn
        wire.allocationState = enrolment.allocation
        wire.crossedAt = enrolment.crossedAt
        return wire
    }
}

/// Participants of a study, for pages and calls alike.
package enum Participants {
    package struct Standing: Sendable {
        package let enrolment: EnrolmentRecord
        let compliance: Compliance
    }

    /// Those whose data the export holds, and undecided or declined requests. Participants without consent are
    /// hidden: the screen shows what the export holds.
    static func shown(
        in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> [EnrolmentRecord] {
        let told = Set(try EnrolmentStore.consenting(in: study, connection).map(\.id))
        return try EnrolmentStore.all(in: study, connection).filter {
            told.contains($0.id) || $0.enrolledAt == nil
        }
    }

    /// A part of them, the latest requests first, with their compliance, which is computed for this part alone.
    static func page(
        _ paging: Paging, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> (part: [Standing], total: Int, next: String?) {
        let (part, total, next) = try enrolments(paging, in: c.proof.study.id, connection)
        return (try standing(part, c, connection), total, next)
    }

    /// The same without how they answer.
    static func enrolments(
        _ paging: Paging, in study: ID<Study>, _ connection: borrowing Connection
    ) throws -> (part: ArraySlice<EnrolmentRecord>, total: Int, next: String?) {
        let all = try shown(in: study, connection)
        let (part, next) = paging.part(of: all) { Position($0.askedAt, $0.id) }
        return (part, all.count, next)
    }

    static func standing(
        _ part: ArraySlice<EnrolmentRecord>, _ c: Context<StudyLead>, _ connection: borrowing Connection
    ) throws -> [Standing] {
        let reader = try ComplianceReader(c.proof.study, c.now, connection)
        return try part.map { Standing(enrolment: $0, compliance: try reader.compliance(of: $0, connection)) }
    }

    /// - Throws: `Problem.notFound` for a codename of another study; `Problem.conflict` when it was decided already.
    static func decide(_ codename: String, isAccepted: Bool, _ c: Context<StudyLead>) throws {
        let study = c.proof.study.id
        if isAccepted, c.proof.study.archivedAt != nil {
            throw Problem.conflict(Message("studies.not_running"))
        }
        guard let enrolment = try c.read({ try EnrolmentStore.find(codename, in: study, $0) }) else {
            throw Problem.notFound
        }
        try c.write(.enrolmentDecided, about: enrolment.accountID, object: study) {
            [now = c.now, services = c.services] connection in
            try EnrolmentStore.decide(enrolment.id, isAccepted: isAccepted, at: now, connection)
            if isAccepted {
                try ArmAllocation.allocate(
                    enrolment.id, of: enrolment.accountID, in: study, at: now, connection)
            }
            if let account = try AccountStore.find(enrolment.accountID, connection),
                let study = try StudyStore.find(study, connection)
            {
                let key = isAccepted ? "own_studies.notice_accepted" : "own_studies.notice_declined"
                try StudyNotices.tell(account, .studyMessage, key, of: study, services, at: now, connection)
            }
            try services.participates(enrolment.accountID, at: now, connection)
        }
        c.services.spread(.studiesChanged(enrolment.accountID))
    }
}
