import Foundation
import Records
import Web
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

/// A version of a page in both languages. Made by reading what was sent.
struct InformationDraft: Sendable {
    let texts: [Language: InformationText]

    static let limit = 60_000

    /// From a form: `title_de`, `text_de` and so on.
    /// - Throws: `Problem.invalid`.
    static func read(form fields: InputReader) throws(Problem) -> InformationDraft {
        try make(fields) { language, part in
            fields.text(
                "\(part)_\(language.rawValue)", required: true, limit: part == "title" ? 120 : limit,
                lines: part != "title")
        }
    }

    /// From a call: `{title: {de, en}, text: {de, en}}`.
    static func read(json fields: InputReader) throws(Problem) -> InformationDraft {
        let titles = fields.object("title")
        let texts = fields.object("text")
        if titles == nil { fields.refuse("title", "errors.required") }
        if texts == nil { fields.refuse("text", "errors.required") }
        let read: [String: [Language: String]] = [
            "title": values(titles, limit: 120, lines: false),
            "text": values(texts, limit: limit, lines: true),
        ]
        fields.adopt(titles)
        fields.adopt(texts)
        return try make(fields) { language, part in read[part]?[language] }
    }

    private static func values(_ fields: InputReader?, limit: Int, lines: Bool) -> [Language: String] {
        var values: [Language: String] = [:]
        for language in Language.allCases {
            values[language] = fields?.text(language.rawValue, required: true, limit: limit, lines: lines)
        }
        return values
    }

    private static func make(
        _ fields: InputReader, _ value: (Language, String) -> String?
    ) throws(Problem) -> InformationDraft {
        var texts: [Language: InformationText] = [:]
        for language in Language.allCases {
            guard let title = value(language, "title"), let body = value(language, "text") else { continue }
            texts[language] = InformationText(title: title, body: body)
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
