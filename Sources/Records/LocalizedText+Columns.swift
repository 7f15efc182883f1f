import Database
import JSON
import Wire
import Wording

/// A text in any number of languages as a row holds it: German and English in columns of their own, all others as a JSON
/// object in one (docs/decisions/0017-languages.md).
extension LocalizedText {
    /// From the columns `title_de`, `title_en` and `title_other`, where the name is `title`.
    package init(row: borrowing Row, _ name: String) throws {
        let german: String? = try row[name + "_de"]
        let english: String? = try row[name + "_en"]
        let others: String? = try row[name + "_other"]
        self.init(german: german, english: english, others: others)
    }

    /// From the values of the three columns.
    package init(german: String?, english: String?, others: String?) {
        // Rows without German and English have an empty German text.
        self = ["de": german == "" ? nil : german, "en": english == "" ? nil : english]
        guard let others, let json = try? JSON.parse(Array(others.utf8)) else { return }
        for (code, text) in LocalizedText(json: json).translations { self[code] = text }
    }

    /// The values of a text's three columns.
    package struct Columns: Sendable {
        package let german: String?
        /// Empty, not null, for a text in neither German nor English: the tables require one of both.
        package let english: String?
        package let others: String?
    }

    package var columns: Columns {
        let german = self["de"]
        let english = self["en"] ?? (german == nil && !isEmpty ? "" : nil)
        return Columns(german: german, english: english, others: others)
    }

    /// The other languages as JSON, sorted by their codes, so that equal texts are equal bytes; nil for none.
    private var others: String? {
        let others = translations.filter { $0.language != "de" && $0.language != "en" }
        if others.isEmpty { return nil }
        let members = others.sorted { $0.language < $1.language }.map {
            JSON.Member($0.language, .string($0.text))
        }
        return (try? JSONWriter.bytes(of: JSON.object(members))).map { String(decoding: $0, as: UTF8.self) }
    }
}
