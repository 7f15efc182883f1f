import Agenda
import Contributions
import Database
import Delivery
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Questionnaires
import Records
import Rules
import Web
import Wire
import Wording

/// Filling in step by step: each step is kept as a draft, the whole is sent through `Submitting`.
enum AnswerFlow {
    /// The result of a step.
    enum Screen {
        case section(AnswerPages.Show, status: Int)
        case review(AnswerPages.Review, status: Int)
        case closed(AnswerPages.Closed, status: Int)
        case sent(AnswerPages.Sent)
        case leads(String, flash: Message? = nil)
    }

    static func show(_ target: Fillable, _ c: Context<some Sendable>) throws -> Screen {
        let now = try Answering.find(target, c)
        if let closed = target.closed {
            return .closed(try now.page(closed: closed, now.answers, c), status: 200)
        }
        let part = c.request.query["part"]
        if part == "review" { return .review(now.review(c), status: 200) }
        guard let section = now.section(part) ?? now.next else { return .review(now.review(c), status: 200) }
        let isBegun = part == nil && !now.draft.isEmpty
        let key = now.older == nil ? "answering.goes_on" : "answering.renewed"
        return .section(try now.page(section, notice: isBegun ? c.texts[key] : nil, c), status: 200)
    }

    /// Stores the answers of a sent form, then goes where the button leads.
    static func step(_ target: Fillable, _ c: Context<some Sendable>) throws -> Screen {
        let form = try c.form()
        let input = AnswerInput(form, target, now: c.now)
        var now = try Answering.find(target, c)
        // Sent twice: harmless. Typed on a second device after the first had sent: reported, because it does not count.
        if let sheet = input.sheet, let screen = try sent(sheet, target, c) {
            if try now.isHeld(input, by: sheet, c) { return screen }
            return .closed(try now.page(closed: .done(sheet), now.with(input, c).answers, c), status: 409)
        }
        if now.draft.items.isEmpty, let sheet = input.sheet {
            now.draft.sheet = sheet
            now.draft.startedAt = input.startedAt ?? now.draft.startedAt
        }
        if let closed = target.closed {
            return .closed(try now.page(closed: closed, now.with(input, c).answers, c), status: 409)
        }
        if case .assignment(let id) = target.reason { try Fetching.noteOpened(id, of: target.account.id, c) }
        do {
            now.draft = try keep(input, now, c)
        } catch let problem as Problem where problem.status == 409 {
            return try refusal(problem, now.with(input, c), c)
        }
        if input.isOtherVersion {
            let notice = c.texts["answering.renewed"]
            guard let section = now.section(input.part) ?? now.next else {
                return .review(now.review(notice: notice, c), status: 409)
            }
            return .section(try now.page(section, notice: notice, c), status: 409)
        }
        if !input.errors.isEmpty, let section = now.section(input.part) {
            return .section(try now.page(section, input, c), status: 422)
        }
        return try goOn(form, from: input.part, now, c)
    }

    private static func keep(
        _ input: AnswerInput, _ now: Answering, _ c: Context<some Sendable>
    ) throws -> DraftAnswers {
        let target = now.target
        if let link = target.link {
            return try link.keep(input.changes, in: target, begin: now.draft, c)
        }
        return try DraftKeeping.keep(
            input.changes, for: target.draft, of: target.account, from: now.older, begin: now.draft, c,
            proves: target.prove)
    }

    private static func goOn(
        _ form: Form, from part: String, _ now: Answering, _ c: Context<some Sendable>
    ) throws -> Screen {
        let path = now.target.path
        let to = { (section: QuestionnaireDefinition.Section?) in
            Screen.leads(path + "?part=" + (section.map { percentEncoded($0.key) } ?? "review"))
        }
        switch form["action"] ?? "next" {
        case "send":
            let kinds = ["gps", "microphone"].filter { form["sensors.\($0)"] == refused }
            return try send(now, form, refused: now.target.isLink ? [] : kinds, c)
        case "later":
            return .leads(now.target.home, flash: Message("answering.kept"))
        case "back": return to(now.section(-1, from: part) ?? now.sections.first)
        case "review": return to(nil)
        case let clear where clear.hasPrefix("clear:"):
            return .leads(now.path(to: String(clear.dropFirst("clear:".count))))
        default: return to(now.section(1, from: part))
        }
    }

    // MARK: Sending

    /// A script's value when it was not allowed to measure.
    private static let refused = "refused"
    /// A script's measurements from the form, in the API's shape; text that is no JSON is an invalid reading.
    private static func readings(_ form: Form, _ now: Answering) -> [JSON.Member] {
        if now.target.isLink { return [] }
        return ["gps", "microphone"].compactMap { kind in
            guard let text = form["sensors.\(kind)"], !text.isEmpty, text != refused else { return nil }
            return JSON.Member(kind, (try? JSON.parse(Array(text.utf8))) ?? .string(text))
        }
    }

