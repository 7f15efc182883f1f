import HTTP
import Identity
import Records
import Templates
import Web
import Wording

/// A role's part of the guide for staff: `templates/help/therapist.de.md`.
package enum HelpPart: String, Sendable, CaseIterable {
    case therapist, lead, admin

    fileprivate func isFor(_ account: AccountRecord) -> Bool {
        switch self {
        case .therapist: account.roles.contains(.therapist)
        case .lead: account.roles.contains(.lead)
        case .admin: account.roles.contains(.admin)
        }
    }
}

/// The guide for staff: one page with a part for each role of its reader. Participants have `/info/help`.
enum HelpPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/help", .staff, show)
    }

    private static let pictures = "/assets/help"

    struct Show: Page {
        static let template = "help/show"
        let parts: [Part]

        struct Part: Encodable, Sendable {
            let key: String
            let language: String
            let title: String
            let sections: [Section]
        }
        struct Section: Encodable, Sendable {
            let id: String
            let title: String
            let text: HTML
            let picture: Picture?
        }
        struct Picture: Encodable, Sendable {
            let path: String
            let words: String
        }
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(Show(parts: HelpPart.allCases.filter { $0.isFor(c.proof.account) }.compactMap { part($0, c) }))
    }

    /// In the first of the reader's languages that has it.
    private static func part(_ part: HelpPart, _ c: Context<Member>) -> Show.Part? {
        for language in c.languages + [.english] {
            if let file = c.services.shipped("help/\(part.rawValue).\(language.rawValue).md") {
                return Self.part(
                    InformationText(file: String(decoding: file, as: UTF8.self)), part.rawValue, language)
            }
        }
        return nil
    }

    /// Sections begin with `## Title`. A line of its own that shows a picture names one that `bin/pictures` takes.
    private static func part(_ text: InformationText, _ key: String, _ language: Language) -> Show.Part {
        let sections = "\n\(text.body)".split(separator: "\n## ").enumerated().map { number, section in
            let lines = section.split(separator: "\n", omittingEmptySubsequences: false)
            let picture = lines.lazy.compactMap { Self.picture($0, language) }.first
            let words = lines.dropFirst().filter { Self.picture($0, language) == nil }
            return Show.Section(
                id: "\(key)-\(number + 1)", title: String(lines.first ?? ""),
                text: Markdown.html(words.joined(separator: "\n")), picture: picture)
        }
        return Show.Part(key: key, language: language.rawValue, title: text.title, sections: sections)
    }

    /// `![What it shows](today)`; nil for another line.
    private static func picture(_ line: Substring, _ language: Language) -> Show.Picture? {
        guard line.hasPrefix("!["), line.hasSuffix(")") else { return nil }
        let parts = line.dropFirst(2).dropLast().split(separator: "](")
        guard parts.count == 2 else { return nil }
        return Show.Picture(
            path: "\(pictures)/\(parts[1]).\(language.rawValue).png", words: String(parts[0]))
    }
}
