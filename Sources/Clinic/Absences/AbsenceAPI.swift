import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Absences as data (PR-30).
enum AbsenceAPI {
    static func routes(_ routes: inout Routes) {
        let type = Absence.self
        let path = "/absences/:absence"
        routes.call(
            .get, "/absences", .therapist, .many("The caller's absences that are not over", type), index)
        routes.call(
            .post, "/absences", .therapist,
            .one("Enter an absence", type, status: 201, takes: type.sent), create)
        routes.call(
            .patch, path, .therapist, .one("Change an absence", type, takes: type.changed), update)
        routes.call(
            .delete, path, .therapist,
            .nothing("Remove an absence; a cover of its days stays until it is ended"), destroy)
        routes.call(
            .post, path + "/cancellation", .therapist,
            .nothing(
                "Call off every session planned in it: the therapist's state becomes cancelled, the patient's calendar stays, and the patient gets a notice"
            ).undone(.absenceSessions), callOff)
        routes.call(
            .post, path + "/cancellation/return", .therapist,
            .nothing("Plan the sessions again that were called off in one step").revised(
                Undo.absenceSessions.revision), bringBack)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapist = c.proof.account.id
        let list = try c.read { connection in
            let all = try AbsenceStore.all(of: therapist, notOverOn: c.dates.today, connection)
            let newest = all.sorted { ($1.madeAt, $0.id) < ($0.madeAt, $1.id) }
            let (part, next) = paging.part(of: newest) { Position($0.madeAt, $0.id) }
            return Many(
                try part.map { Item(id: $0.id, try wire($0, c, connection)) }, total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Member>) throws -> Reply {
        let draft = try AbsenceDraft.read(try c.body(), today: c.dates.today)
        return try answer(try AbsenceActions.make(draft, c), c, status: 201)
    }

    @Sendable static func update(_ c: Context<Member>) throws -> Reply {
        let seen = try AbsenceActions.find(c)
        let draft = try AbsenceDraft.read(try c.body(), over: seen, today: c.dates.today)
        try AbsenceActions.update(seen, to: draft, c)
        return try answer(seen.id, c, status: 200)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        try AbsenceActions.remove(try c.id("absence"), c)
        return .response(.noContent)
    }

    @Sendable static func callOff(_ c: Context<Member>) throws -> Reply {
        try AbsenceSessions.callOff(try AbsenceActions.find(c), c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Member>) throws -> Reply {
        try AbsenceSessions.bringBack(try AbsenceActions.find(c), c)
        return .response(.noContent)
    }

    private static func answer(_ id: ID<AbsenceRecord>, _ c: Context<Member>, status: Int) throws -> Reply {
        let therapist = c.proof.account.id
        let found = try c.read { connection in
            try AbsenceStore.find(id, of: therapist, connection).map { try wire($0, c, connection) }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: id, found), status: status)
    }

    private static func wire(
        _ absence: AbsenceRecord, _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> Absence {
        let planned = try AbsenceSessions.planned(
            in: absence, Zone(c.services.timezone), at: c.now, connection)
        return Absence(
            from: absence.startsOn, until: absence.endsOn, coverID: absence.coverID?.text,
            withoutCover: absence.isWithoutCover,
            uncoveredFrom: try AbsenceStore.gap(in: absence, today: c.dates.today, connection)?.day,
            plannedSessions: planned.map(\.session.id.text))
    }
}