    private static func send(
        _ now: Answering, _ form: Form, refused: [String], _ c: Context<some Sendable>
    ) throws -> Screen {
        let open = now.missing(isRequired: true).count
        guard open == 0, let sheet = now.draft.sheet else {
            return .review(now.review(notice: c.texts.count("answering.missing", open), c), status: 422)
        }
        let target = now.target
        let json = body(now, sheet, form, refused, c)
        do {
            let submission = try Submission.read(InputReader(json: json), zone: target.account.timezone)
            let taken = try Submitting.take(
                submission, json, id: sheet, of: target.account, in: target.isLink ? .link : .browser, c,
                proof: target.link?.send)
            return .leads("\(target.path)/sent?sheet=\(taken.id)")
        } catch let problem as Problem {
            // A double tap: the other request was faster.
            if let screen = try sent(sheet, target, c) { return screen }
            for field in ["answers", "sensors"] where problem.status == 422 {
                if problem.errors.list.contains(where: { $0.field.hasPrefix(field) }) {
                    return .review(now.review(notice: c.texts["answering.unfit_\(field)"], c), status: 422)
                }
            }
            return try refusal(problem, now, c)
        } catch let errors as FieldErrors {
            let notice = errors.list.first.map { c.texts[$0.message] }
            return .review(now.review(notice: notice, c), status: 422)
        }
    }

    /// The body that an app would send.
    private static func body(
        _ now: Answering, _ sheet: ID<ContributionRecord>, _ form: Form, _ refused: [String],
        _ c: Context<some Sendable>
    ) -> JSON {
        let shown = now.shown
        let readings = readings(form, now)
        var members: [JSON.Member] = []
        switch now.target.reason {
        case .assignment(let id): members.append(.init("assignment_id", .string(id.text)))
        case .study(let study, let version):
            members += now.target.named(version, in: study)
        case .daily, .paper: break
        }
        let began = min(now.draft.startedAt ?? c.now, c.now)
        let times = now.definition.questions.compactMap { question -> JSON.Member? in
            guard shown[question.key] != nil, let item = now.draft.items[question.key] else { return nil }
            return JSON.Member(question.key, .string(item.at.text))
        }
        members += [
            .init("started_at", .string(began.text)), .init("completed_at", .string(c.now.text)),
            .init("timezone", .string(form.zone(of: now.target.account).told)),
            .init("answers", PhoneAnswers.json(shown, now.definition)),
            .init("answered_at", .object(times)),
        ]
        if !readings.isEmpty { members.append(.init("sensors", .object(readings))) }
        if !refused.isEmpty {
            members.append(.init("sensors_refused", .array(refused.map { .string($0) })))
        }
        return .object(members)
    }

    /// The screen for a sheet that was stored already.
    private static func sent(
        _ sheet: ID<ContributionRecord>?, _ target: Fillable, _ c: Context<some Sendable>
    ) throws -> Screen? {
        guard let sheet else { return nil }
        let known = try c.read { try ContributionStore.find(sheet, of: target.account.id, $0) }
        return known.map { .leads("\(target.path)/sent?sheet=\($0.id)") }
    }

    private static func refusal(
        _ problem: Problem, _ now: Answering, _ c: Context<some Sendable>
    ) throws -> Screen {
        // Another device was faster.
        if problem.message.key == "answers.already_answered", case .assignment(let id) = now.target.reason {
            let sheet = try c.read {
                try ContributionStore.find(answering: id, of: now.target.account.id, $0)
            }
            return .closed(try now.page(closed: .done(sheet?.id), now.answers, c), status: problem.status)
        }
        let field = problem.errors.list.first { ["completed_at", "event_id"].contains($0.field) }
        let message = c.texts[field?.message ?? problem.message]
        return .closed(now.page(refused: message, now.answers, c), status: problem.status)
    }

    // MARK: Sent

    /// - Parameter proves: whether the sheet may be shown.
    static func thanks(
        _ target: Fillable, _ c: Context<some Sendable>, where proves: (ContributionRecord) -> Bool
    ) throws -> Screen {
        let id = ID<ContributionRecord>(uuid: c.request.query["sheet"])
        let account = target.account.id
        let found = try id.flatMap { id in try c.read { try ContributionStore.find(id, of: account, $0) } }
        guard let found, proves(found) else { return .leads(target.path) }
        let serious = try found.mustBeSeen || c.read { try isSerious(found, c, $0) }
        let language = target.definition.language(asked: c.languages)
        return .sent(
            AnswerPages.Sent(
                title: target.questionnaire.title(c.languages), contentLanguage: language,
                outro: target.definition.outro?[language], isSerious: serious,
                home: target.isLink ? nil : target.home,
                done: target.isLink ? target.path + "/done" : nil))
    }

    /// Whether the sheet raised an alert, or is beyond a cut-off.
    private static func isSerious(
        _ sheet: ContributionRecord, _ c: Context<some Sendable>, _ connection: borrowing Connection
    ) throws -> Bool {
        if let therapy = sheet.therapyID, try AlertStore.isRaised(by: sheet.id, in: therapy, connection) {
            return true
        }
        let cache = c.services.questionnaires
        guard let record = try QuestionnaireStore.find(sheet.questionnaireID, cache, connection) else {
            return false
        }
        let scores = try ContributionStore.scores(of: [sheet.id], account: sheet.accountID, connection)
        return (scores[sheet.id] ?? []).contains { score in
            guard let value = score.value,
                let scale = record.definition.scales.first(where: { $0.key == score.scale })
            else { return false }
            return scale.isBurdened(value) ?? false
        }
    }
}
