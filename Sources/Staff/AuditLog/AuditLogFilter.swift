import HTTP
import Records
import Scheduling
import Web
import Wire
import Wording

/// The filter of the audit log, as a form and as a query.
enum AuditLogFilter {
    /// Days in the clinic's zone, the last one included.
    /// - Throws: `Problem.invalid`.
    static func read(_ query: Form, _ zone: Zone) throws(Problem) -> AuditLogStore.Filter {
        let fields = InputReader(form: query)
        let from = fields.date("since")
        let until = fields.date("until")
        if let from, let until, until < from { fields.refuse("until", "errors.ends_before_start") }
        let action = fields.text("action", limit: 80)
        let actor: ID<Account>? = fields.id("actor")
        let before = fields.number("before").flatMap { Int(exactly: $0) }
        if !fields.errors.isEmpty { throw Problem.invalid(fields.errors) }
        return AuditLogStore.Filter(
            from: from.map { zone.instant($0, hour: 0, minute: 0) },
            until: until.map { zone.instant($0.adding(days: 1), hour: 0, minute: 0) }, action: action,
            actor: actor, before: before)
    }
}
