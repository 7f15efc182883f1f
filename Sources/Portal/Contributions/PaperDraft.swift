import HTTP
import Wire

/// A questionnaire that was filled in on paper, as staff enter it. Made only by reading.
struct PaperDraft: Sendable {
    let completedAt: Instant
    let answers: Answers

    /// From the API.
    /// - Throws: `Problem.invalid` for answers that do not fit, and for a moment that is still to come.
    static func read(
        json fields: Fields, _ definition: QuestionnaireDefinition, now: Instant
    ) throws(Problem) -> PaperDraft {
        let answers = fields.value("answers")
        if answers == nil { fields.refuse("answers", "errors.required") }
        return try made(fields, fields.time("completed_at", required: true), answers, definition, now)
    }

    /// From the portal's form.
    /// - Throws: as from the API.
    static func read(
        form: Form, _ definition: QuestionnaireDefinition, _ zone: Zone, now: Instant
    ) throws(Problem) -> PaperDraft {
        let fields = Fields(form: form)
        if fields.value("completed_at") == nil { fields.refuse("completed_at", "errors.required") }
        let completed = fields.moment("completed_at", zone)
        // What is hidden by the other answers does not count, whatever is on the paper.
        let typed = PhoneAnswers.read(form, definition)
        let half = try? definition.readAnswers(typed, isHalf: true)
        let shown = half.map { Set(definition.visibleSections($0).flatMap(\.questions).map(\.key)) }
        let kept = half.map { half in half.filter { shown?.contains($0.key) ?? false } }
        let json = kept.map { PhoneAnswers.json($0, definition) } ?? typed
        return try made(fields, completed, json, definition, now)
    }

    private static func made(
        _ fields: Fields, _ completed: Instant?, _ json: JSON?, _ definition: QuestionnaireDefinition,
        _ now: Instant
    ) throws(Problem) -> PaperDraft {
        if let completed, completed.seconds > now.adding(seconds: Submission.clockSlackSeconds).seconds {
            fields.refuse("completed_at", "errors.future")
        }
        var answers: Answers = [:]
        if let json {
            do { answers = try definition.readAnswers(json) } catch { fields.refuse(error) }
        }
        try fields.finish()
        guard let completed else { throw .invalid(fields.errors) }
        return PaperDraft(completedAt: completed, answers: answers)
    }

    /// As it is stored: begun when it was completed, because paper does not tell.
    func submission(_ timezone: String) -> Submission {
        Submission(
            reason: .paper, startedAt: completedAt, completedAt: completedAt, timezone: timezone,
            answers: nil,
            details: nil)
    }
}

/// The form in which staff enter a questionnaire from paper.
struct PaperPage: Page {
    static let template = "contributions/paper"
    static let section: Section? = nil

    struct Part: Encodable, Sendable {
        let text: String?
        let questions: [PhoneQuestion]
    }

    let title: String
    let contentLanguage: String
    let back: PageLink
    let action: String
    let completed: FieldView
    let parts: [Part]
    let errors: ErrorSummary?

    static let example = PaperPage(
        title: "Wohlbefinden", contentLanguage: "de",
        back: PageLink(label: "S482193", path: "/studies", isCurrent: false),
        action: "/patients/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11/contributions/new",
        completed: FieldView(name: "completed_at", label: "Ausgefüllt am", type: "datetime-local"),
        parts: [Part(text: "Heute", questions: [.example])], errors: nil)

    init(
        title: String, contentLanguage: String, back: PageLink, action: String, completed: FieldView,
        parts: [Part], errors: ErrorSummary?
    ) {
        (self.title, self.contentLanguage, self.back) = (title, contentLanguage, back)
        (self.action, self.completed, self.parts, self.errors) = (action, completed, parts, errors)
    }

    init<P>(
        _ record: QuestionnaireRecord, back: PageLink, action: String, _ filled: Filled, _ c: Context<P>
    ) {
        let definition = record.definition
        let language = definition.language(asked: c.language.rawValue)
        let isNew = filled.form.fields.isEmpty
        let draw = PhoneDrawing(
            form: isNew ? nil : filled.form, errors: filled.errors, language: language, texts: c.texts)
        let now = c.dates.machineTime(LocalTime(c.now, c.dates.zone))
        var completed = filled.field("completed_at", label: "contributions.paper_completed", first: now)
        (completed.type, completed.isRequired) = ("datetime-local", true)
        self.init(
            title: record.title(c.language), contentLanguage: language, back: back, action: action,
            completed: completed,
            parts: definition.sections.map { section in
                Part(
                    text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                    questions: section.questions.map { draw.question($0) })
            }, errors: filled.summary)
    }
}

extension AuditAction {
    static let paperEntered = AuditAction(name: "contribution.entered")
}
