import Wording

/// One of two readings of a typed number, to be chosen beside its field.
package struct NumberReading: Encodable, Sendable {
    let id: String
    let name: String
    let value: String
    let label: String

    /// Both readings, where a field's error asks for one; else none.
    package static func all(of error: Message?, for field: String, _ texts: Texts) -> [NumberReading] {
        guard let error, error.key == TypedNumber.questionKey, let grouped = error.values["grouped"],
            let typed = error.values["decimal"], let fraction = error.values["fraction"]
        else { return [] }
        let name = TypedNumber.meantName(field)
        return [(grouped, grouped), (fraction, texts.number(plain: typed))].map { value, label in
            NumberReading(id: "\(name).\(value)", name: name, value: value, label: label)
        }
    }
}
