import Database
import HTTP
import Therapies
import Web
import Wire
import Wording

/// Assigning a questionnaire by hand with its window (IO-9, PR-19).
package enum AssignmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/assignments/new", .caseload, new)
        routes.page(.post, "/patients/:patient/assignments/new", .caseload, create)
        routes.page(
            .post, "/patients/:patient/assignments/:assignment/withdrawal", .caseload, undo: .assignment,
            withdraw)
    }

    /// The field that confirms a second one of the same.
    static let again = "again"

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try AssignmentForm.make(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        let filled = FormState(form, FieldErrors(), c.texts)
        // A preview stores nothing.
        if form["step"] == "preview" { return .page(try AssignmentForm.make(filled, c)) }
        return try c.submit(
            form, orShow: { try AssignmentForm.make($0.moving(WhatToAssign.folded), c) }
        ) { _ in
            let next = try c.read { try nextSession(c, $0) }
            let due = AssignmentDue(form, next: next)
            let timed = try due.applied(to: WhatToAssign.unfolded(form), next: next)
            let assign = try draft(timed, c)
            let choice = try c.read { try AssignmentChoice.all(c, $0) }.first {
                $0.value == form[WhatToAssign.field]
            }
            if let choice, !choice.open.isEmpty, form[again] != choice.acceptance {
                return .page(try AssignmentForm.make(filled, c, doubt: choice), status: 409)
            }
            try assign()
            return .seeOther(c.proof.patient.path, flash: Message("assignments.made"))
        }
    }

    /// The form as a questionnaire or a battery to be assigned.
    /// - Throws: `Problem.invalid`.
    private static func draft(_ form: Form, _ c: Context<Caseload>) throws -> () throws -> Void {
        let fields = InputReader(form: form)
        if form["battery_id"] != nil {
            let draft = try BatteryAssignmentDraft.read(fields, zone: c.dates.zone, now: c.now)
            return { _ = try AssignmentActions.make(draft, c) }
        }
        let draft = try AssignmentDraft.read(fields, zone: c.dates.zone, now: c.now)
        return { _ = try AssignmentActions.make(draft, c) }
    }

    /// The begin of the next session, where one is known.
    static func nextSession(_ c: Context<Caseload>, _ connection: borrowing Connection) throws -> Instant? {
        let sessions = try SessionStore.coming(of: c.proof.patient.id, after: c.now, connection)
        return sessions.first { $0.isComing(at: c.now) && $0.startsAt > c.now }?.startsAt
    }

    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentActions.withdraw(try c.id("assignment"), c)
        return .seeOther(c.proof.patient.path, flash: Message("assignments.withdrawn"))
    }
}
