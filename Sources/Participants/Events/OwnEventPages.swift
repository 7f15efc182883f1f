import Database
import HTTP
import Identity
import Intake
import Records
import Studies
import Web
import Wire
import Wording

/// The buttons of events: what happens now, that it is over, that it was a mistake (ST-2).
enum OwnEventPages {
    static let studies = "/my/studies"
    private static let place = "/my/events/:event"

    static func path(of event: ID<StudyEvent>) -> String { "/my/events/\(event)" }

    static func routes(_ routes: inout Routes) {
        routes.page(.post, "/my/events", .patient, note)
        routes.page(.post, place + "/end", .patient, end)
        routes.page(.post, place + "/removal", .patient, remove)
    }

    /// A moment leads to its questions at once, a span once it is over.
    @Sendable static func note(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let fields = InputReader(form: form)
        let item: ID<StudyItem>? = fields.id("item", required: true)
        let id: ID<StudyEvent>? = fields.id("id", required: true)
        let from = from(fields)
        try fields.finish()
        guard let item, let id else { throw Problem.notFound }
        let (known, kind) = try c.read { connection in
            (
                try StudyEventStore.find(id, of: c.proof.account.id, connection),
                try StudyItemStore.all(of: c.proof.account.id, connection).first { $0.id == item }?.event
            )
        }
        guard let kind else { throw Problem.notFound }
        if known == nil {
            let zone = form.zone(of: c.proof.account)
            do {
                try EventNoting.note(
                    NewStudyEvent(id: id, item: item, startedAt: c.now, endedAt: nil, zone: zone), c)
            } catch let problem as Problem where [409, 422].contains(problem.status) {
                return refused(problem, from)
            }
        }
        if kind == .moment { return .seeOther(path(of: id), flash: Message("own_studies.event_noted")) }
        return .seeOther(from.path, flash: Message("own_studies.event_begun"))
    }

    @Sendable static func end(_ c: Context<Member>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let from = from(fields)
        try fields.finish()
        let event = try found(c)
        if event.endedAt == nil {
            do {
                try EventNoting.end(event.id, at: max(c.now, event.startedAt), c)
            } catch let problem as Problem where [409, 422].contains(problem.status) {
                return refused(problem, from)
            }
        }
        // What was filled in while it went on has no further questions.
        if event.sheet != nil { return .seeOther(from.path, flash: Message("own_studies.event_over")) }
        return .seeOther(path(of: event.id), flash: Message("own_studies.event_over"))
    }

    @Sendable static func remove(_ c: Context<Member>) throws -> Reply {
        let fields = InputReader(form: try c.form())
        let from = from(fields)
        try fields.finish()
        let event = try found(c)
        do {
            try EventNoting.remove(event.id, c)
        } catch let problem as Problem where problem.status == 409 {
            return refused(problem, from)
        }
        return .seeOther(from.path, flash: Message("own_studies.event_removed"))
    }

    private static func found(_ c: Context<Member>) throws -> StudyEventRecord {
        let id: ID<StudyEvent> = try c.id("event")
        guard let event = try c.read({ try StudyEventStore.find(id, of: c.proof.account.id, $0) }) else {
            throw Problem.notFound
        }
        return event
    }

    private static func from(_ fields: InputReader) -> OwnEventRows.Place {
        let names = OwnEventRows.Place.allCases.map(\.rawValue)
        return fields.choice("from", from: names).flatMap(OwnEventRows.Place.init) ?? .today
    }

    /// The page with the buttons says why not.
    private static func refused(_ problem: Problem, _ from: OwnEventRows.Place) -> Reply {
        .refused(from.path, problem.errors.list.first?.message ?? problem.message)
    }
}
