import Database
import HTTP
import Wire

/// What waits to be answered: the patient's own list, and the therapist's calls.
enum AssignmentAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/my/assignments", .patient, .many("Open and coming questionnaires", Assignment.self), mine)
        routes.call(
            .get, "/my/assignments/:assignment", .patient,
            .one("One own assignment, also a daily whose window has not begun", Assignment.self), show)
        routes.call(
            .get, "/patients/:patient/assignments", .caseload,
            .many("All assignments but dailies and withdrawn ones", Assignment.self), index)
        routes.call(
            .post, "/patients/:patient/assignments", .caseload,
            .one("Assign a questionnaire", Assignment.self, status: 201, takes: draft), create)
        routes.call(
            .delete, "/patients/:patient/assignments/:assignment", .caseload,
            .nothing("Withdraw an unanswered assignment"), destroy)
    }

    private static let draft = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.optional("available_from", .time.orNull),
        Schema.optional("due_at", .time.orNull), Schema.optional(Permission.field, .boolean.orNull),
    ])

    @Sendable static func mine(_ c: Context<Member>) throws -> Reply {
        let account = c.proof.account.id
        let paging = try Paging(c.request)
        guard let therapy = try c.read({ try TherapyStore.running(of: account, $0) }) else {
            return try .data(Many<Assignment>([], total: 0, next: nil))
        }
        try DailyPlanning.ensure(therapy.id, c)
        let list = try c.read { connection -> Many<Assignment> in
            let open = try AssignmentStore.open(in: therapy.id, at: c.now, connection)
            let (part, next) = paging.part(of: open, .earliestFirst) { Position($0.dueAt, $0.id) }
            let drafts = try DraftStore.all(of: account, connection)
            return Many(try wire(part, drafts: drafts, c, connection), total: open.count, next: next)
        }
        try Fetching.note(list.data.map(\.id), c)
        return try .data(list)
    }

    /// Phones learn from it which questionnaire a planned daily asks, to have it when they are offline.
    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let (id, account) = (try c.id("assignment"), c.proof.account.id)
        let item = try c.read { connection -> Item<Assignment>? in
            guard let record = try AssignmentStore.find(id, of: account, connection),
                record.withdrawnAt == nil, record.contributionID == nil
            else { return nil }
            let drafts = try DraftStore.all(of: account, connection)
            return try wire([record], drafts: drafts, c, connection).first
        }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: id, item.attributes))
    }

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let (paging, therapy) = (try Paging(c.request), c.proof.patient.id)
        let list = try c.read { connection in
            // What was taken back is history: the timeline tells it.
            let all = try AssignmentStore.all(in: therapy, connection).filter {
                $0.withdrawnAt == nil || $0.contributionID != nil
            }
            let (part, next) = paging.part(of: all) { Position($0.availableFrom, $0.id) }
            return Many(try wire(part, c, connection), total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let made = try Assigning.make(try AssignmentDraft.read(try c.body(), now: c.now), c)
        let item = try c.read { connection in try wire([made], c, connection).first }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: made.id, item.attributes), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try Assigning.withdraw(try c.id("assignment"), c)
        return .response(.noContent)
    }

    private static func wire<P>(
        _ records: ArraySlice<AssignmentRecord>, drafts: [DraftRecord] = [], _ c: Context<P>,
        _ connection: borrowing Connection
    ) throws -> [Item<Assignment>] {
        var items: [Item<Assignment>] = []
        for record in records {
            let cache = c.services.questionnaires
            guard let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            else {
                continue
            }
            let draft = try drafts.first { $0.subjectID == record.id }.map { draft -> Answers in
                guard let key = try c.actor.signedIn?.account.key(c.keys) else { return [:] }
                let json = try JSON.parse(try draft.answers(key))
                return try questionnaire.definition.readAnswers(json, isHalf: true)
            }
            items.append(
                Item(id: record.id, Assigning.wire(record, questionnaire, draft: draft ?? [:], c.language)))
        }
        return items
    }
}
