import HTTP
import Wording

/// What is entered in a field of one line or more, which says how a browser asks for it.
package enum FieldKind: Sendable {
    case text, area, box, date, time, email, phone, file
    /// An email address that the browser leaves unchecked.
    case address
    /// A number: a whole one, and one with a fraction.
    case whole, decimal
    /// A code of digits.
    case digits
    /// A password as it stands, and one that is chosen now. Neither is shown again once it was typed.
    case password, newPassword

    /// Passwords and files start empty, whatever is stored.
    fileprivate var isCompared: Bool {
        switch self {
        case .password, .newPassword, .file: false
        default: true
        }
    }

    fileprivate func shape(_ view: inout FieldView) {
        switch self {
        case .text: break
        case .area: view.isArea = true
        case .box: view.isCheck = true
        case .date: view.type = "date"
        case .time: view.type = "time"
        case .email: view.type = "email"
        case .phone: view.type = "tel"
        case .address: view.inputMode = "email"
        case .whole, .digits: view.inputMode = "numeric"
        case .decimal: view.inputMode = "decimal"
        case .file:
            view.type = "file"
            view.value = ""
        case .password, .newPassword:
            view.type = "password"
            view.value = ""
            view.isRequired = true
            view.autocomplete = self == .newPassword ? "new-password" : "current-password"
        }
    }
}

/// Fields that many forms have.
extension FormState {
    /// The field as it was typed, else with its first value.
    /// - Parameter label: a key of the texts.
    package func field(
        _ name: String, _ kind: FieldKind = .text, label: String, first: String = "", hint: Message? = nil,
        required: Bool = false, autocomplete: String? = nil
    ) -> FieldView {
        var view = FieldView(name: name, label: texts[label])
        self.name(name, view.label)
        // Of a box that was ticked the hidden field before it comes first.
        view.value = form.all(name).last ?? first
        view.hint = hint.map { texts[$0] }
        let error = errors.list.first { $0.field == name }?.message
        view.error = error.map { texts[$0] }
        view.readings = Reading.all(of: error, for: name, texts)
        view.isRequired = required
        view.autocomplete = autocomplete
        if isContested(name) {
            let now = stored.map { $0.all(name).last ?? "" } ?? first
            if now != view.value {
                view.stored = FieldView.Stored(
                    value: now, yes: texts["forms.yes"], no: texts["forms.no"], empty: texts["forms.empty"])
            }
        }
        kind.shape(&view)
        if kind.isCompared {
            note(first: first, of: name)
            view.shown = ShownFields.digest(of: first)
        }
        return view
    }

    /// A box to tick.
    package func box(_ name: String, label: String, hint: Message? = nil, isOn: Bool = false) -> FieldView {
        field(name, .box, label: label, first: isOn ? "true" : "", hint: hint)
    }

    /// A group of boxes with one name, drawn elsewhere.
    /// - Returns: the ticked ones, the digest of the stored ones, and the stored ones where others are ticked meanwhile.
    package func group(
        _ name: String, label: String, first: [String]
    ) -> (ticked: Set<String>, shown: String, stored: [String]?) {
        self.name(name, label)
        note(first: ShownFields.joined(first), of: name)
        let ticked = Set(form.fields.isEmpty ? first : form.all(name))
        return (
            ticked, ShownFields.digest(of: first), isContested(name) && ticked != Set(first) ? first : nil
        )
    }

    /// A list to choose from.
    /// - Parameter none: a key of the texts, for the first choice, which chooses nothing.
    package func list(
        _ name: String, label: String, first: String = "", hint: Message? = nil, required: Bool = false,
        none: String? = nil, _ choices: [(value: String, label: String)]
    ) -> FieldView {
        var view = field(name, label: label, first: first, hint: hint, required: required)
        view.isSelect = true
        view.choices = ([none].compactMap(\.self).map { ("", texts[$0]) } + choices).map { value, label in
            FieldView.Choice(value: value, label: label, isChosen: value == view.value)
        }
        return view
    }
}
