import Accounts
import Contributions
import Database
import Delivery
import Identity
import Instruments
import JSON
import Psychometrics
import Questionnaires
import Scheduling
import Web
import Wire
import Wording

/// Reads the own course of an account: every scale of every questionnaire, dailies by the week, single questions.
struct CourseReader {
    let c: Context<Member>
    let charting: CourseCharting

    init(_ c: Context<Member>) {
        self.c = c
        charting = CourseCharting(texts: c.texts, dates: c.dates(in: Zone(c.proof.account.timezone)))
    }

    /// A questionnaire with the figures of its scales.
    struct Part {
        let record: QuestionnaireRecord
        let charts: [CourseChart]
        let last: Instant
    }

    /// Every questionnaire but the dailies, the latest filled in first.
    func parts(_ connection: borrowing Connection) throws -> [Part] {
        let cache = c.services.questionnaires
        let account = c.proof.account.id
        let points = Dictionary(
            grouping: try ContributionStore.series(
                of: account, exceptKey: DailyPlan.questionnaireKey, connection), by: \.key)
        var parts: [Part] = []
        for key in try ContributionStore.counts(of: account, connection).keys
        where key != DailyPlan.questionnaireKey {
            guard let record = try QuestionnaireStore.newest(key, cache, connection),
                let last = try ContributionStore.newest(of: account, key: key, limit: 1, connection).first
            else { continue }
            let charts = record.definition.scales.compactMap { scale in
                charting.chart(
                    ScaleSeries(
                        questionnaire: record, scale: scale,
                        points: (points[key] ?? []).filter { $0.score.scale == scale.key }), c.language)
            }
            parts.append(Part(record: record, charts: charts, last: last.completedAt))
        }
        return parts.sorted { ($0.last, $1.record.key) > ($1.last, $0.record.key) }
    }

    // MARK: Dailies

    /// The dailies as means of weeks: how thinking of the therapy felt, and how often it came to mind.
    func dailies(_ connection: borrowing Connection) throws -> [CourseChart] {
        let answers = try ContributionStore.dailies(of: c.proof.account.id, connection)
        guard !answers.isEmpty else { return [] }
        let record = try QuestionnaireStore.newest(
            DailyPlan.questionnaireKey, c.services.questionnaires, connection)
        let texts = c.texts
        let dates = charting.dates
        let weeks = Dictionary(grouping: answers) { answer -> LocalDate in
            let day = LocalTime(answer.at, dates.zone).date
            return day.adding(days: 1 - day.weekday)
        }.sorted { $0.key < $1.key }
        let moods = weeks.compactMap { monday, answers -> CourseCharting.Value? in
            guard let mean = answers.compactMap(\.feeling).mean else { return nil }
            return .init(
                at: dates.zone.instant(monday, hour: 0, minute: 0), number: mean, words: texts.number(mean))
        }
        let thoughts = weeks.map { monday, answers -> CourseCharting.Value in
            let number = answers.count { $0.thought > 0 }
            return .init(
                at: dates.zone.instant(monday, hour: 0, minute: 0),
                number: Double(number) / Double(answers.count) * 100,
                words: texts.percent(number, of: answers.count))
        }
        let definition = record?.definition
        let range = definition?.question("feeling")?.possibleRange ?? 1...5
        let direction = definition?.scales.first { $0.items == ["feeling"] }?.higherIsWorse
        let week = { (at: Instant) in
            texts["course.week", ["day": dates.shortDay(LocalTime(at, dates.zone).date)]]
        }
        return [
            charting.chart(
                "daily-mood", name: texts["charts.mood"], language: c.language.rawValue, range: range,
                reading: charting.reading(range, higherIsWorse: direction), values: moods,
                count: texts.count("course.dailies", answers.count { $0.feeling != nil }), day: week),
            charting.chart(
                "daily-thoughts", name: texts["charts.thoughts"], language: c.language.rawValue,
                range: 0...100, reading: texts["course.share"], values: thoughts,
                count: texts.count("course.dailies", answers.count), day: week),
        ].compactMap(\.self)
    }

    // MARK: Single questions

    /// The questions of one questionnaire that were answered at least twice, with the newest sheets.
    /// - Returns: nil when the account has no sheet of it.
    func items(
        ofKey key: String, _ connection: borrowing Connection
    ) throws -> (record: QuestionnaireRecord, charts: [CourseChart])? {
        let cache = c.services.questionnaires
        let account = c.proof.account
        let sheets = try ContributionStore.newest(
            of: account.id, key: key, limit: Thinning.most, connection)
        guard !sheets.isEmpty, let record = try QuestionnaireStore.newest(key, cache, connection) else {
            return nil
        }
        let personKey = try account.key(c.keys)
        var opened: [(at: Instant, answers: Answers)] = []
        for sheet in sheets.reversed() {
            guard let version = try QuestionnaireStore.find(sheet.questionnaireID, cache, connection) else {
                continue
            }
            let json = try JSON.parse(try sheet.answers(personKey).bytes)
            opened.append((sheet.completedAt, (try? version.definition.readAnswers(json)) ?? [:]))
        }
        let language = record.definition.language(asked: c.languages)
        let charts = record.definition.questions.compactMap { question in
            chart(question, opened, record.key, language)
        }
        return (record, charts)
    }

    private func chart(
        _ question: QuestionnaireDefinition.Question, _ sheets: [(at: Instant, answers: Answers)],
        _ key: String, _ language: String
    ) -> CourseChart? {
        guard let range = question.possibleRange else { return nil }
        let values = sheets.compactMap { sheet -> CourseCharting.Value? in
            guard case .number(let number)? = sheet.answers[question.key] else { return nil }
            let words =
                question.type == .yesNo
                ? c.texts[number == 1 ? "contributions.yes" : "contributions.no"] : c.texts.number(number)
            return .init(at: sheet.at, number: number, words: words)
        }
        guard values.count > 1 else { return nil }
        return charting.chart(
            "\(key)-\(question.key)", name: question.text[language] ?? question.key, language: language,
            range: range, reading: ends(question, range, language), values: values,
            count: c.texts.count("course.answers", values.count), day: charting.dates.short)
    }

    /// `0 „gar nicht“ bis 4 „sehr oft“`.
    private func ends(
        _ question: QuestionnaireDefinition.Question, _ range: ClosedRange<Double>, _ language: String
    ) -> String? {
        if question.type == .yesNo { return nil }
        let end = { (value: Double, label: QuestionnaireDefinition.Text?) -> String in
            let number = c.texts.number(value)
            let words = label ?? question.options.first { $0.value == value }?.text
            guard let words = words?[language], words != number else { return number }
            // Some options begin with their number.
            return words.hasPrefix(number) ? words : "\(number) \(words)"
        }
        return c.texts[
            "course.range",
            [
                "low": end(range.lowerBound, question.minimumLabel),
                "high": end(range.upperBound, question.maximumLabel),
            ]]
    }
}
