import Questionnaires
import Records
import Web
import Wire
import Wording

/// What came in of the files, item by item, what was left out and what that means, beside the form as a phone shows it.
package struct ImportedPage: Page {
    package static let template = "questionnaires/imported"
    package static let section: NavigationItem? = .questionnaires
    package let lead: String
    package let files: [File]

    package struct File: Encodable, Sendable {
        package let path: String
        /// Nil for a draft: its card is created with the version.
        package let card: String?
        package let title: String
        /// Key, origin and licence.
        package let facts: [Fact]
        let isUnstated: Bool
        /// How many items came in, and how many did not; nil for a file of ours.
        let summary: String?
        /// Of the form itself.
        package let notes: [ExchangePages.New.Fault]
        let hasNotes: Bool
        let items: [Line]
        let hasItems: Bool
        /// Nil where several files came in: each has a preview of its own.
        let phone: PreviewPages.Show?
    }

    /// An item of the form.
    struct Line: Encodable, Sendable {
        let words: String
        /// The form's own id of it.
        let link: String
        /// Where it stands in the file.
        let place: String
        /// What it became here.
        let became: String
        let tone: String
        /// How deep it stands, up to 3.
        let level: Int
        let notes: [String]
    }

    package static let example = ImportedPage(
        lead: "Importiert und veröffentlicht.",
        files: [
            File(
                path: "/questionnaires/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11",
                card: "/questionnaires/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/instrument",
                title: "Schlaf", facts: [Fact(label: "Rechte", value: "frei")], isUnstated: true,
                summary: "1 von 2 Einträgen übernommen",
                notes: [ExchangePages.New.Fault(place: "x", text: "y")], hasNotes: true,
                items: [
                    Line(
                        words: "Schlafen Sie gut?", link: "1", place: "item[0]", became: "Ja oder nein",
                        tone: "good", level: 0,
                        notes: []),
                    Line(
                        words: "Summe", link: "2", place: "item[1]", became: "nicht übernommen", tone: "warn",
                        level: 1,
                        notes: ["y"]),
                ], hasItems: true, phone: nil)
        ])

    static func make(
        _ stored: [(id: String, file: ImportedFile)], lead: String, isDraft: Bool, _ c: Context<Member>
    ) throws -> ImportedPage {
        let cards = try c.read { connection in
            try stored.map { try InstrumentStore.card($0.file.definition.key, connection) }
        }
        return ImportedPage(
            lead: lead,
            files: zip(stored, cards).map { one, card in
                file(one.file, id: one.id, card, isDraft: isDraft, isAlone: stored.count == 1, c)
            })
    }

    private static func file(
        _ file: ImportedFile, id: String, _ card: InstrumentCard, isDraft: Bool, isAlone: Bool,
        _ c: Context<Member>
    ) -> File {
        let language = file.definition.language(asked: c.language.rawValue)
        let key = Fact(label: c.texts["editor.key"], value: file.definition.key)
        let ofForm = file.notes.filter { $0.item == nil }.map {
            ExchangePages.New.Fault(place: $0.place, text: c.texts[$0.message])
        }
        let ofItems = Dictionary(grouping: file.notes, by: \.item)
        let taken = file.items.count { $0.became != nil }
        return File(
            path: "/questionnaires/\(id)", card: isDraft ? nil : "/questionnaires/\(id)/instrument",
            title: file.definition.title[language] ?? file.definition.key,
            facts: [key] + InstrumentPages.facts(card, file.definition, c),
            isUnstated: card.licence == .unstated,
            summary: file.items.isEmpty
                ? nil : c.texts.count("exchange.items_taken", taken, of: file.items.count),
            notes: ofForm, hasNotes: !ofForm.isEmpty,
            items: file.items.map { line($0, ofItems[$0.place, default: []], in: language, c.texts) },
            hasItems: !file.items.isEmpty,
            phone: isAlone
                ? PreviewPages.untouched(file.definition, ID(id), isDraft: isDraft, c) : nil)
    }

    /// - Parameter own: the notes of this item.
    private static func line(
        _ item: FormItem, _ own: [ExchangeNote], in language: String, _ texts: Texts
    ) -> Line {
        let became =
            switch item.became {
            case nil: "exchange.became_nothing"
            case .group?: "exchange.became_group"
            case .words?: "exchange.became_words"
            case .scale?: "exchange.became_scale"
            case .question(let type)?: "questionnaires.type_\(type)"
            }
        return Line(
            words: item.text[language] ?? item.text.translations.first?.text ?? "–", link: item.linkID,
            place: item.place,
            became: texts[became], tone: item.became == nil ? "danger" : own.isEmpty ? "good" : "warn",
            level: min(item.level, 3), notes: own.map { texts[$0.message] })
    }
}
