import HTTP
import Wording

extension Context {
    /// Does what a form asks for that writes over something. What was changed elsewhere since it was drawn stays where the form was not
    /// touched; a field that was changed in both, differently, is shown with both values (412), and may then be saved.
    /// - Parameters:
    ///   - form: the form, where it was read before.
    ///   - page: draws the form again, and shows which values are stored.
    package func revise(
        _ form: Form? = nil, orShow page: (FormState) throws -> any Page,
        doing work: (InputReader) throws -> Reply
    ) throws -> Reply {
        let form = try form ?? self.form()
        // What a page has sent already stands beside the form as it was typed.
        guard let shown, sent?.otherwise == nil else { return try submit(form, orShow: page, doing: work) }
        let laid = try compared(form, shown, on: page)
        if !laid.contested.isEmpty {
            let filled = FormState(
                laid.form, FieldErrors(), texts, isStale: true, contested: laid.contested)
            return .page(try page(filled), status: 412, notice: .changedMeanwhile)
        }
        return try submit(laid.form, orShow: page, doing: work)
    }

    /// A form that was changed elsewhere beside what is stored now, which stands where it was not touched.
    func stale(_ form: Form, on page: (FormState) throws -> any Page) throws -> Reply {
        let laid = try shown.map { try compared(form, $0, on: page) }
        let filled = FormState(
            laid?.form ?? form, FieldErrors(), texts, isStale: true, contested: laid?.contested)
        return .page(try page(filled), status: 412)
    }

    private func compared(
        _ form: Form, _ shown: ShownFields, on page: (FormState) throws -> any Page
    ) throws -> (form: Form, contested: Set<String>) {
        let present = FormState(texts)
        _ = try page(present)
        return shown.over(present.firstValues, form)
    }
}
