import HTTP
import Questionnaires
import Web
import Wire
import Wording

/// Asks whether a form of others is the questionnaire whose key it has, or another one (RP-5). What was chosen goes on
/// with the answers, so that no file has to be chosen again.
package struct ImportAsking: Encodable, Sendable {

    package struct Kept: Encodable, Sendable {
        let name: String
        let text: String
    }

    package let asks: [FieldView]
    let kept: [Kept]
    let licence: String

    static func view(
        _ met: FormsMet, of files: ImportedFiles, form: Form, _ c: Context<Member>
    ) -> ImportAsking {
        let filled = FormState(form, FieldErrors(), c.texts)
        let names = form.all("named")
        let kept = form.files("file").enumerated().map { index, field in
            Kept(
                name: field.file ?? (names.indices.contains(index) ? names[index] : "file"), text: field.value
            )
        }
        return ImportAsking(
            asks: met.list.map { ask($0.index, $0.form, of: files, filled: filled, c) },
            kept: kept,
            licence: form["licence"] ?? "")
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
