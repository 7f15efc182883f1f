import Contributions
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Psychometrics
import Questionnaires
import Records
import Scheduling
import Web
import Wire
import Wording

/// A continued profile on one page, to fill in, change and take back at any time (SN-4).
package enum OwnProfilePages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/profiles/:item", .patient, show)
        routes.page(.post, "/my/profiles/:item", .patient, save)
    }

    package struct Show: Page {
        package static let template = "my/profile"
        package static let section: NavigationItem? = .more

        package struct Part: Encodable, Sendable {
            let key: String
            let text: String?
            let entries: [Entry]
        }
        package struct Entry: Encodable, Sendable {
            let question: PhoneQuestion
            /// The time of the last change; nil for none.
            let changed: String?
        }

        let path: String
        package let title: String
        let contentLanguage: String
        package let progress: String
        let percent: String
        let readers: String
        let intro: String?
        let parts: [Part]
        let isOpen: Bool
        /// The values the form shows, to detect what was changed in it.
        let was: String
        let errors: ErrorSummary?
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        .page(try page(try found(c), typed: nil, FieldErrors(), c))
    }

    /// Only the form's changes are stored, so that answers of another device meanwhile stay.
    @Sendable static func save(_ c: Context<Member>) throws -> Reply {
        let form = try c.form()
        let target = try found(c)
        let definition = target.definition
        var errors = FieldErrors()
        var changes: [String: DraftAnswers.Change] = [:]
        let was = read(form["was"])
        let typed = PhoneAnswers.read(form, definition)
        for question in definition.questions where isShown(question, form) {
            let key = question.key
            if form["action"] == "clear:\(key)" {
                changes[key] = .init(nil)
                continue
            }
            let one = JSON.object(typed[key].map { [JSON.Member(key, $0)] } ?? [])
            do {
                let answer = try definition.readAnswers(one, isHalf: true)[key]
                if answer != was[key] { changes[key] = .init(answer) }
            } catch {
                errors.add(error)
            }
        }
        if !errors.isEmpty { return .page(try page(target, typed: form, errors, c), status: 422) }
        if !changes.isEmpty {
            try ProfileKeeping.keep(changes, in: target, zone: form.zone(of: target.account), c)
        }
        return .seeOther(target.path, flash: Message("profiles.kept"))
    }

    private static func found(_ c: Context<Member>) throws -> ProfileTarget {
        let id: ID<ProfileTarget> = try c.id("item")
        let found = try c.read { connection in
            try ProfileTarget.find(
                id.text, of: c.proof.account, c.services.questionnaires, at: c.now, connection)
        }
        guard let found else { throw Problem.notFound }
        return found
    }

    /// Questions of a section that was hidden when the form was drawn are not in it.
    private static func isShown(_ question: QuestionnaireDefinition.Question, _ form: Form) -> Bool {
        form.all("shown").contains(question.key)
    }

    private static func read(_ text: String?) -> Answers {
        guard let text, let json = try? JSON.parse(Array(text.utf8)), case .object(let members) = json else {
            return [:]
        }
        return members.reduce(into: [:]) { $0[$1.key] = Answer($1.value) }
    }

    // MARK: Drawing

    private static func page(
        _ target: ProfileTarget, typed: Form?, _ errors: FieldErrors, _ c: Context<Member>
    ) throws -> Show {
        let definition = target.definition
        let state = try c.read { try target.state(c.keys, $0) }
        let language = definition.language(asked: c.languages)
        let sections = definition.visibleSections(state.answers)
        let shown = sections.flatMap(\.questions)
        let stored = shown.flatMap { question in
            state.answers[question.key].map { PhoneAnswers.fields($0, to: question, c.texts) } ?? []
        }
        let form = typed ?? Form(stored)
        let draw = PhoneDrawing(form: form, errors: errors, language: language, texts: c.texts)
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        let filled = FormState(Form(), errors, c.texts)
        let parts = sections.map { section in
            Show.Part(
                key: section.key, text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                entries: section.questions.map { question in
                    var drawn = draw.question(question)
                    let item = state.items[question.key]
                    if item?.answer != nil { drawn.clear = c.texts["profiles.take_back"] }
                    filled.name(drawn.name, drawn.text)
                    return Show.Entry(question: drawn, changed: item.map { changed($0, dates, c.texts) })
                })
        }
        let answered = shown.count { state.answers[$0.key] != nil }
        return Show(
            path: target.path, title: target.questionnaire.title(c.languages), contentLanguage: language,
            progress: c.texts.count("answering.progress", answered, of: shown.count),
            percent: String(Share.percent(answered, of: shown.count)),
            readers: c.texts[target.isOfStudy ? "profiles.read_by_study" : "profiles.read_by_practice"],
            intro: definition.intro?[language], parts: parts, isOpen: target.isOpen,
            was: String(
                decoding: try JSONWriter.bytes(of: PhoneAnswers.json(state.answers, definition)),
                as: UTF8.self),
            errors: filled.summary)
    }

    private static func changed(_ item: DraftAnswers.Item, _ dates: DateFormat, _ texts: Texts) -> String {
        texts[
            item.answer == nil ? "profiles.taken_back" : "profiles.changed",
            ["when": dates.short(item.at)]]
    }
}
