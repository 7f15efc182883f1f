import HTTP
import Locks
import Wording

/// The values that were typed and their errors: the memory of a form between two tries.
package struct FormState: Sendable {
    package let form: Form
    package let errors: FieldErrors
    package let texts: Texts
    /// The thing was changed meanwhile, by someone else: both states are shown.
    package let isStale: Bool
    /// The fields that are shown with both values; nil for all that differ, where the form does not say what it showed.
    package let contested: Set<String>?
    /// The form of the stored state, for pages that fill theirs in from one.
    package let stored: Form?

    private let labels = Labels()
    private let firsts = Firsts()

    /// The labels of the fields made so far: the summary names them.
    private final class Labels: Sendable {
        let byName = Lock<[String: (label: String, anchor: String)]>([:])
    }

    /// The first values of the fields made so far, by name; nil where several fields have the same name.
    private final class Firsts: Sendable {
        let byName = Lock<[String: String?]>([:])
    }

    package init(
        _ form: Form, _ errors: FieldErrors, _ texts: Texts, isStale: Bool = false,
        contested: Set<String>? = nil, stored: Form? = nil
    ) {
        self.form = form
        self.errors = errors
        self.texts = texts
        self.isStale = isStale
        self.contested = contested
        self.stored = stored
    }

    /// A form before anything was typed.
    package init(_ texts: Texts) { self.init(Form(), FieldErrors(), texts) }

    /// The same with what is wrong told at other fields.
    package func moving(_ errors: (FieldErrors) -> FieldErrors) -> FormState {
        FormState(
            form, errors(self.errors), texts, isStale: isStale, contested: contested, stored: stored)
    }

    /// The same beside the form of what is stored, with all that differs.
    package func beside(_ stored: Form) -> FormState {
        FormState(form, errors, texts, isStale: isStale, stored: stored)
    }

    /// Whether a field is shown with both values.
    func isContested(_ name: String) -> Bool { isStale && contested?.contains(name) != false }

    /// The revision that a form is about: the one it was drawn with, until both sides were shown.
    package func revision(_ current: Int?) -> String? {
        let present = current.map { String($0) }
        return isStale ? present : form["revision"] ?? present
    }

    /// Notes the value that a field starts with.
    func note(first value: String, of field: String) {
        firsts.byName.withLock { values in
            let isKnown = values.keys.contains(field)
            values.updateValue(isKnown && values[field] != value ? nil : value, forKey: field)
        }
    }

    /// The values that fields start with, which are those stored. To be asked once the fields are made.
    var firstValues: [String: String] { firsts.byName.withLock { $0.compactMapValues(\.self) } }

    /// Names a field that is made elsewhere.
    /// - Parameter anchor: its id in the page, where that is not its name.
    package func name(_ field: String, _ label: String, at anchor: String? = nil) {
        labels.byName.withLock { $0[field] = (label, anchor ?? field) }
    }

    /// For the summary above the heading: lines link to their field. To be asked once the fields are made.
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

/// All errors of a form, above its heading.
package struct ErrorSummary: Encodable, Sendable {
    package let lines: [ErrorLine]

    package init(lines: [ErrorLine]) {
        self.lines = lines
    }
}

package struct ErrorLine: Encodable, Sendable {
    package let field: String
    package let text: String

    package init(field: String, text: String) {
        self.field = field
        self.text = text
    }
}
