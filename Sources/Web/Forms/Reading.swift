import Wording

/// One of two readings of what was typed, to be chosen beside its field.
package struct Reading: Encodable, Sendable {
    let id: String
    let name: String
    let value: String
    let label: String
    let isChosen: Bool

    init(of field: String, value: String, label: String, isChosen: Bool = false) {
        name = TypedNumber.meantName(field)
        id = "\(name).\(value)"
        self.value = value
        self.label = label
        self.isChosen = isChosen
    }

    /// Both readings of a number, where a field's error asks for one; else none.
    package static func all(of error: Message?, for field: String, _ texts: Texts) -> [Reading] {
        guard let error, error.key == TypedNumber.questionKey, let grouped = error.values["grouped"],
            let typed = error.values["decimal"], let fraction = error.values["fraction"]
        else { return [] }
        return [(grouped, grouped), (fraction, texts.number(plain: typed))].map { value, label in
            Reading(of: field, value: value, label: label)
        }
    }
}
