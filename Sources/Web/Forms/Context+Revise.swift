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
        let present = FormState(texts)
        _ = try page(present)
        let laid = shown.over(present.firstValues, form)
        if laid.contested.isEmpty { return try submit(laid.form, orShow: page, doing: work) }
        let drawn = try shown.beside(form, present, texts, on: page)
        return .page(drawn, status: 412, notice: .changedMeanwhile)
    }

    /// A form that was changed elsewhere beside what is stored now, which stands where it was not touched.
    func stale(_ form: Form, on page: (FormState) throws -> any Page) throws -> Reply {
        guard let shown else {
            return .page(try page(FormState(form, FieldErrors(), texts, isStale: true)), status: 412)
        }
        let present = FormState(texts)
        _ = try page(present)
        return .page(try shown.beside(form, present, texts, on: page), status: 412)
    }
}

extension ShownFields {
    /// The page of a form laid over what is stored. What is stored may change again between looking and drawing: then the form would have
    /// older values with the newer revision, and put them back when it is sent once more. It is drawn until both are of one state.
    /// - Parameter present: a state whose fields were made.
    /// - Throws: `Problem.preconditionFailed` where it changes again and again.
    func beside(
        _ form: Form, _ present: FormState, _ texts: Texts, on page: (FormState) throws -> any Page
    ) throws -> any Page {
        var values = present.firstValues
        for _ in 0..<5 {
            let laid = over(values, form)
            let filled = FormState(
                laid.form, FieldErrors(), texts, isStale: true, contested: laid.contested)
            let drawn = try page(filled)
            if filled.firstValues == values { return drawn }
            values = filled.firstValues
        }
        throw Problem.preconditionFailed
    }
}
