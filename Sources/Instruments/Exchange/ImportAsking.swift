import HTTP
import Questionnaires
import Web
import Wire
import Wording

/// Asks whether a form of others is the questionnaire whose key it has, or another one (RP-5), and how answers count of
/// which it says nothing (RP-23). What was chosen goes on with the answers, so that no file has to be chosen again.
package struct ImportAsking: Encodable, Sendable {

    package struct Kept: Encodable, Sendable {
        let name: String
        let text: String
    }

    let title: String
    let lead: String
    package let asks: [FieldView]
    let kept: [Kept]
    /// Answered before, and not asked again.
    let answered: [Kept]
    let licence: String

    private init(_ name: String, asks: [FieldView], answered: [Kept], _ form: Form, _ texts: Texts) {
        title = texts["exchange.\(name)_title"]
        lead = texts["exchange.\(name)_lead"]
        self.asks = asks
        self.answered = answered
        let names = form.all("named")
        kept = form.files("file").enumerated().map { index, field in
            Kept(
                name: field.file ?? (names.indices.contains(index) ? names[index] : "file"), text: field.value
            )
        }
        licence = form["licence"] ?? ""
    }

    static func view(
        _ met: FormsMet, of files: ImportedFiles, form: Form, _ c: Context<Member>
    ) -> ImportAsking {
        let filled = FormState(form, FieldErrors(), c.texts)
        return ImportAsking(
            "asked", asks: met.list.map { ask($0.index, $0.form, of: files, filled: filled, c) },
            answered: AnswerPoints.fields(form).map { Kept(name: $0.name, text: $0.value) }, form, c.texts)
    }

    /// One field for each answer that says no points, with what was typed in it.
    static func view(
        _ uncounted: [UncountedAnswer], _ points: AnswerPoints, form: Form, _ c: Context<Member>
    ) -> ImportAsking {
        let filled = FormState(form, points.errors, c.texts)
        let asks = uncounted.map { answer in
            var view = filled.field(
                AnswerPoints.name(answer), .decimal, label: "exchange.points", required: true)
            view.label = c.texts["exchange.points", ["answer": answer.answer]]
            view.hint = answer.question
            return view
        }
        return ImportAsking("points", asks: asks, answered: [], form, c.texts)
    }

    /// The field with the answer for a file.
    static func name(_ index: Int, of files: ImportedFiles) -> String {
        files.all.count == 1 ? "as" : "as.\(index)"
    }

    private static func ask(
        _ index: Int, _ other: AnotherForm, of files: ImportedFiles, filled: FormState, _ c: Context<Member>
    ) -> FieldView {
        let file = files.all[index].file
        let language = file.definition.language(asked: c.languages)
        let title = file.definition.title[language] ?? file.definition.key
        let values = ["title": other.title, "key": other.key, "n": String(other.version + 1)]
        var hint = c.texts["exchange.as_hint", values]
        if let url = other.url { hint += " " + c.texts["exchange.as_url", ["url": url]] }
        if let url = file.identity?.url { hint += " " + c.texts["exchange.as_own_url", ["url": url]] }
        var view = filled.list(
            name(index, of: files), label: "exchange.as", required: true, none: "exchange.as_choose",
            [
                ("new", c.texts["exchange.as_new"]), ("version", c.texts["exchange.as_version", values]),
            ])
        view.label = c.texts["exchange.as", ["title": title]]
        view.hint = hint
        return view
    }
}
