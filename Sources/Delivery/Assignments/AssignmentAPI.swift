import Database
import HTTP
import Instruments
import Records
import Therapies
import Web
import Wire
import Wording

/// A patient's assignments, for their therapist.
enum AssignmentAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/assignments", .caseloadReader,
            .many("All assignments but dailies and withdrawn ones", Assignment.self), index)
        routes.call(
            .post, "/patients/:patient/assignments", .caseload,
            .one("Assign a questionnaire", Assignment.self, status: 201, takes: draft), create)
        routes.call(
            .delete, "/patients/:patient/assignments/:assignment", .caseload,
            .nothing("Withdraw an unanswered assignment").undone(.assignment), destroy)
        routes.call(
            .post, "/patients/:patient/assignments/:assignment/return", .caseload,
            .nothing("Bring back an assignment that was withdrawn by hand and is not over")
                .revised(Undo.assignment.revision), bringBack)
    }

    private static let draft = Schema.object([
        Schema.property("questionnaire_key", .string), Schema.optional("available_from", .time.orNull),
        Schema.optional("due_at", .time.orNull), Schema.optional(Permission.field, .boolean.orNull),
    ])

    @Sendable static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient.id
        let list = try c.read { connection in
            // Withdrawn ones are history: the timeline shows them.
            let all = try AssignmentStore.all(in: therapy, connection).filter {
                $0.withdrawnAt == nil || $0.contributionID != nil
            }
            let (part, next) = paging.part(of: all) { Position($0.availableFrom, $0.id) }
            return Many(try wire(part, c, connection), total: all.count, next: next)
        }
        return try .data(list)
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let made = try AssignmentActions.make(try AssignmentDraft.read(try c.body(), now: c.now), c)
        let item = try c.read { connection in try wire([made], c, connection).first }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: made.id, item.attributes), status: 201)
    }

    @Sendable static func destroy(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentActions.withdraw(try c.id("assignment"), c)
        return .response(.noContent)
    }

    @Sendable static func bringBack(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentActions.bringBack(try c.id("assignment"), c)
        return .response(.noContent)
    }

    private static func wire(
        _ records: ArraySlice<AssignmentRecord>, _ c: Context<Caseload>, _ connection: borrowing Connection
    ) throws -> [Item<Assignment>] {
        try records.compactMap { record in
            let cache = c.services.questionnaires
            return try QuestionnaireStore.find(record.questionnaireID, cache, connection).map {
                Item(id: record.id, AssignmentActions.wire(record, $0, c.languages))
            }
        }
    }
}
