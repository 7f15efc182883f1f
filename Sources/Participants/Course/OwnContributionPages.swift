import Contributions
import Database
import HTTP
import Identity
import Instruments
import Intake
import JSON
import Questionnaires
import Records
import Scheduling
import Templates
import Web
import Wire
import Wording

/// The own filled-in questionnaires (TYS-9), each as sent: readable after a therapy and a study, too.
package enum OwnContributionPages {
    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/my/contributions", .patient, index)
        routes.page(.get, "/my/contributions/:contribution", .patient, show)
    }

    package struct Entry: Encodable, Sendable {
        package let id: ID<ContributionRecord>
        package let title: WrittenText
        package let when: String
        package let answered: String
    }

    package struct Index: Page {
        package static let template = "my/contributions"
        package static let section: NavigationItem? = .more
        package let count: String
        package let entries: [Entry]
        let isFirst: Bool
        let next: String?
    }

    package struct Show: Page {
        package static let template = "my/contribution"
        package static let section: NavigationItem? = .more
        package struct Score: Encodable, Sendable {
            package let title: String
            /// Nil when it cannot be computed; then `basis` says why.
            package let value: String?
            package let range: String?
            package let basis: String
        }
        package struct Part: Encodable, Sendable {
            package let text: String?
            package let lines: [Line]
        }
        package struct Line: Encodable, Sendable {
            package let question: String
            /// Nil without an answer.
            package let answer: String?
        }
        package let title: String
        package let when: String
        package let facts: [String]
        /// The language of the questionnaire, which may differ from the page's.
        package let contentLanguage: String
        package let hasScores: Bool
        package let scores: [Score]
        package let parts: [Part]
        /// The address for continuing a profile (SN-4); nil for a final sheet.
        let profile: String?
    }

    @Sendable static func index(_ c: Context<Member>) throws -> Reply {
        let paging = try Paging(c.request)
        let account = c.proof.account.id
        let page = try c.read { connection -> Index in
            let records = try ContributionStore.page(of: account, paging, connection)
            return Index(
                count: c.texts.count("course.sheets", try ContributionStore.count(of: account, connection)),
                entries: try entries(records.part, c, connection), isFirst: paging.after == nil,
                next: records.next)
        }
        return .page(page)
    }

    static func entries(
        _ records: [ContributionRecord], _ c: Context<Member>, _ connection: borrowing Connection
    ) throws -> [Entry] {
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        return try records.compactMap { record in
            let questionnaire = try QuestionnaireStore.find(
                record.questionnaireID, c.services.questionnaires, connection)
            guard let questionnaire else { return nil }
            return Entry(
                id: record.id, title: questionnaire.written(c.languages, on: c.language),
                when: dates.short(record.completedAt),
                answered: answered(record, c.texts))
        }
    }

    private static func answered(_ record: ContributionRecord, _ texts: Texts) -> String {
        texts["contributions.answered", ["n": String(record.answered), "of": String(record.asked)]]
    }

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let id: ID<ContributionRecord> = try c.id("contribution")
        let account = c.proof.account
        let page = try c.read { connection -> Show? in
            guard let record = try ContributionStore.find(id, of: account.id, connection),
                let questionnaire = try QuestionnaireStore.find(
                    record.questionnaireID, c.services.questionnaires, connection)
            else { return nil }
            let scores = try ContributionStore.scores(of: [id], account: account.id, connection)[id] ?? []
            return try make(
                record, questionnaire, scores, try profile(record, questionnaire, c, connection), c)
        }
        guard let page else { throw Problem.notFound }
        return .page(page)
    }

    private static func profile(
        _ record: ContributionRecord, _ questionnaire: QuestionnaireRecord, _ c: Context<Member>,
        _ connection: borrowing Connection
    ) throws -> String? {
        guard questionnaire.definition.mode == .living else { return nil }
        let all = try ProfileTarget.all(
            of: c.proof.account, c.services.questionnaires, at: c.now, connection)
        return try all.first { try $0.isOpen && $0.sheet(connection)?.id == record.id }?.path
    }

    private static func make(
        _ record: ContributionRecord, _ questionnaire: QuestionnaireRecord, _ scores: [ScaleScore],
        _ profile: String?, _ c: Context<Member>
    ) throws -> Show {
        let definition = questionnaire.definition
        let json = try JSON.parse(try record.answers(try c.proof.account.key(c.keys)).bytes)
        let answers = (try? definition.readAnswers(json)) ?? [:]
        let language = definition.language(asked: c.languages)
        let dates = c.dates(in: Zone(c.proof.account.timezone))
        // Hidden questions were not asked.
        let parts = definition.visibleSections(answers).map { section in
            Show.Part(
                text: section.text[language].flatMap { $0.isEmpty ? nil : $0 },
                lines: section.questions.map { question in
                    Show.Line(
                        question: question.text[language] ?? question.key,
                        answer: answers[question.key].map {
                            ContributionPages.words($0, question, language, c.texts, dates)
                        })
                })
        }
        return Show(
            title: questionnaire.title(c.languages), when: dates.dayAndTime(record.completedAt),
            facts: facts(record, c.texts), contentLanguage: language, hasScores: !scores.isEmpty,
            scores: scores.map { line($0, definition, language, dates, c.texts) }, parts: parts,
            profile: profile)
    }

    private static func line(
        _ score: ScaleScore, _ definition: QuestionnaireDefinition, _ language: String, _ dates: DateFormat,
        _ texts: Texts
    ) -> Show.Score {
        let scale = definition.scales.first { $0.key == score.scale }
        let charting = CourseCharting(texts: texts, dates: dates)
        return Show.Score(
            title: scale?.title[language] ?? score.scale, value: score.value.map { texts.number($0) },
            range: charting.reading(scale?.range, higherIsWorse: scale?.higherIsWorse),
            basis: texts[score.basis])
    }

    private static func facts(_ record: ContributionRecord, _ texts: Texts) -> [String] {
        var facts = [answered(record, texts)]
        if record.isPaper { facts.append(texts["course.from_paper"]) }
        if record.isExtra { facts.append(texts["course.extra"]) }
        if !record.sensorsDropped.isEmpty { facts.append(texts["course.sensors_dropped"]) }
        return facts
    }
}
