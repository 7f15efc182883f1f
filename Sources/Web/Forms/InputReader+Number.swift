import HTTP
import JSON
import Wording

extension InputReader {
    /// A number; from a form as people type it.
    /// - Parameter limits: what the field takes; between two readings they decide where they allow only one.
    package func number(_ name: String, _ limits: TypedNumber.Limits = .init()) -> Double? {
        guard let value = value(name) else { return nil }
        if case .number(let number) = value { return number }
        guard hasTypedNumbers, case .string(let text) = value else {
            refuse(name, "errors.number")
            return nil
        }
        guard let typed = TypedNumber(text, limits, meant: form[TypedNumber.meantName(name)]) else {
            return nil
        }
        if let problem = typed.problem { refuse(name, problem.key, problem.values) }
        return typed.value
    }
}
