import Accounts
import Database
import HTTP
import Identity
import Pairing
import Records
import Therapies
import Web
import Wire
import Wording

/// A second therapist's or supervisor's access to a file (PR-21). For page and call alike.
enum MemberActions {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/members", .caseloadOwner,
            .many("Who else may open the file", TherapyMember.self), index)
        routes.call(
            .post, "/patients/:patient/members", .caseloadOwner,
            .one(
                "Let a colleague into the file", TherapyMember.self, status: 201,
                takes: TherapyMember.sent), create)
        routes.call(
            .delete, "/patients/:patient/members/:member", .caseloadOwner,
            .nothing("A colleague may not open the file any more"), destroy)
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let list = try c.read { connection in
            let all = try SharingStore.members(of: c.proof.patient.id, connection)
            let (part, next) = paging.part(of: all) { Position($0.addedAt, $0.id) }
            return Many(
                try part.map { Item(id: $0.id, try wire($0, c, connection)) }, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let id = try add(try c.body(), c)
        let member = try c.read { connection in
            try SharingStore.members(of: c.proof.patient.id, connection).first { $0.id == id }.map {
                try wire($0, c, connection)
            }
        }
        guard let member else { throw Problem.notFound }
        return try .data(One(id: id, member), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try remove(try c.id("member"), c)
        return .response(.noContent)
    }

    private static func wire(
        _ member: MemberRecord, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> TherapyMember {
        TherapyMember(
            name: try TherapistStore.name(of: member.accountID, c.keys, connection),
            role: member.role.rawValue,
            sharesWords: member.sharesWords, addedAt: member.addedAt)
    }

    // MARK: The steps

    /// The limit of a team.
    private static let most = 10

    /// - Throws: `Problem.invalid` for the therapist themselves, and for an account that is no therapist's or has
    ///   access already.
    static func add(_ fields: InputReader, _ c: Context<Caseload>) throws -> ID<MemberRecord> {
        let email = fields.email("email")
        let role: MemberRecord.Role? = fields.choice("role", required: true)
        let sharesWords = fields.bool("shares_words") ?? false
        try fields.finish()
        guard let email, let role else { throw Problem.invalid(fields.errors) }
        let therapy = c.proof.patient
        guard therapy.endedAt == nil else { throw Problem.conflict(Message("ending.ended_already")) }
        let colleague = try Colleagues.find(email, field: "email", but: therapy.therapistID, c)
        let member = MemberRecord(
            id: c.newID(), therapy: therapy.id, account: colleague.id, role, sharesWords: sharesWords,
            at: c.now)
        let name = try c.read { try TherapistStore.name(of: colleague.id, c.keys, $0) }
        let notice = try notice(role, SharingNotices.member(role, name: name, c), c)
        let change = try c.change(
            of: try therapy.key(c.keys),
            to: ["colleague": name, "role": role.rawValue, "shares_words": sharesWords ? "true" : nil])
        try c.write(.memberAdded, about: therapy.id, object: member.id, change: change) {
            [now = c.now] connection in
            try Colleagues.require(colleague.id, field: "email", connection)
            let present = try SharingStore.members(of: therapy.id, connection)
            if present.contains(where: { $0.accountID == colleague.id }) {
                throw Problem.invalid("email", "sharing.already")
            }
            if present.count >= most {
                throw Problem.invalid("email", "sharing.many", ["limit": String(most)])
            }
            try SharingStore.insert(member, connection)
            if let notice { try NoticeStore.insert(notice, at: now, connection) }
        }
        return member.id
    }

    /// - Throws: `Problem.notFound`.
    static func remove(_ id: ID<MemberRecord>, _ c: Context<Caseload>) throws {
        let therapy = c.proof.patient
        let found = try c.read { connection in
            try SharingStore.members(of: therapy.id, connection).first { $0.id == id }.map {
                ($0, try TherapistStore.name(of: $0.accountID, c.keys, connection))
            }
        }
        guard let (member, name) = found else { throw Problem.notFound }
        let notice = try notice(
            member.role, c.services.sentence("sharing.notice_removed", ["name": name]), c)
        let change = try c.change(of: try therapy.key(c.keys), from: ["colleague": name])
        try c.write(.memberRemoved, about: therapy.id, object: id, change: change) {
            [now = c.now] connection in
            guard try SharingStore.remove(id, from: therapy.id, connection) else { throw Problem.notFound }
            if let notice { try NoticeStore.insert(notice, at: now, connection) }
        }
    }

    /// Nil for an unpaired patient.
    private static func notice(
        _ role: MemberRecord.Role, _ words: LocalizedText, _ c: Context<Caseload>
    ) throws -> NewNotice? {
        guard let id = c.proof.patient.accountID,
            let account = try c.read({ try AccountStore.find(id, $0) })
        else { return nil }
        return try NewNotice(
            SharingNotices.kind(role), words, to: try account.key(c.keys), id: c.newID(), from: c.now)
    }
}

extension AuditAction {
    static let memberAdded = AuditAction(name: "member.added")
    static let memberRemoved = AuditAction(name: "member.removed")
}
