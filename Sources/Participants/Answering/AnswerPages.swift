import HTTP
import Identity
import Instruments
import JSON
import Questionnaires
import Records
import Responses
import Scheduling
import Web
import Wire
import Wording

/// The screens of a questionnaire: a section, what is missing, why it cannot be filled in, and that it was sent.
package enum AnswerPages {
    /// One section.
    package struct Show: Page {
        package static let template = "my/answer"
        package static let section: NavigationItem? = .my

        let path: String
        package let title: String
        let contentLanguage: String
        package let progress: String
        let percent: String
        let due: String?
        /// What is said above the first section.
        let intro: String?
        let part: String
        package let text: String?
        package let questions: [PhoneQuestion]
        let isAlone: Bool
        let hasRequired: Bool
        let isFirst: Bool
        let id: ID<ContributionRecord>
        let startedAt: String
        let version: ID<QuestionnaireVersion>
        /// What the form shows, so that it can be told what was changed in it.
        let was: String
        package let notice: String?
        package let errors: ErrorSummary?
        let sensors: String?
        package var permissions: String?

        private enum CodingKeys: String, CodingKey {
            case path, title, contentLanguage, progress, percent, due, intro, part, text, questions, isAlone
            case hasRequired, isFirst, id, startedAt, version, was, notice, errors, sensors
        }

        package static let example = Show(
            path: "/my/assignments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Zwischen den Sitzungen",
            contentLanguage: "de", progress: "5 von 8", percent: "62", due: "bis Di, 9:00",
            intro: "Bitte denken Sie an die Zeit seit der letzten Sitzung.", part: "s1",
            text: "Seit der letzten Sitzung", questions: [.example], isAlone: true, hasRequired: true,
            isFirst: false, id: "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01", startedAt: "2026-11-20T09:00:00Z",
            version: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", was: "{}", notice: nil, errors: nil,
            sensors: "Standort")
    }

    /// What is missing, before it is sent.
    package struct Review: Page {
        package static let template = "my/answer-review"
        package static let section: NavigationItem? = .my

        package struct Missing: Encodable, Sendable {
            let text: String
            let path: String
        }

        let path: String
        package let title: String
        let contentLanguage: String
        let progress: String
        let percent: String
        package let required: [Missing]
        let hasRequired: Bool
        package let optional: [Missing]
        let hasOptional: Bool
        let back: String
        let id: ID<ContributionRecord>
        let startedAt: String
        let version: ID<QuestionnaireVersion>
        package let notice: String?
        package var permissions: String?

        private enum CodingKeys: String, CodingKey {
            case path, title, contentLanguage, progress, percent, required, hasRequired, optional, hasOptional
            case back, id, startedAt, version, notice
        }

        package static let example = Review(
            path: "/my/assignments/7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a11", title: "Zwischen den Sitzungen",
            contentLanguage: "de", progress: "5 von 8", percent: "62",
            required: [Missing(text: "Wie oft?", path: "/my#answers.q1")], hasRequired: true,
            optional: [Missing(text: "Was noch?", path: "/my#answers.q2")], hasOptional: true, back: "/my",
            id: "0e7b2c44-52b0-4a4c-8a5e-7d3d1f0a9b01", startedAt: "2026-11-20T09:00:00Z",
            version: "7f1f2c1e-6f0e-4b57-9a53-0c6d0f3b0a12", notice: "Es fehlt noch eine Antwort.")
    }

    /// Why it cannot be filled in, or was not taken. What was typed stands there to be read.
    package struct Closed: Page {
        package static let template = "my/answer-closed"
        package static let section: NavigationItem? = .my

        package struct Line: Encodable, Sendable {
            let text: String
            let answer: String
        }

        package let title: String
        let contentLanguage: String
        package let message: String
        package let links: [PageLink]
        package let answers: [Line]
        let hasAnswers: Bool
        /// Nil behind a link: no other page is reached from there.
        let home: String?

        package static let example = Closed(
            title: "Zwischen den Sitzungen", contentLanguage: "de",
            message: "Die Frist für diesen Fragebogen ist vorbei.",
            links: [PageLink(label: "Ausgefüllten Fragebogen ansehen", path: "/my", isCurrent: false)],
            answers: [Line(text: "Wie oft?", answer: "oft")], hasAnswers: true, home: "/my")
    }

    /// It is sent.
    package struct Sent: Page {
        package static let template = "my/answer-sent"
        package static let section: NavigationItem? = .my
        package let title: String
        let contentLanguage: String
        let outro: String?
        /// Whether somebody has to see it: then the numbers to call stand large.
        package let isSerious: Bool
        let home: String?

        package static let example = Sent(
            title: "Zwischen den Sitzungen", contentLanguage: "de", outro: "Danke.", isSerious: true,
            home: "/my")
    }
}

