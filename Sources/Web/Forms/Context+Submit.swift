import HTTP
import Wording

extension Context {
    /// Does what a form asks for, or draws its page again with what was typed and what is wrong with it.
    /// - Parameters:
    ///   - form: the form, where it was read before.
    ///   - page: draws the form again (422).
    ///   - stale: draws it beside what is stored, where that has changed since the form was drawn (412).
    package func submit(
        _ form: Form? = nil, orShow page: (FormState) throws -> any Page,
        stale: ((FormState) throws -> any Page)? = nil, doing work: (InputReader) throws -> Reply
    ) throws -> Reply {
        let form = try form ?? self.form()
        do {
            return try work(InputReader(form: form))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, texts)), status: 422)
        } catch Problem.preconditionFailed {
            guard let stale else { throw Problem.preconditionFailed }
            return .page(try stale(FormState(form, FieldErrors(), texts, isStale: true)), status: 412)
        }
    }
}
