import Database
import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Scheduling
import Studies
import Therapies
import Web
import Wire
import Wording

/// What waits to be answered, of the therapy and of studies alike.
package enum WaitingAPI {
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
        return try .data(
            try list(c) { all in paging.part(of: all, .earliestFirst) { Position($0.due, $0.id) } })
    }

    /// Something that waits, for pages: when it opens and closes they say by these times alone.
    package struct Waiting: Sendable {
        package let opens: PromptTime
        package let closes: PromptTime
        package let item: Item<Assignment>
    }

    /// All that waits, the most urgent first; for pages.
    package static func all(_ c: Context<Member>) throws -> [Waiting] {
        try found(c) { (part: $0[...], next: nil) }.data
    }

    /// Something that waits, before it is drawn.
    private struct Entry {
        let opens: PromptTime
        let closes: PromptTime
        let id: ID<Assignment>
        let make: (borrowing Connection) throws -> Item<Assignment>?

        var due: Instant { closes.at }
    }

    private static func list(
        _ c: Context<Member>, _ choose: ([Entry]) -> (part: ArraySlice<Entry>, next: String?)
    ) throws -> Many<Assignment> {
        let found = try found(c, choose)
        return Many(found.data.map(\.item), total: found.total, next: found.next)
    }

    private static func found(
        _ c: Context<Member>, _ choose: ([Entry]) -> (part: ArraySlice<Entry>, next: String?)
    ) throws -> (data: [Waiting], total: Int, next: String?) {
        let account = c.proof.account.id
        let therapy = try c.read { try TherapyStore.running(of: account, $0) }
        if let therapy, therapy.arm != .noApp { try DailyPlanning.ensure(therapy.id, c) }
        let list = try c.read { connection -> (data: [Waiting], total: Int, next: String?) in
            let drafts = try Drafts(c, connection)
            var all: [Entry] = []
            // Who is to have no app fills in paper (IO-21).
            if let therapy, therapy.arm != .noApp {
                all += try AssignmentStore.open(in: therapy.id, at: c.now, connection).map { record in
                    Entry(opens: record.opens, closes: record.closes, id: record.id) {
                        try item(record, drafts, c, $0)
                    }
                }
            }
            all += try studies(c).open(connection).map { asked in
                Entry(opens: asked.opens, closes: asked.closes, id: asked.id) { _ in
                    try item(asked, drafts, c)
                }
            }
            // Of one moment in the order they came: a battery stays in its own.
            let order = all.enumerated().sorted {
                ($0.element.due, $0.offset) < ($1.element.due, $1.offset)
            }
            all = order.map(\.element)
            let (part, next) = choose(all)
            let data = try part.compactMap { entry in
                try entry.make(connection).map {
                    Waiting(opens: entry.opens, closes: entry.closes, item: $0)
                }
            }
            return (data, all.count, next)
        }
        try Fetching.note(list.data.map { ID($0.item.id) }, c)
        return list
    }

    /// Phones learn from it which questionnaire a planned daily asks, to have it when they are offline.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<Assignment> = try c.id("assignment")
        let account = c.proof.account.id
        let found = try c.read { connection -> Item<Assignment>? in
            let drafts = try Drafts(c, connection)
            if let record = try AssignmentStore.find(id, of: account, connection) {
                let isOnPaper = try TherapyStore.find(record.therapyID, connection)?.arm == .noApp
                let isOver = record.withdrawnAt != nil || record.contributionID != nil || isOnPaper
                return isOver ? nil : try item(record, drafts, c, connection)
            }
            let asked = try studies(c).open(connection).first { $0.id == id }
            return try asked.map { try item($0, drafts, c) }
        }
        guard let found else { throw Problem.notFound }
        return try .data(One(id: id, found.attributes))
    }

    private static func studies(_ c: Context<Member>) -> StudyAssignments {
        StudyAssignments(account: c.proof.account.id, cache: c.services.questionnaires, now: c.now)
    }

    /// Half-filled answers of the caller.
    private struct Drafts {
        private let records: [DraftRecord]

        init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
            records = try DraftStore.all(of: c.proof.account.id, connection)
        }

        func answers(_ subject: ID<DraftSubject>, _ definition: QuestionnaireDefinition, _ c: Context<Member>)
            throws
            -> Answers
        {
            guard let record = records.first(where: { $0.subjectID == subject }) else { return [:] }
            let json = try JSON.parse(try record.answers(try c.proof.account.key(c.keys)))
            return try definition.readAnswers(json, isHalf: true)
        }
    }

    private static func item(
        _ record: AssignmentRecord, _ drafts: Drafts, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> Item<Assignment>? {
        let cache = c.services.questionnaires
        guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
        else { return nil }
        let draft = try drafts.answers(ID(record.id), questionnaire.definition, c)
        return Item(id: record.id, AssignmentActions.wire(record, questionnaire, draft: draft, c.languages))
    }

    private static func item(
        _ asked: StudyAssignment, _ drafts: Drafts, _ c: Context<Member>
    ) throws -> Item<Assignment> {
        let draft = try drafts.answers(ID(asked.questionnaire.id), asked.questionnaire.definition, c)
        return Item(id: asked.id, asked.wire(draft: draft, c.languages))
    }
}
