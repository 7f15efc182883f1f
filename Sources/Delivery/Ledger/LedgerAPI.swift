import HTTP
import Identity
import Instruments
import Records
import Therapies
import Web
import Wire
import Wording

/// The ledger of deliveries for staff, and the app's reports about them.
package enum LedgerAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/patients/:patient/deliveries", .caseloadReader,
            .many(
                "What became of every assignment; dailies=true for prompts that have come, too",
                LedgerEntry.self,
                query: ["dailies"]),
            index)
    }

    package static let report = Schema.object([
        Schema.optional("notified_at", .time.orNull), Schema.optional("opened_at", .time.orNull),
    ])

    @Sendable package static func update(_ c: Context<Member>) throws -> Reply {
        let id: ID<Assignment> = try c.id("assignment")
        let account = c.proof.account.id
        let fields = try c.body()
        let notified = fields.time("notified_at")
        let opened = fields.time("opened_at")
        let latest = c.now.adding(seconds: 300)
        for (name, time) in [("notified_at", notified), ("opened_at", opened)] {
            if let time, time.seconds > latest.seconds { fields.refuse(name, "errors.future") }
        }
        try fields.finish()
        guard let record = try c.read({ try AssignmentStore.find(id, of: account, $0) }) else {
            throw Problem.notFound
        }
        try once(record.ledger.notifiedAt, notified)
        try once(record.ledger.openedAt, opened)
        let isNews =
            (notified != nil && record.ledger.notifiedAt == nil)
            || (opened != nil && record.ledger.openedAt == nil)
        if isNews {
            try c.write(.deliveryReported, about: record.therapyID, object: id) { [now = c.now] connection in
                try LedgerStore.report(id, notified: notified, opened: opened, at: now, connection)
            }
        }
        let item = try c.read { connection -> Assignment? in
            let cache = c.services.questionnaires
            let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
            return questionnaire.map { AssignmentActions.wire(record, $0, c.languages) }
        }
        guard let item else { throw Problem.notFound }
        return try .data(One(id: id, item))
    }

    /// - Throws: `Problem.conflict` when a time that is set would get another value.
    private static func once(_ known: Instant?, _ new: Instant?) throws(Problem) {
        guard let known, let new, known.seconds != new.seconds else { return }
        throw .conflict(Message("delivery.reported"))
    }

    @Sendable package static func index(_ c: Context<Caseload>) throws -> Reply {
        let paging = try Paging(c.request)
        let therapy = c.proof.patient.id
        let fields = InputReader(form: c.request.query)
        let withDailies = fields.bool("dailies") ?? false
        try fields.finish()
        let list = try c.read { connection in
            let page = try LedgerStore.page(
                in: therapy, withDailies: withDailies, at: c.now, paging, connection)
            let total = try LedgerStore.count(
                in: therapy, withDailies: withDailies, at: c.now, connection)
            let items = try page.part.compactMap { record -> Item<LedgerEntry>? in
                let cache = c.services.questionnaires
                let questionnaire = try QuestionnaireStore.find(record.questionnaireID, cache, connection)
                return questionnaire.map { Item(id: record.id, wire(record, $0, c)) }
            }
            return Many(items, total: total, next: page.next)
        }
        return try .data(list)
    }

    private static func wire(
        _ record: AssignmentRecord, _ questionnaire: QuestionnaireRecord, _ c: Context<Caseload>
    ) -> LedgerEntry {
        let state = record.state(at: c.now)
        var delivery = LedgerEntry(
            questionnaireKey: questionnaire.key, version: questionnaire.version,
            title: questionnaire.title(c.languages), source: record.source.rawValue, state: state.rawValue,
            availableFrom: record.availableFrom, dueAt: record.dueAt, plannedAt: record.assignedAt)
        delivery.fetchedAt = record.ledger.fetchedAt
        delivery.notifiedAt = record.ledger.notifiedAt
        delivery.pushedAt = record.ledger.pushedAt
        delivery.shownAt = record.ledger.shownAt
        delivery.openedAt = record.ledger.openedAt
        delivery.answeredAt = record.answeredAt
        delivery.expiredAt = state == .missed ? record.dueAt : nil
        delivery.withdrawnAt = record.withdrawnAt
        return delivery
    }
}

extension AuditAction {
    static let deliveryReported = AuditAction(name: "delivery.reported")
}
