import HTTP
import Wording

extension Context {
    /// Does what a form asks for, or draws its page again with what was typed and what is wrong with it.
    /// - Parameters:
    ///   - form: the form, where it was read before.
    ///   - page: draws the form again (422).
    ///     It is drawn as well where the same page has sent it before with other content, and where things stand so that it
    ///     cannot be done (409).
    ///   - stale: draws it beside what is stored, where that has changed since the form was drawn (412). Fields that were not touched
    ///     have what is stored now: sent once more they change nothing back.
    package func submit(
        _ form: Form? = nil, orShow page: (FormState) throws -> any Page,
        stale: ((FormState) throws -> any Page)? = nil, doing work: (InputReader) throws -> Reply
    ) throws -> Reply {
        let form = try form ?? self.form()
        if let earlier = sent?.otherwise, let sent {
            return try other(SentBefore(earlier, by: sent), form, page)
        }
        do {
            let fields = InputReader(form: form)
            return saying(fields, try work(fields))
        } catch Problem.invalid(let errors) {
            return .page(try page(FormState(form, errors, texts)), status: 422)
        } catch Problem.conflict(let why, let errors) {
            // Fields that say it need no second word.
            let notice: FormNotice? = errors.isEmpty ? .refused(why) : nil
            return .page(try page(FormState(form, errors, texts)), status: 409, notice: notice)
        } catch let before as SentBefore where !before.isSame {
            return try other(before, form, page)
        } catch Problem.preconditionFailed {
            guard let stale else { throw Problem.preconditionFailed }
            return try self.stale(form, on: stale)
        }
    }

    /// The form as it was typed, in a page with a name of its own, beside what the earlier one has made (409).
    private func other(
        _ before: SentBefore, _ form: Form, _ page: (FormState) throws -> any Page
    ) throws -> Reply {
        .page(try page(FormState(form, FieldErrors(), texts)), status: 409, notice: .sentBefore(before))
    }

    /// Adds to what the next page says that invisible signs were taken out.
    private func saying(_ fields: InputReader, _ reply: Reply) -> Reply {
        guard !fields.cleaned.isEmpty, case .seeOther(let path, let flash, let undo, let cookies) = reply
        else { return reply }
        let said =
            flash.map { Message("forms.cleaned_too", ["said": texts[$0]]) } ?? Message("forms.cleaned")
        return .seeOther(path, flash: said, undo: undo, cookies: cookies)
    }
}