extension Answering {
    /// The language that the whole questionnaire is shown in.
    func language(_ readers: [Language]) -> String { definition.language(asked: readers) }

    private func count(_ c: Context<some Sendable>) -> (text: String, percent: String) {
        let (answered, total) = (shown.count, questions.count)
        let percent = total == 0 ? 0 : answered * 100 / total
        return (c.texts.count("answering.progress", answered, of: total), String(percent))
    }

    /// - Parameter input: what was typed, where it could not be taken.
    func page(
        _ section: Definition.Section, _ input: AnswerInput? = nil, notice: String? = nil,
        _ c: Context<some Sendable>
    ) throws -> AnswerPages.Show {
        let language = language(c.languages)
        let given = section.questions.flatMap { question -> [Form.Field] in
            let typed = input?.typed.filter { $0.name == "answers.\(question.key)" } ?? []
            return typed.isEmpty ? answers[question.key].map { fields(question.key, $0) } ?? [] : typed
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
        let was = answers.filter { answer in section.questions.contains { $0.key == answer.key } }
        var page = AnswerPages.Show(
            path: target.path, title: target.questionnaire.title(c.languages), contentLanguage: language,
            progress: counted.text, percent: counted.percent, due: due(c),
            intro: isFirst ? definition.intro?[language] : nil, part: section.key, text: text,
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
        let (required, optional) = (missing(true), missing(false))
        var page = AnswerPages.Review(
            path: target.path, title: target.questionnaire.title(c.languages), contentLanguage: language,
            progress: counted.text, percent: counted.percent, required: required,
            hasRequired: !required.isEmpty, optional: optional, hasOptional: !optional.isEmpty,
            back: sections.last.map { target.path + "?part=\(percentEncoded($0.key))" } ?? target.path,
            id: draft.sheet ?? c.newID(), startedAt: (draft.startedAt ?? c.now).text,
            version: target.questionnaire.id, notice: notice)
        page.permissions = permissions
        return page
    }

    /// Where a question stands.
    func path(to question: String) -> String {
        let part = section(of: question).map { "?part=\(percentEncoded($0.key))" } ?? ""
        return target.path + part + "#answers.\(percentEncoded(question))"
    }

    private func fields(_ key: String, _ answer: Answer) -> [Form.Field] {
        let values =
            switch answer {
            case .number(let value): [FilePieces.words(value)]
            case .numbers(let values): values.map { FilePieces.words($0) }
            case .text(let text): [text]
            }
        return values.map { Form.Field("answers.\(key)", $0) }
    }

    /// Radio buttons cannot be let go of without a script, and a slider says nothing when it is not touched.
    private func clear(_ question: Definition.Question, _ texts: Texts) -> String? {
        switch question.type {
        case .single, .yesNo, .sam: texts["answering.clear"]
        case .slider: texts["answering.no_answer"]
        default: nil
        }
    }

    private func due(_ c: Context<some Sendable>) -> String? {
        guard let due = target.due, due < c.now.adding(days: 60) else { return nil }
        let dates = c.dates(in: Zone(target.account.timezone))
        return c.texts["answering.due", ["when": dates.short(due)]]
    }

    private func sensors(_ texts: Texts) -> String? {
        guard !target.sensors.isEmpty else { return nil }
        let names = target.sensors.map { texts["answering.sensor_\($0)"] }
        return texts["answering.sensors", ["names": names.joined(separator: ", ")]]
    }

    /// The browser's doors to the sensors that the questionnaire asks for and the person has switched on, and no other.
    private var permissions: String? {
        guard !target.sensors.isEmpty else { return nil }
        let microphone = target.sensors.contains("microphone") ? "(self)" : "()"
        let position = target.sensors.contains("gps") ? "(self)" : "()"
        return "camera=(), microphone=\(microphone), geolocation=\(position)"
    }
}
