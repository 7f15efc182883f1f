/// Something with what it is called, for lists of such: "Sitzungen: 14".
package struct Fact: Encodable, Sendable {
    package let label: String
    package let value: String

    package init(label: String, value: String) {
        self.label = label
        self.value = value
    }
}
