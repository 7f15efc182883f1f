import Database
import HTTP
import Identity
import Records
import Web
import Wire
import Wording

/// The list of alerts: what, who, when, why, what to do. A word acknowledges one.
package enum AlertPages {
    static func routes(_ routes: inout Routes) {
        routes.badge(.alerts) { account, connection in try AlertStore.waiting(of: account, connection) }
        routes.page(.get, "/alerts", .therapist, index)
        routes.page(.post, "/alerts/:alert/acknowledgement", .therapist, acknowledge)
    }

    package struct Index: Page {
        package static let template = "alerts/index"
        package static let section: NavigationItem? = .alerts
        package struct Row: Encodable, Sendable {
            package let id: ID<Alert>
            package let title: String
            package let codename: String
            package let path: String
            package let when: String
            package let machineTime: String
            package let reason: String
            package let advice: String?
            package let acknowledged: String?
            package let field: FieldView?
        }
        package let rows: [Row]
        package let filters: [PageLink]
        package let isWaiting: Bool
        package let errors: ErrorSummary?

        package static let example = Index(
            rows: [
                Row(
                    id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a13", title: "Belastung hoch", codename: "C020480",
                    path: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", when: "heute 08:12",
                    machineTime: "2026-11-20T08:12", reason: "Stimmung höchstens 2: 1, 2",
                    advice: "Anrufen.", acknowledged: nil,
                    field: FieldView(
                        name: "comment-7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a13", label: "Was getan wurde"))
            ], filters: [PageLink(label: "Offen", path: "/alerts", isCurrent: true)], isWaiting: true,
            errors: nil)
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Index {
        let therapist = c.proof.account.id
        let isDone = c.request.query["acknowledged"] == "true"
        let (rows, waiting, shown) = try c.read { connection in
            let records = try AlertStore.all(of: therapist, isAcknowledged: isDone, connection)
            let reader = try AlertReader(c, connection)
            return (
                try records.map { row($0.id, try reader.wire($0, connection), filled, c) },
                try AlertStore.waiting(of: therapist, connection), records.map(\.firing.therapyID)
            )
        }
        c.noteVisits(of: shown, to: "alerts")
        let filters = [
            PageLink(
                label: "\(c.texts["alerts.waiting"]) \(waiting)", path: "/alerts", isCurrent: !isDone),
            PageLink(
                label: c.texts["alerts.done"], path: "/alerts?acknowledged=true", isCurrent: isDone),
        ]
        return Index(rows: rows, filters: filters, isWaiting: !isDone, errors: filled.summary)
    }

    private static func row(
        _ id: ID<Alert>, _ alert: Alert, _ filled: FormState, _ c: Context<Member>
    ) -> Index.Row {
        var field = filled.field("comment-\(id)", label: "alerts.comment")
        field.sends = "comment"
        field.hint = c.texts["alerts.comment_hint"]
        let done = alert.acknowledgedAt.map { at in
            let words = c.texts["alerts.acknowledged_at", ["when": c.dates.short(at)]]
            return [words, alert.comment].compactMap(\.self).joined(separator: ": ")
        }
        return Index.Row(
            id: id, title: alert.title, codename: alert.codename, path: "/patients/\(alert.patientID)",
            when: c.dates.short(alert.raisedAt), machineTime: c.dates.machineTime(alert.raisedAt),
            reason: alert.reason, advice: alert.advice, acknowledged: done, field: done == nil ? field : nil)
    }

    @Sendable static func acknowledge(_ c: Context<Member>) throws -> Reply {
        let id: ID<Alert> = try c.id("alert")
        let form = try c.form()
        let fields = InputReader(form: form)
        let comment = fields.text("comment", limit: AlertReader.commentLimit, lines: true)
        if !fields.errors.isEmpty {
            // The page holds many such fields; what was typed belongs to this one.
            let typed = Form([Form.Field("comment-\(id)", form["comment"] ?? "")])
            var named = FieldErrors()
            for error in fields.errors.list {
                named.add("comment-\(id)", error.message.key, error.message.values)
            }
            return .page(try page(FormState(typed, named, c.texts), c), status: 422)
        }
        try AlertReader.acknowledge(id, comment, c)
        return .seeOther("/alerts", flash: Message("alerts.acknowledged"))
    }
}
