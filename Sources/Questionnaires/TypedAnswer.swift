import JSON
import Wording

extension JSON {
    /// A number that was typed; what cannot be read as one stays text, to be refused where it stands. Nil for nothing.
    package init?(typed text: String, _ limits: TypedNumber.Limits = .init(), meant: String? = nil) {
        guard let number = TypedNumber(text, limits, meant: meant) else { return nil }
        self = number.value.map { .number($0) } ?? .string(String(text.prefix(200)))
    }
}
