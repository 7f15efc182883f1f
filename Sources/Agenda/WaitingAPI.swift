import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Studies
import Web
import Wire
import Wording

/// What waits to be answered, of the therapy and of studies alike.
enum WaitingAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/assignments", .patient, .many("Open and coming questionnaires", Assignment.self), index
        )
        routes.call(
            .get, "/my/assignments/:assignment", .patient,
            .one("One own assignment, also a daily whose window has not begun", Assignment.self)
                .revised(LedgerStore.revision), show)
        routes.call(
            .patch, "/my/assignments/:assignment", .patient,
            .one(
                "Report when an assignment was shown and opened", Assignment.self, takes: LedgerAPI.report
            ).revised(LedgerStore.revision),
            report)
    }

    /// What phones report of a study's prompt is heard and not kept: only therapists have a ledger.
    @Sendable static func report(_ c: Context<Member>) throws -> Reply {
        let id: ID<Assignment> = try c.id("assignment")
        let account = c.proof.account.id
        if try c.read({ try AssignmentStore.find(id, of: account, $0) }) != nil {
            return try LedgerAPI.update(c)
        }
        let fields = try c.body()
        _ = (fields.time("notified_at"), fields.time("opened_at"))
        try fields.finish()
        return try show(c)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let agenda = try Agenda.ready(c)
        let list = try c.read { connection in
            let all = try agenda.items([.assignments, .studies], connection)
            let (part, next) = paging.part(of: all, .earliestFirst) { Position($0.dueAt, $0.form?.id ?? "") }
            let drafts = try AgendaDrafts(c, connection)
            return Many(try part.compactMap(drafts.item), total: all.count, next: next)
        }
        try Fetching.note(list.data.map { ID($0.id) }, c)
        return try .data(list)
    }

    /// Phones learn from it which questionnaire a planned daily asks, to have it when they are offline.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<Assignment> = try c.id("assignment")
        let agenda = Agenda(of: c.proof.account.id, c.services, at: c.now)
        let found = try c.read { connection -> Item<Assignment>? in
            let item = try agenda.assignment(id, connection) ?? agenda.listedPrompt(id, connection)
            return try item.flatMap { item in
                switch item.state {
                case .done, .withdrawn, .onPaper: nil
                default: try AgendaDrafts(c, connection).item(item)
                }
            }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: id, found.attributes))
    }
}

/// Half-filled answers of the caller, and questionnaires with how far they are answered.
package struct AgendaDrafts {
    private let records: [ID<DraftSubject>: DraftRecord]
    private let account: AccountRecord
    private let keys: Keyring
    private let languages: [Language]

    package init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
        account = c.proof.account
        keys = c.keys
        languages = c.languages
        let drafts = try DraftStore.all(of: account.id, connection)
        records = Dictionary(uniqueKeysWithValues: drafts.map { ($0.subjectID, $0) })
    }

    package subscript(_ subject: ID<DraftSubject>?) -> DraftRecord? { subject.flatMap { records[$0] } }

    /// Nil for what is no questionnaire.
    package func item(_ item: AgendaItem) throws -> Item<Assignment>? {
        guard let form = item.form else { return nil }
        var draft: Answers = [:]
        if let record = self[form.draft] {
            let json = try JSON.parse(try record.answers(try account.key(keys)))
            draft = try form.questionnaire.definition.readAnswers(json, isHalf: true)
        }
        return switch item.content {
        case .assignment(let record), .daily(let record):
            Item(
                id: form.id, AssignmentActions.wire(record, form.questionnaire, draft: draft, languages))
        case .prompt(let asked), .once(let asked): Item(id: form.id, asked.wire(draft: draft, languages))
        case .intervention, .appointment: nil
        }
    }
}
