import Contributions
import HTTP
import Instruments
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// The form in which staff enter a questionnaire from paper.
struct PaperPage: Page {
    static let template = "contributions/paper"
    static let section: NavigationItem? = nil

    struct Part: Encodable, Sendable {
        let text: String?
        let questions: [PhoneQuestion]
    }

    let id: ID<QuestionnaireVersion>
    let title: String
    /// The sheet's study, where a therapist enters it; nil otherwise.
    let study: String?
    let contentLanguage: String
    let back: PageLink
    let action: String
    let completed: FieldView
    let parts: [Part]
    let errors: ErrorSummary?
}

extension PaperPage {
    init<P>(
        _ record: QuestionnaireRecord, back: PageLink, action: String, study: String? = nil,
        _ filled: FormState, _ c: Context<P>
    ) {
        let definition = record.definition
        let language = definition.language(asked: c.language.rawValue)
        let isNew = filled.form.fields.isEmpty
        let draw = PhoneDrawing(
            form: isNew ? nil : filled.form, errors: filled.errors, language: language, texts: c.texts)
        let completed = filled.moment(
            "completed_at", label: "contributions.paper_completed", first: c.now, c.dates, required: true)
        let parts = definition.sections.map { section in
            Part(
                text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                questions: section.questions.map { draw.question($0) })
        }
        for question in parts.flatMap(\.questions) { filled.name(question.name, question.text) }
        self.init(
            id: record.id, title: record.title(c.language), study: study, contentLanguage: language,
            back: back,
            action: action,
            completed: completed, parts: parts, errors: filled.summary)
    }
}
