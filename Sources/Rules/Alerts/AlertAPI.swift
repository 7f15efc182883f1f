import Database
import HTTP
import Identity
import JSON
import Records
import Therapies
import Web
import Wire
import Wording

/// Alerts: what a therapist is asked to look at.
enum AlertAPI {
    static func routes(_ routes: inout Routes) {
        routes.call(
            .get, "/alerts", .therapist,
            .many("Alerts, the newest first", Alert.self, query: ["acknowledged"]), index)
        routes.call(
            .post, "/alerts/:alert/acknowledge", .therapist,
            .one(
                "Acknowledge an alert with a word", Alert.self,
                takes: .object([Schema.optional("comment", .string.orNull)])
            ).withOptionalBody, acknowledge)
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let fields = InputReader(form: c.request.query)
        let isAcknowledged = fields.choice("acknowledged", from: ["true", "false"]).map { $0 == "true" }
        try fields.finish()
        let therapist = c.proof.account.id
        let (list, shown) = try c.read { connection in
            let wanted = isAcknowledged.map { [$0] } ?? [false, true]
            let all = try wanted.flatMap {
                try AlertStore.all(of: therapist, isAcknowledged: $0, limit: .max, connection)
            }.sorted { ($1.raisedAt, $0.id) < ($0.raisedAt, $1.id) }
            let (part, next) = paging.part(of: all) { Position($0.raisedAt, $0.id) }
            let reader = try AlertReader(c, connection)
            let items = try part.map { Item(id: $0.id, try reader.wire($0, connection)) }
            return (Many(items, total: all.count, next: next), part.map(\.firing.therapyID))
        }
        c.noteVisits(of: shown, to: "alerts")
        return try .data(list)
    }

    @Sendable static func acknowledge(_ c: Context<Member>) throws -> Reply {
        let id: ID<Alert> = try c.id("alert")
        let therapist = c.proof.account.id
        // The word is welcome, not required: nor is a body.
        let fields = c.request.body.isEmpty ? InputReader(json: .object([])) : try c.body()
        let comment = fields.text("comment", limit: AlertReader.commentLimit, lines: true)
        try fields.finish()
        try AlertReader.acknowledge(id, comment, c)
        let alert = try c.read { connection -> Alert in
            guard let record = try AlertStore.find(id, of: therapist, connection) else {
                throw Problem.notFound
            }
            return try AlertReader(c, connection).wire(record, connection)
        }
        return try .data(One(id: id, alert))
    }
}

/// Alerts in words, and acknowledging them, for the page and the call alike.
package struct AlertReader: Sendable {
    static let commentLimit = 500
    private let words: RuleFormatter
    private let keys: Keyring

    package init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
        words = try RuleFormatter(c, connection)
        keys = c.keys
    }

    package func wire(_ record: AlertRecord, _ connection: borrowing Connection) throws -> Alert {
        guard let therapy = try TherapyStore.find(record.firing.therapyID, connection) else {
            throw Problem.notFound
        }
        let key = try therapy.key(keys)
        let written = try record.firing.record(key)
        return Alert(
            patientID: therapy.id.text, codename: therapy.codename, title: written.rule.actions.alert ?? "",
            reason: words.reason(written.rule, written.facts), advice: written.rule.actions.advice,
            raisedAt: record.raisedAt, acknowledgedAt: record.acknowledgedAt,
            comment: try record.comment(key))
    }

    /// - Throws: `Problem.notFound` for somebody else's; acknowledging twice is harmless,
    ///   with another word `.conflict`: the first one stays.
    static func acknowledge(_ id: ID<Alert>, _ comment: String?, _ c: Context<Member>) throws {
        let therapist = c.proof.account.id
        let found = try c.read { connection -> (AlertRecord, Therapy)? in
            guard let record = try AlertStore.find(id, of: therapist, connection),
                let therapy = try TherapyStore.find(record.firing.therapyID, of: therapist, connection)
            else { return nil }
            return (record, therapy)
        }
        guard let (record, therapy) = found else { throw Problem.notFound }
        let key = try therapy.key(c.keys)
        if record.acknowledgedAt != nil {
            if try comment == nil || comment == record.comment(key) { return }
            throw Problem.conflict(Message("alerts.acknowledged_already"))
        }
        let sealed = comment.map { key.seal($0, for: FiringPlace.comment(id)) }
        let change = try c.change(of: key, to: ["comment": comment])
        try c.write(.alertAcknowledged, about: therapy.id, object: id, change: change) {
            [now = c.now] connection in
            try AlertStore.acknowledge(id, by: therapist, comment: sealed, at: now, connection)
        }
    }
}
