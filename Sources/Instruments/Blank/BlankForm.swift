import HTTP
import Questionnaires
import Records
import Web
import Wire
import Wording

/// A questionnaire as a blank form on A4, with its scoring key on a page of its own (PR-38). One that its owner does not
/// allow to be printed has the reason in its place.
package struct BlankForm: Page {
    package static let template = "questionnaires/blank"
    package static let section: NavigationItem? = .questionnaires

    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/blank", .author, show)
    }

    /// A scale as it is worked out by hand.
    package struct ScaleKey: Encodable, Sendable {
        let title: String
        let formula: String
        /// The numbers of its questions.
        let items: String
        let cutoff: String?
    }

    package let id: ID<QuestionnaireVersion>
    package let title: String
    package let version: String
    /// The language of the questionnaire, which may differ from the page's.
    package let contentLanguage: String
    package let isPrintable: Bool
    package let intro: String?
    package let outro: String?
    package let parts: [BlankPart]
    package let scales: [ScaleKey]
    /// The values of the answers, by where they are offered.
    package let values: [BlankValues]
    let hasValues: Bool
    /// Rights, source and permitted use.
    package let licence: String

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let record = try QuestionnairePath.version(c)
        let card = try c.read { try InstrumentStore.card(record.key, $0) }
        return .page(BlankForm(record, card, c))
    }

    private init(_ record: QuestionnaireRecord, _ card: InstrumentCard, _ c: Context<Member>) {
        let definition = record.definition
        let language = definition.language(asked: c.languages)
        let drawing = BlankDrawing(definition, language, c.texts)
        let isPrintable = definition.isPrintable
        let source = [card.source ?? definition.citation, definition.origin, card.permittedUse]
        id = record.id
        title = definition.title[language] ?? record.key
        version = c.texts["questionnaires.version", ["n": String(record.version)]]
        contentLanguage = language
        self.isPrintable = isPrintable
        intro = definition.intro?[language]
        outro = definition.outro?[language]
        parts = isPrintable ? definition.sections.map(drawing.part) : []
        scales = isPrintable ? definition.scales.map { Self.scale($0, drawing, c.texts) } : []
        values = isPrintable ? drawing.values : []
        hasValues = !values.isEmpty
        // A source is often its own origin.
        var said: Set<String> = []
        let rights = [c.texts["instruments.licence_\(card.licence.rawValue)"]] + source.compactMap(\.self)
        licence = rights.filter { said.insert($0).inserted }.joined(separator: " · ")
    }

    private static func scale(_ scale: Scale, _ drawing: BlankDrawing, _ texts: Texts) -> ScaleKey {
        let items = scale.items.map { item -> String in
            let number = drawing.number(item)
            return scale.reversed.contains(item)
                ? "\(number) (\(texts["questionnaires.reversed"]))" : number
        }
        return ScaleKey(
            title: scale.title[drawing.language] ?? scale.key,
            formula: QuestionnairePages.formula(scale, texts), items: items.joined(separator: ", "),
            cutoff: scale.cutoff.map { texts.number($0, digits: 2) })
    }
}
