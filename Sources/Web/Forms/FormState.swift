import HTTP
import Identity
import JSON
import Locks
import Secrets
import Wording

/// What was typed and what is wrong with it: the memory of a form between two tries.
package struct FormState: Sendable {
    package let form: Form
    package let errors: FieldErrors
    package let texts: Texts
    /// Somebody else has changed it while this was typed: both are shown.
    package let isStale: Bool
    /// The form of what is stored, for pages that fill theirs in from one.
    package let stored: Form?

    private let labels = Labels()

    /// What the fields are called that were made: the summary names them.
    private final class Labels: Sendable {
        let byName = Lock<[String: (label: String, anchor: String)]>([:])
    }

    package init(
        _ form: Form, _ errors: FieldErrors, _ texts: Texts, isStale: Bool = false, stored: Form? = nil
    ) {
        self.form = form
        self.errors = errors
        self.texts = texts
        self.isStale = isStale
        self.stored = stored
    }

    /// A form that nobody has typed into yet.
    package init(_ texts: Texts) { self.init(Form(), FieldErrors(), texts) }

    /// The field as it was typed, else with its first value.
    package func field(_ name: String, label: String, first: String = "") -> FieldView {
        var view = FieldView(name: name, label: texts[label])
        self.name(name, view.label)
        // Of a box that was ticked the hidden field before it comes first.
        view.value = form.all(name).last ?? first
        view.error = errors.list.first { $0.field == name }.map { texts[$0.message] }
        if isStale {
            let now = stored.map { $0.all(name).last ?? "" } ?? first
            if now != view.value {
                view.stored = FieldView.Stored(
                    value: now, yes: texts["forms.yes"], no: texts["forms.no"], empty: texts["forms.empty"])
            }
        }
        return view
    }

    /// The revision that a form is about: the one it was drawn with, until both sides were shown.
    package func revision(_ current: Int?) -> String? {
        let present = current.map { String($0) }
        return isStale ? present : form["revision"] ?? present
    }

    /// Says what a field is called that is made otherwise.
    /// - Parameter anchor: where it stands, when not under its own name.
    package func name(_ field: String, _ label: String, at anchor: String? = nil) {
        labels.byName.withLock { $0[field] = (label, anchor ?? field) }
    }

    /// For the summary above the heading; every line leads to its field and names it. Asked for once the fields are made.
    package var summary: ErrorSummary? {
        let names = labels.byName.withLock { $0 }
        let lines = errors.list.map { error in
            let named = names[error.field]
            let label = named.map { "\($0.label): " } ?? ""
            return ErrorLine(field: named?.anchor ?? error.field, text: label + texts[error.message])
        }
        return lines.isEmpty ? nil : ErrorSummary(lines: lines)
    }
}

/// All that is wrong with a form, above its heading.
package struct ErrorSummary: Encodable, Sendable {
    package let lines: [ErrorLine]

    package init(lines: [ErrorLine]) {
        self.lines = lines
    }
}

/// A line of the error summary.
package struct ErrorLine: Encodable, Sendable {
    package let field: String
    package let text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}
