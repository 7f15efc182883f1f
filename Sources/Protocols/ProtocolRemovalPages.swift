import HTTP
import Records
import Web
import Wire
import Wording

/// Removing a protocol asks first, also what happens to running therapies (PR-15, PR-17).
package enum ProtocolRemovalPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/protocols/:protocol/removal", .staff, confirm)
        routes.page(.post, "/protocols/:protocol/removal", .staff, destroy)
    }

    package struct Confirm: Page {
        package static let template = "protocols/removal"
        package static let section: NavigationItem? = nil
        package let id: ID<TreatmentProtocol>
        package let title: String
        package let name: String
        /// Nil where no running therapy has it.
        package let concerned: String?
        package let revision: String
        package let error: String?
        package let errors: ErrorSummary?
    }

    @Sendable static func confirm(_ c: Context<Member>) throws -> Reply {
        .page(try page(try ProtocolActions.changeable(c), FormState(c.texts), c))
    }

    private static func page(
        _ record: ProtocolRecord, _ filled: FormState, _ c: Context<Member>
    ) throws -> Confirm {
        let concerned = try c.read { try ProtocolActions.concerned(record, study: nil, $0).count }
        filled.name("follow", c.texts["protocols.follow"])
        return Confirm(
            id: record.id, title: c.texts["protocols.removal_title", ["name": record.name]],
            name: record.name,
            concerned: concerned > 0 ? c.texts.count("protocols.follow_lead", concerned) : nil,
            revision: String(record.revision),
            error: filled.errors.list.first { $0.field == "follow" }.map { c.texts[$0.message] },
            errors: filled.summary)
    }

    @Sendable static func destroy(_ c: Context<Member>) throws -> Reply {
        let record = try ProtocolActions.changeable(c)
        let form = try c.form()
        let fields = InputReader(form: form)
        let follows = fields.bool("follow")
        let concerned = try c.read { try ProtocolActions.concerned(record, study: nil, $0).count }
        if follows == nil && concerned > 0 {
            let errors = FieldErrors("follow", "protocols.follow_needed", ["n": String(concerned)])
            return .page(try page(record, FormState(form, errors, c.texts), c), status: 422)
        }
        guard form[Confirmation.field] == "true" else {
            return .seeOther("/protocols/\(record.id)/removal")
        }
        do {
            try ProtocolActions.remove(record, follows: follows ?? false, c)
        } catch Problem.preconditionFailed {
            return .seeOther("/protocols/\(record.id)", flash: Message("protocols.changed_meanwhile"))
        }
        return .seeOther("/protocols", flash: Message("protocols.removed"))
    }
}
