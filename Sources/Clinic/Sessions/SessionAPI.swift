import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The therapist's own record of sessions. It never changes the patient's calendar.
enum SessionAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/sessions", .caseloadReader,
            .many("Sessions, numbered", TherapySession.self),
            index)
        routes.call(
            .post, "/patients/:patient/sessions", .caseload,
            .one(
                "Note a session, or a series of them: answers the first; days left out count",
                TherapySession.self,
                status: 201, takes: times
            ).undone(.sessionEntry), create)
        routes.call(
            .get, "/patients/:patient/sessions/:session", .caseloadReader,
            .one("A session with its agenda and note", TherapySessionInFull.self)
                .revised(SessionNotes.revision), show)
        routes.call(
            .patch, "/patients/:patient/sessions/:session", .caseload,
            .one(
                "Mark a session, keep its agenda and note, move a noted one: 409 session_is_appointment for one of an appointment",
                TherapySessionInFull.self, takes: writing
            )
            .revised(SessionNotes.revision), update)
    }

    private static let times = Schema.object([
        Schema.property("starts_at", .time), Schema.property("ends_at", .time),
        Schema.optional(
            "repeat",
            .object([
                Schema.optional("every_weeks", .integer), Schema.optional("count", .integer),
                Schema.optional("except", .list(.date)),
            ])),
    ])
    private static let writing = Schema.object([
        Schema.optional("starts_at", .time), Schema.optional("ends_at", .time),
        Schema.optional("state", .choice(Session.State.allCases.map(\.rawValue))),
        Schema.optional("agenda", .list(.of(TherapySessionInFull.Item.self))),
        Schema.optional("note", .string.orNull),
    ])

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let all = try SessionPages.list(c).newestFirst
        let (part, next) = paging.part(of: all) { Position($0.session.startsAt, $0.session.id) }
        return try .data(Many(part.map { Item(id: $0.session.id, wire($0)) }, total: all.count, next: next))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let fields = try c.body()
        let series = SessionSeries.read(fields)
        let draft = try SessionDraft.read(fields, now: c.now)
        let drafts = series.drafts(from: draft, c.dates.zone, pauses: nil).drafts
        if let last = drafts.last, last.startsAt > c.now.adding(days: 730) {
            throw Problem.invalid("repeat.count", "errors.session_far")
        }
        let id = try SessionActions.note(drafts, c)
        guard let found = try SessionPages.list(c).all.first(where: { $0.session.records.contains(id) })
        else { throw Problem.notFound }
        // The noted one may have merged with an appointment that existed before.
        return try .data(One(id: found.session.id, wire(found)), status: 201)
    }

    @Sendable static func show(_ c: Context<Caseload>) throws -> Reply { try answer(c) }

    @Sendable static func update(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        try SessionWriting.write(try SessionChange.read(try c.body(), now: c.now), id, c, isForm: false)
        return try answer(c)
    }

    private static func answer(_ c: Context<Caseload>) throws -> Reply {
        let id: ID<Session> = try c.id("session")
        let therapy = c.proof.patient
        let full = try c.read { connection -> (ID<Session>, TherapySessionInFull) in
            let list = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
            guard let found = list.all.first(where: { $0.session.records.contains(id) }) else {
                throw Problem.notFound
            }
            let words = try SessionNotes.read(
                found.session, of: therapy, by: c.proof.therapist.id, try therapy.key(c.keys),
                withOpen: c.proof.mayKnowWords && list.takesOpen(found, now: c.now), connection)
            let agenda = words.agenda.map { TherapySessionInFull.Item(text: $0.text, done: $0.isDone) }
            return (
                found.session.id, TherapySessionInFull(wire(found), agenda: agenda, note: words.note)
            )
        }
        return try .data(One(id: full.0, full.1))
    }

    private static func wire(_ numbered: SessionList.Numbered) -> TherapySession {
        TherapySession(
            number: numbered.number, startsAt: numbered.session.startsAt, endsAt: numbered.session.endsAt,
            state: numbered.state.rawValue, appointmentID: numbered.session.appointmentID?.text)
    }
}
