import Contributions
import HTTP
import Identity
import Instruments
import JSON
import Psychometrics
import Questionnaires
import Scheduling
import Web
import Wire
import Wording

extension Answering {
    /// The language of the whole questionnaire.
    func language(_ readers: [Language]) -> String { definition.language(asked: readers) }

    private func count(_ c: Context<some Sendable>) -> (text: String, percent: String) {
        let answered = shown.count
        let total = questions.count
        let percent = Share.percent(answered, of: total)
        return (c.texts.count("answering.progress", answered, of: total), String(percent))
    }

    /// - Parameter input: the input, where it could not be accepted.
    func page(
        _ section: Definition.Section, _ input: AnswerInput? = nil, notice: String? = nil,
        _ c: Context<some Sendable>
    ) throws -> AnswerPages.Show {
        let language = language(c.languages)
        let given = section.questions.flatMap { question -> [Form.Field] in
            let typed = input?.typed.filter { $0.name == "answers.\(question.key)" } ?? []
            guard typed.isEmpty else { return typed }
            return answers[question.key].map { PhoneAnswers.fields($0, to: question, c.texts) } ?? []
        }
        let errors = input?.errors ?? FieldErrors()
        let draw = PhoneDrawing(form: Form(given), errors: errors, language: language, texts: c.texts)
        let questions = section.questions.map { question in
            var drawn = draw.question(question)
            drawn.clear = clear(question, c.texts)
            return drawn
        }
        let state = FormState(Form(), errors, c.texts)
        for question in questions { state.name(question.name, question.text) }
        let isFirst = section.key == sections.first?.key
        let text = section.text[language].flatMap { $0.isEmpty ? nil : $0 }
        let counted = count(c)
        let before = self.questions.firstIndex { $0.key == section.questions.first?.key } ?? 0
        let was = answers.filter { answer in section.questions.contains { $0.key == answer.key } }
        var page = AnswerPages.Show(
            path: target.path, title: target.questionnaire.title(c.languages), contentLanguage: language,
            progress: counted.text, percent: counted.percent, due: due(c),
            intro: isFirst ? definition.intro?[language] : nil, part: section.key,
            layout: section.layout?.rawValue,
            isStepwise: section.isStepwise, before: String(before), of: String(self.questions.count),
            hasCall: section.hasCall, text: text,
            questions: questions, isAlone: questions.count == 1,
            hasRequired: definition.mode == .sheet && questions.contains { $0.isRequired }, isFirst: isFirst,
            id: draft.sheet ?? c.newID(), startedAt: (draft.startedAt ?? c.now).text,
            version: target.questionnaire.id,
            was: String(
                decoding: try JSONWriter.bytes(of: PhoneAnswers.json(was, definition)), as: UTF8.self),
            notice: notice, errors: state.summary, sensors: sensors(c.texts))
        page.permissions = permissions
        return page
    }

    func review(notice: String? = nil, _ c: Context<some Sendable>) -> AnswerPages.Review {
        let language = language(c.languages)
        let missing = { (isRequired: Bool) in
            self.missing(isRequired: isRequired).map { question in
                AnswerPages.Review.Missing(
                    text: question.text[language] ?? question.key, path: path(to: question.key))
            }
        }
        let counted = count(c)
        let required = missing(true)
        let optional = missing(false)
        var page = AnswerPages.Review(
            path: target.path, title: target.questionnaire.title(c.languages), contentLanguage: language,
            progress: counted.text, percent: counted.percent, required: required,
            hasRequired: !required.isEmpty, first: required.first?.path, optional: optional,
            hasOptional: !optional.isEmpty,
            back: sections.last.map { target.path + "?part=\(percentEncoded($0.key))#end" } ?? target.path,
            id: draft.sheet ?? c.newID(), startedAt: (draft.startedAt ?? c.now).text,
            version: target.questionnaire.id,
            // Before it can be sent nothing is measured.
            sensors: required.isEmpty
                ? target.sensors.map { kind in
                    AnswerPages.Review.Sensor(
                        kind: kind, take: c.texts["answering.take_\(kind)"],
                        taken: c.texts["answering.taken_\(kind)"], about: c.texts["answering.about_\(kind)"])
                } : [], notice: notice)
        page.permissions = permissions
        return page
    }

    func path(to question: String) -> String {
        let part = section(of: question).map { "?part=\(percentEncoded($0.key))" } ?? ""
        return target.path + part + "#answers.\(percentEncoded(question))"
    }

    /// Without a script radio buttons cannot be deselected, and an untouched slider gives no answer.
    private func clear(_ question: Definition.Question, _ texts: Texts) -> String? {
        switch question.type {
        case .single, .yesNo, .sam: texts["answering.clear"]
        case .slider: texts["answering.no_answer"]
        default: nil
        }
    }

    private func due(_ c: Context<some Sendable>) -> String? {
        guard let due = target.due, due.at < c.now.adding(days: 60) else { return nil }
        let dates = c.dates(in: Zone(target.account.timezone))
        return c.texts.closing(due, dates, in: "answering.due")
    }

    private func sensors(_ texts: Texts) -> String? {
        guard !target.sensors.isEmpty else { return nil }
        let names = target.sensors.map { texts["answering.sensor_\($0)"] }
        return texts["answering.sensors", ["names": names.joined(separator: ", ")]]
    }

    /// Permits the sensors that the questionnaire asks for and the person has switched on, and no others.
    private var permissions: String? {
        guard !target.sensors.isEmpty else { return nil }
        let microphone = target.sensors.contains("microphone") ? "(self)" : "()"
        let position = target.sensors.contains("gps") ? "(self)" : "()"
        return "camera=(), microphone=\(microphone), geolocation=\(position)"
    }
}
