import Database
import HTTP
import Identity
import Records
import Therapies
import Web
import Wire
import Wording

/// The list of alerts: what, who, when, why, what to do. A comment acknowledges one.
package enum AlertPages {
    static func routes(_ routes: inout Routes) {
        routes.badge(.alerts) { account, now, connection in
            try AlertReader.waiting(for: account, now: now, connection)
        }
        routes.page(.get, "/alerts", .therapist, index)
        routes.page(.post, "/alerts/:alert/acknowledgement", .therapist, acknowledge)
    }

    package struct Index: Page {
        package static let template = "alerts/index"
        package static let section: NavigationItem? = .alerts
        package struct Row: Encodable, Sendable {
            package let id: ID<Alert>
            package let title: String
            package let grade: String
            package let tone: String
            /// How often it was raised, and since when; nil for a single one.
            package let repeated: String?
            package let codename: String
            package let alias: String?
            package let path: String
            package let when: String
            package let machineTime: String
            package let reason: String
            package let advice: String?
            package let acknowledged: String?
            package let field: FieldView?
        }
        let risks: [RiskAnswer]
        let hasRisks: Bool
        package let rows: [Row]
        let isEmpty: Bool
        package let filters: [PageLink]
        package let isWaiting: Bool
        package let errors: ErrorSummary?
    }

    @Sendable package static func index(_ c: Context<Member>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    private static func page(_ filled: FormState, _ c: Context<Member>) throws -> Index {
        let isDone = c.request.query["acknowledged"] == "true"
        let patient = ID<Therapy>(uuid: c.request.query["patient"])
        let (risks, rows, shown) = try c.read { connection in
            let shared = try SharingStore.all(with: c.proof.account.id, now: c.now, connection)
            let risks = try RiskReader.all(shared, c, connection).filter {
                patient == nil || $0.patient == patient
            }
            let names = try PatientNames(c, connection)
            if !isDone {
                let bundles = try AlertBundle.waiting(besides: risks, c, connection)
                let shown = bundles.filter { patient == nil || $0.newest.firing.therapyID == patient }
                return (
                    risks, try shown.map { try row($0, names, filled, c) },
                    shown.map(\.newest.firing.therapyID) + risks.map(\.patient)
                )
            }
            let records = try AlertReader.all(c, isAcknowledged: true, connection)
            let reader = try AlertReader(c, connection)
            let rows = try records.map { record in
                let alert = try reader.wire(record, connection)
                let bundle = AlertBundle(
                    newest: record, alert: alert, grade: AlertGrade(rawValue: alert.grade) ?? .course,
                    count: 1, since: record.raisedAt)
                return try row(bundle, names, filled, c)
            }
            return ([], rows, records.map(\.firing.therapyID))
        }
        c.noteVisits(of: shown, to: "alerts")
        let filters = [
            PageLink(label: c.texts["alerts.waiting"], path: "/alerts", isCurrent: !isDone),
            PageLink(
                label: c.texts["alerts.done"], path: "/alerts?acknowledged=true", isCurrent: isDone),
        ]
        return Index(
            risks: risks, hasRisks: !risks.isEmpty, rows: rows, isEmpty: rows.isEmpty && risks.isEmpty,
            filters: filters, isWaiting: !isDone, errors: filled.summary)
    }

    private static func row(
        _ bundle: AlertBundle, _ names: PatientNames, _ filled: FormState, _ c: Context<Member>
    ) throws -> Index.Row {
        let id = bundle.newest.id
        let alert = bundle.alert
        var field = filled.field("comment-\(id)", label: "alerts.comment", hint: "alerts.comment_hint")
        field.sends = "comment"
        let done = alert.acknowledgedAt.map { at in
            let words = c.texts["alerts.acknowledged_at", ["when": c.dates.short(at)]]
            return [words, alert.comment].compactMap(\.self).joined(separator: ": ")
        }
        return Index.Row(
            id: id, title: alert.title, grade: bundle.grade.words(c.texts), tone: bundle.grade.tone,
            repeated: bundle.repeated(c.texts, c.dates), codename: alert.codename,
            alias: try names[bundle.newest.firing.therapyID]?.alias, path: "/patients/\(alert.patientID)",
            when: c.dates.short(alert.raisedAt), machineTime: c.dates.machineTime(alert.raisedAt),
            reason: alert.reason, advice: alert.advice, acknowledged: done, field: done == nil ? field : nil)
    }

    @Sendable static func acknowledge(_ c: Context<Member>) throws -> Reply {
        let id: ID<Alert> = try c.id("alert")
        let form = try c.form()
        let fields = InputReader(form: form)
        let comment = fields.text("comment", limit: AlertReader.commentLimit, lines: true)
        if !fields.errors.isEmpty {
            // The page holds many such fields; the input belongs to this one.
            let typed = Form([Form.Field("comment-\(id)", form["comment"] ?? "")])
            var named = FieldErrors()
            for error in fields.errors.list {
                named.add("comment-\(id)", error.message.key, error.message.values)
            }
            return .page(try page(FormState(typed, named, c.texts), c), status: 422)
        }
        try AlertReader.acknowledge(id, comment, withEarlier: true, c)
        // From Today the therapist goes back to Today.
        return .seeOther(
            form["back"] == "/" ? "/" : "/alerts", flash: Message("alerts.acknowledged"))
    }
}
