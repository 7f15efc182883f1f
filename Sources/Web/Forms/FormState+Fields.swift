import Wording

/// Fields that many forms have.
extension FormState {
    /// A password, which is never shown again once it was typed.
    package func password(_ name: String, label: String, isNew: Bool = false) -> FieldView {
        var view = field(name, label: label)
        view.type = "password"
        view.value = ""
        view.isRequired = true
        view.autocomplete = isNew ? "new-password" : "current-password"
        return view
    }

    /// A box to tick.
    package func box(_ name: String, label: String, hint: String? = nil, isOn: Bool) -> FieldView {
        var view = field(name, label: label, first: isOn ? "true" : "")
        view.isCheck = true
        view.hint = hint.map { texts[$0] }
        return view
    }

    /// A list to choose from.
    package func list(
        _ name: String, label: String, first: String, _ choices: [(value: String, label: String)]
    ) -> FieldView {
        var view = field(name, label: label, first: first)
        view.isSelect = true
        view.choices = choices.map {
            FieldView.Choice(value: $0.value, label: $0.label, isChosen: $0.value == view.value)
        }
        return view
    }
}
