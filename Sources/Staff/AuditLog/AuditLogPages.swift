import Database
import HTTP
import Records
import Scheduling
import Web
import Wire
import Wording

/// The audit log for administrators: who did what when. Old and new values are sealed for whom they are about and are
/// not shown here.
package enum AuditLogPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/admin/audit-log", .admin, index)
        routes.page(.post, "/admin/audit-log/export", .admin, export)
    }

    package struct Index: Page {
        package static let template = "admin/audit-log"
        package static let section: NavigationItem? = .admin
        let fields: [FieldView]
        let errors: ErrorSummary?
        let rows: [Row]
        let total: String
        let older: String?
        /// Back to the newest entries, from any later page.
        let newest: String?
        /// The filter again, for the download.
        let hidden: [Hidden]

        struct Row: Encodable, Sendable {
            let when: String
            let machineTime: String
            let who: String
            let what: String
            let about: String
            let object: String
        }
        struct Hidden: Encodable, Sendable {
            let name: String
            let value: String
        }
    }

    static let pageSize = 50
    /// Tables cannot open larger files.
    static let fileLimit = 100_000

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let zone = Zone(c.services.timezone)
        do {
            let filter = try AuditLogFilter.read(c.request.query, zone)
            return .page(try page(filter, FormState(c.request.query, FieldErrors(), c.texts), c))
        } catch Problem.invalid(let errors) {
            let filled = FormState(c.request.query, errors, c.texts)
            return .page(try page(AuditLogStore.Filter(), filled, c), status: 422)
        }
    }

    private static func page(
        _ filter: AuditLogStore.Filter, _ filled: FormState, _ c: Context<Member>
    ) throws -> Index {
        try c.read { connection in
            let words = try AuditFormatter(c.keys, c.texts, connection)
            let (visits, older) = try AuditLogStore.visits(filter, limit: pageSize, connection)
            let rows = visits.map { visit in
                let line = visit.newest
                return Index.Row(
                    when: c.dates.dayAndTime(line.at), machineTime: c.dates.machineTime(line.at),
                    who: words.who(line), what: words.what(line), about: words.about(line),
                    object: words.areas(visit) ?? words.object(line))
            }
            let kept = c.request.query.fields.filter {
                ["since", "until", "action", "actor"].contains($0.name) && !$0.value.isEmpty
            }
            let query = kept.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }
            let path = { (more: [String]) in
                more.isEmpty ? "/admin/audit-log" : "/admin/audit-log?" + more.joined(separator: "&")
            }
            let isLater = c.request.query["before"] != nil
            return Index(
                fields: try fields(filled, words, connection), errors: filled.summary, rows: rows,
                total: c.texts.count("audit.total", try AuditLogStore.count(filter, connection)),
                older: older.map { path(query + ["before=\($0)"]) }, newest: isLater ? path(query) : nil,
                hidden: kept.map { Index.Hidden(name: $0.name, value: $0.value) })
        }
    }

    private static func fields(
        _ filled: FormState, _ words: AuditFormatter, _ connection: borrowing Connection
    ) throws -> [FieldView] {
        var days = ["since", "until"].map { name in
            filled.field(name, .date, label: "audit.\(name)")
        }
        let actions = try AuditLogStore.actions(connection).map {
            ($0, AuditFormatter.what($0, filled.texts))
        }
        days.append(select("action", actions, filled))
        days.append(
            select("actor", words.names.map { ($0.key.text, $0.value) }, filled))
        return days
    }

    private static func select(_ name: String, _ choices: [(String, String)], _ filled: FormState)
        -> FieldView
    {
        filled.list(
            name, label: "audit.\(name)", none: "audit.all",
            choices.sorted(byName: \.1, then: \.0).map { ($0.0, $0.1) })
    }

    /// The filtered lines as a table file; taking it is a line itself.
    @Sendable static func export(_ c: Context<Member>) throws -> Reply {
        let filter = try AuditLogFilter.read(try c.form(), Zone(c.services.timezone))
        try c.write(.auditExported) { connection in
            guard try AuditLogStore.count(filter, connection) <= fileLimit else {
                throw Problem.conflict(Message("audit.too_many"))
            }
        }
        let bytes = try c.read { connection -> [UInt8] in
            let words = try AuditFormatter(c.keys, c.texts, connection)
            var bytes: [UInt8] = []
            CSV.append(line: ["at", "actor", "action", "subject", "object"], to: &bytes)
            try AuditLogStore.each(filter, connection) { line in
                let cells = [
                    line.at.text, line.actor.flatMap { words.names[$0] } ?? line.actor?.text ?? "",
                    line.action,
                    line.subject ?? "", line.object ?? "",
                ]
                CSV.append(line: cells, to: &bytes)
            }
            return bytes
        }
        var response = Response(type: "text/csv; charset=utf-8", bytes)
        response.headers.append("Content-Disposition", "attachment; filename=\"audit-log.csv\"")
        return .response(response)
    }
}

extension AuditAction {
    static let auditExported = AuditAction(name: "audit_log.exported")
}
