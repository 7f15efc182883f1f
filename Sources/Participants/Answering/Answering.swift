import Contributions
import Delivery
import HTTP
import Instruments
import JSON
import Questionnaires
import Records
import Web
import Wire
import Wording

/// A questionnaire being filled in: the answers so far, the questions they show, and the missing answers.
struct Answering: Sendable {
    typealias Definition = QuestionnaireDefinition

    let target: Fillable
    var draft: DraftAnswers
    /// The draft of an older version that this one continues.
    let older: ID<DraftSubject>?

    var definition: Definition { target.definition }
    var answers: Answers { draft.answers }
    var sections: [Definition.Section] { definition.visibleSections(answers) }
    /// Every question that is shown, in order.
    var questions: [Definition.Question] { sections.flatMap(\.questions) }
    /// The answers to shown questions; hidden ones are not sent.
    var shown: Answers {
        let keys = Set(questions.map(\.key))
        return answers.filter { keys.contains($0.key) }
    }

    /// The shown questions without an answer.
    func missing(isRequired: Bool) -> [Definition.Question] {
        let mustAnswer = { (question: Definition.Question) in
            question.isRequired && definition.mode == .sheet
        }
        return questions.filter { answers[$0.key] == nil && mustAnswer($0) == isRequired }
    }

    /// The section to continue with: the first one with an unanswered question; nil without any.
    var next: Definition.Section? {
        sections.first { $0.questions.contains { answers[$0.key] == nil } }
    }

    func section(_ key: String?) -> Definition.Section? { sections.first { $0.key == key } }

    /// The section after another one, or before it; nil at the end.
    func section(_ distance: Int, from key: String) -> Definition.Section? {
        let sections = sections
        guard let place = sections.firstIndex(where: { $0.key == key }) else { return next }
        return sections.indices.contains(place + distance) ? sections[place + distance] : nil
    }

    func section(of question: String) -> Definition.Section? {
        sections.first { $0.questions.contains { $0.key == question } }
    }

    // MARK: Found

    /// The half-filled answers, from any device; those that a newer version of the questionnaire accepts.
    static func find(_ target: Fillable, _ c: Context<some Sendable>) throws -> Answering {
        let (known, older) = try c.read { connection -> (DraftAnswers?, ID<DraftSubject>?) in
            if let link = target.link { return (try link.draft(connection), nil) }
            let known = try DraftKeeping.current(target.draft, of: target.account, c.keys, connection)
            if known != nil || target.draft.text != target.questionnaire.id.text { return (known, nil) }
            for version in try QuestionnaireStore.versions(target.questionnaire.key, connection)
            where version.id != target.questionnaire.id {
                let subject: ID<DraftSubject> = ID(version.id)
                let old = try DraftKeeping.current(subject, of: target.account, c.keys, connection)
                if let old, !old.isEmpty { return (old.kept(where: target.definition.takes), subject) }
            }
            return (nil, nil)
        }
        var draft = known ?? DraftAnswers()
        draft.sheet = draft.sheet ?? c.newID()
        draft.startedAt = draft.startedAt ?? Instant(milliseconds: c.now.seconds * 1000)
        return Answering(target: target, draft: draft, older: older)
    }
}

extension QuestionnaireDefinition {
    /// Whether this can be the answer to a question, regardless of the others.
    @Sendable func takes(_ key: String, _ answer: Answer) -> Bool {
        (try? readAnswers(.object([JSON.Member(key, JSON(answer))]), isHalf: true)) != nil
    }
}

/// The input of one section's form: only its changes, so that answers of another device since it was drawn stay.
struct AnswerInput: Sendable {
    private(set) var changes: [String: DraftAnswers.Change] = [:]
    private(set) var errors = FieldErrors()
    /// Input that cannot be an answer, as typed.
    private(set) var typed: [Form.Field] = []
    /// The section of the form.
    let part: String
    /// The id of the form's future sheet, and when filling in began.
    let sheet: ID<ContributionRecord>?
    let startedAt: Instant?
    /// Whether it was drawn with another version of the questionnaire.
    let isOtherVersion: Bool

    init(_ form: Form, _ target: Fillable, now: Instant) {
        let definition = target.definition
        part = form["part"] ?? ""
        sheet = ID(uuid: form["id"])
        startedAt = form["started_at"].flatMap { Instant($0) }.flatMap { $0 <= now ? $0 : nil }
        isOtherVersion = form["version"].map { $0 != target.questionnaire.id.text } ?? false
        let was = Self.answers(form["was"], definition)
        let json = PhoneAnswers.read(form, definition)
        for question in definition.sections.first(where: { $0.key == part })?.questions ?? [] {
            let key = question.key
            if form["action"] == "clear:\(key)" {
                changes[key] = .init(nil)
                continue
            }
            let value = json[key]
            do {
                let one = JSON.object(value.map { [JSON.Member(key, $0)] } ?? [])
                let answer = try definition.readAnswers(one, isHalf: true)[key]
                if answer != was[key] { changes[key] = .init(answer) }
            } catch {
                errors.add(error)
                typed += form.fields.filter { $0.name == "answers.\(key)" }
            }
        }
    }

    /// The values the form showed when it was drawn.
    private static func answers(_ text: String?, _ definition: QuestionnaireDefinition) -> Answers {
        guard let text, let json = try? JSON.parse(Array(text.utf8)), case .object(let members) = json else {
            return [:]
        }
        return members.reduce(into: [:]) { $0[$1.key] = Answer($1.value) }
    }
}
