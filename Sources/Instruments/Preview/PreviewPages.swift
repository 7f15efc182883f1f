import HTTP
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// A version or a draft as shown on a phone, to be tried with answers that are not stored.
package enum PreviewPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/questionnaires/:questionnaire/preview", .author, show)
        routes.page(.post, "/questionnaires/:questionnaire/preview", .author, evaluate)
    }

    package struct Show: Page {
        package static let template = "questionnaires/preview"
        package static let section: NavigationItem? = .questionnaires

        package struct Part: Encodable, Sendable {
            package let key: String
            package let text: String?
            /// How a phone lays it out, in words; nil for a list.
            package let layout: String?
            package let isHidden: Bool
            /// For the script that shows and hides questions while answering; JSON as in the file.
            package let condition: String?
            package let questions: [PhoneQuestion]
        }
        package struct ScoreLine: Encodable, Sendable {
            package let title: String
            package let value: String?
            package let basis: String
        }

        package let id: ID<QuestionnaireVersion>
        package let title: String
        package let heading: String
        let isDraft: Bool
        package let languages: [PageLink]
        package let contentLanguage: String
        package let intro: String?
        package let outro: String?
        package let parts: [Part]
        package let progress: String
        package let errors: ErrorSummary?
        let isTried: Bool
        package let scores: [ScoreLine]
        /// The draft's faults, which prevent showing it.
        package let problems: [String]
        let hasProblems: Bool
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(c, form: nil))
    }

    /// Shows how a phone and the server would react to these answers, and stores nothing.
    @Sendable static func evaluate(_ c: Context<Member>) throws -> Reply {
        let page = try page(c, form: try c.form())
        return .page(page, status: page.errors == nil ? 200 : 422)
    }

    private struct Source {
        let definition: QuestionnaireDefinition?
        let title: String
        let isDraft: Bool
        let faults: [QuestionnaireFile.Fault]
    }

    private static func source(_ c: Context<Member>) throws -> Source {
        if let record = try QuestionnairePath.versionOrNil(c) {
            return Source(
                definition: record.definition, title: record.title(c.language), isDraft: false, faults: [])
        }
        let draft = try EditorPath.draft(c)
        let title = draft.document.title(c.language) ?? draft.document.key
        switch draft.document.read() {
        case .success(let definition):
            return Source(definition: definition.laidOut, title: title, isDraft: true, faults: [])
        case .failure(let faults):
            return Source(definition: nil, title: title, isDraft: true, faults: faults.list)
        }
    }

    private static func page(_ c: Context<Member>, form: Form?) throws -> Show {
        let id: ID<QuestionnaireVersion> = try c.id("questionnaire")
        return page(of: try source(c), id, c, form: form)
    }

    /// A version or a draft without any answer, beside what else is said about it.
    static func untouched(
        _ definition: QuestionnaireDefinition, _ id: ID<QuestionnaireVersion>, isDraft: Bool,
        _ c: Context<Member>
    ) -> Show {
        let title = definition.title.text(in: c.languages.map(\.rawValue)) ?? definition.key
        let source = Source(definition: definition, title: title, isDraft: isDraft, faults: [])
        return page(of: source, id, c, form: nil)
    }

    private static func page(
        of source: Source, _ id: ID<QuestionnaireVersion>, _ c: Context<Member>, form: Form?
    ) -> Show {
        let texts = c.texts
        let asked =
            (c.request.query["text"].flatMap(Language.init(rawValue:)).map { [$0] } ?? []) + c.languages
        let definition = source.definition
        let language = definition?.language(asked: asked) ?? asked[0].rawValue
        let typed = form.flatMap { form in definition.map { PhoneAnswers.read(form, $0) } }
        var errors = FieldErrors()
        var answers: Answers = [:]
        let isTried = form?["action"] == "try"
        if let definition, let typed {
            do {
                let half = try definition.readAnswers(typed, isHalf: true)
                // A phone would not send answers to questions hidden by others.
                let shown = Set(definition.visibleSections(half).flatMap(\.questions).map(\.key))
                answers = half.filter { shown.contains($0.key) }
                if isTried { _ = try definition.readAnswers(PhoneAnswers.json(answers, definition)) }
            } catch {
                errors = error
            }
        }
        let visible = definition?.visibleSections(answers) ?? []
        let keys = Set(visible.map(\.key))
        let asked2 = visible.flatMap(\.questions).count
        let draw = PhoneDrawing(form: form, errors: errors, language: language, texts: texts)
        return Show(
            id: id, title: source.title, heading: definition?.title[language] ?? source.title,
            isDraft: source.isDraft, languages: links(id, language, definition, c),
            contentLanguage: language, intro: definition?.intro?[language],
            outro: definition?.outro?[language],
            parts: definition?.sections.map { part($0, isHidden: !keys.contains($0.key), draw) } ?? [],
            progress: texts.count("contributions.items", answers.count, of: asked2),
            errors: FormState(Form(), errors, texts).summary, isTried: isTried && errors.isEmpty,
            scores: isTried && errors.isEmpty ? scores(definition, answers, language, texts) : [],
            problems: source.faults.map { "\($0.place): \(texts[$0.message])" },
            hasProblems: !source.faults.isEmpty)
    }

    private static func links(
        _ id: ID<QuestionnaireVersion>, _ current: String, _ definition: QuestionnaireDefinition?,
        _ c: Context<Member>
    ) -> [PageLink] {
        let own = (definition?.title.languages ?? []).compactMap(Language.init(rawValue:))
        return (c.services.languages + own).withoutRepetition().map { language in
            PageLink(
                label: c.services.name(of: language, for: c.texts),
                path: "/questionnaires/\(id)/preview?text=\(language.rawValue)",
                isCurrent: language.rawValue == current)
        }
    }

    private static func part(
        _ section: QuestionnaireDefinition.Section, isHidden: Bool, _ draw: PhoneDrawing
    ) -> Show.Part {
        let condition = section.visibleIf.flatMap { try? JSONWriter.bytes(of: $0) }
        return Show.Part(
            key: section.key, text: section.text[draw.language].flatMap { $0.isEmpty ? nil : $0 },
            layout: section.layout.map { draw.texts["editor.layout_\($0.rawValue)"] },
            isHidden: isHidden, condition: condition.map { String(decoding: $0, as: UTF8.self) },
            questions: section.questions.map { draw.question($0) })
    }

    private static func scores(
        _ definition: QuestionnaireDefinition?, _ answers: Answers, _ language: String, _ texts: Texts
    ) -> [Show.ScoreLine] {
        guard let definition else { return [] }
        return zip(definition.scales, definition.scores(answers)).map { scale, score in
            Show.ScoreLine(
                title: scale.title[language] ?? scale.key,
                value: score.value.map { texts.number($0, digits: 2) }, basis: texts[score.basis])
        }
    }
}
