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

    /// Letters, digits and hyphens, as in the address.
    static func isKey(_ text: String) -> Bool {
        let isPlain = text.utf8.allSatisfy {
            $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z")
                || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: "-")
        }
        // "new" is the address of the form for adding one.
        return isPlain && (2...40).contains(text.utf8.count) && text.first?.isLetter == true && text != "new"
    }

    package static let privacy = InformationPage(.privacy)
    /// The version of the shipped text, in force until the clinic publishes its own.
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

/// A version of a page in every language it has. Made only by reading.
struct InformationDraft: Sendable {
    let texts: [Language: InformationText]

    static let limit = 60_000
    static let titleLimit = 120
    /// The languages every page has; a reader without theirs gets one of these.
    private static let needed = [Language.german, .english]

    /// From a form, `title_de`, `text_de` and so on, or a call, `{title: {de, en, …}, text: {de, en, …}}`.
    /// - Throws: `Problem.invalid`.
    static func read(_ fields: InputReader) throws(Problem) -> InformationDraft {
        let old = LocalizedText()
        let titles = fields.localized("title", limit: titleLimit, lines: false, required: needed, over: old)
        let bodies = fields.localized("text", limit: limit, lines: true, required: needed, over: old)
        for name in ["title", "text"] where !fields.isForm && fields.value(name) == nil {
            fields.refuse(name, "errors.required")
        }
        var texts: [Language: InformationText] = [:]
        let codes = titles.languages + bodies.languages
        for language in codes.compactMap(Language.init(rawValue:)).withoutRepetition() {
            let code = language.rawValue
            if let title = titles[code], let body = bodies[code] {
                texts[language] = InformationText(title: title, body: body)
            } else if !needed.contains(language) {
                // Half a page is none; of those that are needed it was said already.
                let name = titles[code] == nil ? "title" : "text"
                fields.refuse(fields.place(name, code), "errors.required")
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
