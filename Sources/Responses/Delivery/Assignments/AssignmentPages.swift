import HTTP
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// Assigning a questionnaire by hand with its window (IO-9).
package enum AssignmentPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/patients/:patient/assignments/new", .caseload, new)
        routes.page(.post, "/patients/:patient/assignments/new", .caseload, create)
        routes.page(.post, "/patients/:patient/assignments/:assignment/withdrawal", .caseload, withdraw)
    }

    package struct New: Page {
        package static let template = "deliveries/assign"
        package static let section: NavigationItem? = .patients
        package let id: ID<Therapy>
        package let codename: String
        package let fields: [FieldView]
        package let errors: ErrorSummary?
        let hasQuestionnaires: Bool

        package static let example = New(
            id: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", codename: "C020480",
            fields: [
                FieldView(name: "due_at", label: "Bis", type: "datetime-local", value: "2026-11-27T09:00")
            ],
            errors: nil, hasQuestionnaires: true)
    }

    @Sendable package static func new(_ c: Context<Caseload>) throws -> Reply {
        .page(try page(FormState(c.texts), c))
    }

    @Sendable static func create(_ c: Context<Caseload>) throws -> Reply {
        let form = try c.form()
        do {
            let unfolded = WhatToAssign.unfolded(form)
            let fields = InputReader(form: unfolded)
            if unfolded["battery_id"] != nil {
                let draft = try BatteryAssignmentDraft.read(form: fields, zone: c.dates.zone, now: c.now)
                _ = try AssignmentActions.make(draft, c)
            } else {
                let draft = try AssignmentDraft.read(form: fields, zone: c.dates.zone, now: c.now)
                _ = try AssignmentActions.make(draft, c)
            }
            return .seeOther("/patients/\(c.proof.patient.id)", flash: Message("assignments.made"))
        } catch Problem.invalid(let errors) {
            let filled = FormState(form, WhatToAssign.folded(errors), c.texts)
            return .page(try page(filled, c), status: 422)
        }
    }

    @Sendable static func withdraw(_ c: Context<Caseload>) throws -> Reply {
        try AssignmentActions.withdraw(try c.id("assignment"), c)
        return .seeOther("/patients/\(c.proof.patient.id)", flash: Message("assignments.withdrawn"))
    }

    private static func page(_ filled: FormState, _ c: Context<Caseload>) throws -> New {
        let which = try WhatToAssign.view(filled, label: "assignments.questionnaire", c)
        var from = filled.field(
            "available_from", label: "assignments.from", first: c.dates.machineTime(c.now))
        from.type = "datetime-local"
        from.hint = filled.texts["sessions.zone_hint", ["zone": c.dates.zone.identifier]]
        let week = c.now.adding(days: AssignmentDraft.defaultDays)
        var due = filled.field("due_at", label: "assignments.due", first: c.dates.machineTime(week))
        due.type = "datetime-local"
        due.hint = filled.texts["assignments.due_hint"]
        return New(
            id: c.proof.patient.id, codename: c.proof.patient.codename,
            fields: [which, from, due] + [Permission.box(filled)].compactMap(\.self),
            errors: filled.summary, hasQuestionnaires: which.choices.count > 1)
    }
}
