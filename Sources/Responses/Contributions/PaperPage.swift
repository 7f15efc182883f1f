import HTTP
import Instruments
import Questionnaires
import Scheduling
import Web
import Wire
import Wording

/// The form in which staff enter a questionnaire from paper.
package struct PaperPage: Page {
    package static let template = "contributions/paper"
    package static let section: NavigationItem? = nil

    package struct Part: Encodable, Sendable {
        package let text: String?
        package let questions: [PhoneQuestion]
    }

    package let title: String
    /// The study that the sheet goes to, where a therapist enters it; nil else.
    package let study: String?
    package let contentLanguage: String
    package let back: PageLink
    package let action: String
    package let completed: FieldView
    package let parts: [Part]
    package let errors: ErrorSummary?

    package static let example = PaperPage(
        title: "Wohlbefinden", study: nil, contentLanguage: "de",
        back: PageLink(label: "S482193", path: "/studies", isCurrent: false),
        action: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/contributions/new",
        completed: FieldView(name: "completed_at", label: "Ausgefüllt am", type: "datetime-local"),
        parts: [Part(text: "Heute", questions: [.example])], errors: nil)

    package init(
        title: String, study: String?, contentLanguage: String, back: PageLink, action: String,
        completed: FieldView,
        parts: [Part], errors: ErrorSummary?
    ) {
        self.title = title
        self.study = study
        self.contentLanguage = contentLanguage
        self.back = back
        self.action = action
        self.completed = completed
        self.parts = parts
        self.errors = errors
    }

    package init<P>(
        _ record: QuestionnaireRecord, back: PageLink, action: String, study: String? = nil,
        _ filled: FormState, _ c: Context<P>
    ) {
        let definition = record.definition
        let language = definition.language(asked: c.language.rawValue)
        let isNew = filled.form.fields.isEmpty
        let draw = PhoneDrawing(
            form: isNew ? nil : filled.form, errors: filled.errors, language: language, texts: c.texts)
        let now = c.dates.machineTime(LocalTime(c.now, c.dates.zone))
        var completed = filled.field("completed_at", label: "contributions.paper_completed", first: now)
        completed.type = "datetime-local"
        completed.isRequired = true
        let parts = definition.sections.map { section in
            Part(
                text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                questions: section.questions.map { draw.question($0) })
        }
        for question in parts.flatMap(\.questions) { filled.name(question.name, question.text) }
        self.init(
            title: record.title(c.language), study: study, contentLanguage: language, back: back,
            action: action,
            completed: completed, parts: parts, errors: filled.summary)
    }
}
