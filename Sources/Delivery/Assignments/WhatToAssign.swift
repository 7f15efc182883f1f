import HTTP
import Instruments
import Therapies
import Web
import Wording

/// One list to choose from, with the questionnaires in use and below them the batteries.
package enum WhatToAssign {
    package static let field = "questionnaire_key"
    static let prefix = "battery:"

    /// The form with a chosen battery in a field of its own, so that it is read like a call.
    package static func unfolded(_ form: Form) -> Form {
        Form(
            form.fields.map { field in
                guard field.name == Self.field, field.value.hasPrefix(prefix) else { return field }
                return Form.Field("battery_id", String(field.value.dropFirst(prefix.count)))
            })
    }

    /// Moves errors of the fields joined in one list to that list.
    package static func folded(_ errors: FieldErrors) -> FieldErrors {
        var folded = FieldErrors()
        for error in errors.list {
            let names = ["battery_id": field, "watched_key": "watched", "watched_scale": "watched"]
            let name = names[error.field] ?? error.field
            folded.add(name, error.message.key, error.message.values)
        }
        return folded
    }

    package static func view(_ filled: FormState, label: String, _ c: Context<Caseload>) throws -> FieldView {
        let (records, batteries, parts) = try c.read { connection in
            (
                try QuestionnaireStore.newest(c.services.questionnaires, connection),
                try BatteryStore.all(connection), try BatteryParts(c, connection)
            )
        }
        return filled.list(
            field, label: label, required: true, none: "assignments.choose",
            records.map { ($0.key, $0.title(c.language)) }
                + batteries.map { ("\(prefix)\($0.id)", parts.choice($0)) })
    }
}
