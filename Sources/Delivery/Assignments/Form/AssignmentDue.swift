import HTTP
import Therapies
import Web
import Wire
import Wording

/// The deadline of an assignment: the next session, a week, or a chosen time (PR-19).
enum AssignmentDue: String, CaseIterable {
    case session, week, date

    static let field = "until"

    /// The form's choice; by default the next session if there is one.
    init(_ form: Form, next: Instant?) {
        let own: AssignmentDue? = (form["due_at"] ?? "").isEmpty ? nil : .date
        let asked = form[Self.field].flatMap(AssignmentDue.init(rawValue:)) ?? own
        self = asked ?? (form.fields.isEmpty && next != nil ? .session : .week)
    }

    /// The form with the moment itself in it, as a call would send it.
    /// - Throws: `Problem.invalid` when no session is known any more.
    func applied(to form: Form, next: Instant?) throws(Problem) -> Form {
        var fields = form.fields.filter { $0.name != "due_at" }
        switch self {
        case .session:
            guard let next else { throw .invalid(Self.field, "assignments.no_next_session") }
            fields.append(.init("due_at", next.text))
        case .week: break
        case .date:
            guard let due = form["due_at"], !due.isEmpty else { throw .invalid("due_at", "errors.required") }
            fields.append(.init("due_at", due))
        }
        return Form(fields)
    }

    /// The choices with their moments.
    static func choices(
        chosen: AssignmentDue, next: Instant?, _ c: Context<Caseload>
    ) -> [FieldView.Choice] {
        let texts = c.texts
        let week = c.dates.short(c.now.adding(days: AssignmentDraft.defaultDays))
        return allCases.compactMap { due in
            let label: String
            switch due {
            case .session:
                guard let next else { return nil }
                label = texts["assignments.until_session", ["when": c.dates.short(next)]]
            case .week: label = texts["assignments.until_week", ["when": week]]
            case .date: label = texts["assignments.until_date"]
            }
            return FieldView.Choice(value: due.rawValue, label: label, isChosen: due == chosen)
        }
    }
}
