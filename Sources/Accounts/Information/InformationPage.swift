import Foundation
import Records
import Web
import Wire
import Wording

/// The information pages that come with the program (IO-18), in the order they are listed.
package enum ShippedPage: String, Sendable, CaseIterable {
    case privacy, about, project, processes, imprint, contact, help, licences
}

/// An information page: one of the shipped ones, or one that an administrator has added.
package struct InformationPage: Sendable, Equatable {
    package let key: String
    /// Nil for an added one.
    package let shipped: ShippedPage?

    package init(_ shipped: ShippedPage) {
        key = shipped.rawValue
        self.shipped = shipped
    }

    /// An added one.
    package init(added key: String) {
        self.key = key
        shipped = nil
    }

    /// Letters, digits and hyphens, as they stand in the address.
    static func isKey(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy {
            $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")
                || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-")
        }
        // "new" is the form for the next one.
        return isPlain && (2...40).contains(text.utf8.count) && text.first?.isLetter == true && text != "new"
    }

    package static let privacy = InformationPage(.privacy)
    /// What is shipped, in force until somebody writes their own.
    package static let shippedVersion = 1
}

/// A page in one language: a title, and text in Markdown.
package struct InformationText: Sendable, Equatable {
    let title: String
    let body: String

    /// A shipped page: `# Title`, an empty line, the text.
    init(file text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        title = lines.first.map { String($0.drop { $0 == "#" || $0 == " " }) } ?? ""
        body = lines.dropFirst().joined(separator: "\n").trimmingCharacters(in: .newlines)
    }

    init(title: String, body: String) { (self.title, self.body) = (title, body) }
}

/// A version of a page in every language it has. Made by reading what was sent.
struct InformationDraft: Sendable {
    let texts: [Language: InformationText]

    static let limit = 60_000
    static let titleLimit = 120
    /// The languages every page has; in any other the reader gets one of these where it is missing.
    private static let needed = [Language.german, .english]

    /// From a form: `title_de`, `text_de` and so on.
    /// - Throws: `Problem.invalid`.
    static func read(form fields: InputReader) throws(Problem) -> InformationDraft {
        let titles = fields.localizedFields("title", limit: titleLimit, lines: false, required: needed)
        let bodies = fields.localizedFields("text", limit: limit, lines: true, required: needed)
        return try make(titles, bodies, fields) { "\($0)_\($1)" }
    }

    /// From a call: `{title: {de, en, …}, text: {de, en, …}}`.
    static func read(json fields: InputReader) throws(Problem) -> InformationDraft {
        let titles = fields.localized("title", limit: titleLimit, lines: false, required: needed)
        let bodies = fields.localized("text", limit: limit, lines: true, required: needed)
        if fields.value("title") == nil { fields.refuse("title", "errors.required") }
        if fields.value("text") == nil { fields.refuse("text", "errors.required") }
        return try make(titles, bodies, fields) { "\($0).\($1)" }
    }

    private static func make(
        _ titles: LocalizedText?, _ bodies: LocalizedText?, _ fields: InputReader,
        _ place: (String, String) -> String
    ) throws(Problem) -> InformationDraft {
        var texts: [Language: InformationText] = [:]
        let codes = (titles?.languages ?? []) + (bodies?.languages ?? [])
        for language in codes.compactMap(Language.init(rawValue:)).withoutRepetition() {
            let code = language.rawValue
            if let title = titles?[code], let body = bodies?[code] {
                texts[language] = InformationText(title: title, body: body)
            } else if !needed.contains(language) {
                // Half a page is none; of those that are needed it was said already.
                fields.refuse(place(titles?[code] == nil ? "title" : "text", code), "errors.required")
            }
        }
        try fields.finish()
        return InformationDraft(texts: texts)
    }
}

extension AuditAction {
    static let informationChanged = AuditAction(name: "information.changed")
    static let informationAdded = AuditAction(name: "information.added")
    static let informationRemoved = AuditAction(name: "information.removed")
    static let informationReturned = AuditAction(name: "information.returned")
}
