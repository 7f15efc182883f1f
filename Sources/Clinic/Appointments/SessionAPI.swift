import HTTP
import Records
import Therapies
import Web
import Wire
import Wording

/// The therapist's own record of sessions. The patient's calendar never changes by it.
enum SessionAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/sessions", .caseload, .many("Sessions, numbered", TherapySession.self),
            index)
        routes.call(
            .post, "/patients/:patient/sessions", .caseload,
            .one("Note a session", TherapySession.self, status: 201, takes: times), create)
        routes.call(
            .patch, "/patients/:patient/sessions/:session", .caseload,
            .one("Mark a session", TherapySession.self, takes: marking), update)
    }

    private static let times = Schema.object([
        Schema.property("starts_at", .time), Schema.property("ends_at", .time),
    ])
    private static let marking = Schema.object([
        Schema.property("state", .choice(Session.State.allCases.map(\.rawValue)))
    ])

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try SessionPages.list(c).newestFirst
        let (part, next) = paging.part(of: all) { Position($0.session.startsAt, $0.session.id) }
        return try .data(Many(part.map { Item(id: $0.session.id, wire($0)) }, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let draft = try SessionDraft.read(try c.body(), now: c.now)
        return try answer(try SessionActions.note(draft, c), c, status: 201)
    }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let fields = try c.body()
        let state = fields.choice("state", from: Session.State.allCases.map(\.rawValue), required: true)
        try fields.finish()
        guard let state = state.flatMap(Session.State.init(rawValue:)) else { throw Problem.notFound }
        try SessionActions.mark(id, as: state, c)
        return try answer(id, c, status: 200)
    }

    private static func answer(_ id: ID<Session>, _ c: Context<Caseload>, status: Int) throws -> Reply {
        guard let found = try SessionPages.list(c).all.first(where: { $0.session.records.contains(id) })
        else { throw Problem.notFound }
        // What was noted may be one session with an appointment that has been there before.
        return try .data(One(id: found.session.id, wire(found)), status: status)
    }

    private static func wire(_ numbered: SessionList.Numbered) -> TherapySession {
        TherapySession(
            number: numbered.number, startsAt: numbered.session.startsAt, endsAt: numbered.session.endsAt,
            state: numbered.state.rawValue, appointmentID: numbered.session.appointmentID?.text)
    }
}
