/// A label and its value, for lists: "Sitzungen: 14".
package struct Fact: Encodable, Sendable {
    package let label: String
    package let value: String

    package init(label: String, value: String) {
        self.label = label
        self.value = value
    }
}
