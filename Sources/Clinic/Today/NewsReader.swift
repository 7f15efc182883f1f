import Contributions
import Database
import Delivery
import Identity
import Instruments
import Questionnaires
import Records
import Rules
import Scheduling
import Templates
import Therapies
import Web
import Wire
import Wording

/// New data since the last visit, patient by patient, with the results themselves (PR-9), sorted by weight (PR-35). A
/// fixed number of statements for any number of patients, from stored scores alone.
struct NewsReader {
    private let c: Context<Member>
    private let therapies: [Therapy]
    private let names: PatientNames

    /// The number of days; nothing older is news.
    static let days: Int64 = 14
    private static let mostSheets = 5000
    private static let mostResults = 2

    init(_ therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>) {
        self.c = c
        self.names = names
        self.therapies = therapies
    }

    /// What is known of one patient's news before it is put into words.
    private struct Person {
        let therapy: Therapy
        let sheets: [RecentContribution]
        let dailies: [NewDaily]
        let results: [ResultView]
        /// New sheets without a result.
        let others: [RecentContribution]
        let unseen: Int

        var at: Instant {
            max(sheets.first?.completedAt ?? .distantPast, dailies.first?.at ?? .distantPast)
        }

        /// What has to be seen, then reliable worsening, then other reliable changes since the last session.
        var weight: Int {
            if unseen > 0 { return 3 }
            if results.contains(where: \.isWorse) { return 2 }
            return results.contains(where: \.hasMoved) ? 1 : 0
        }
    }

    /// All news: by weight, then the newest first.
    /// - Parameter until: news that came in later is left out.
    func read(until: Instant = .distantFuture, _ connection: borrowing Connection) throws -> [TodayPages.Show
        .News]
    {
        let moods = try MoodFormatter(c, connection)
        let people = try people(until: until, connection)
        // Only the newest day of each is summed.
        let days = people.compactMap { $0.dailies.map(\.at).max() }.map { LocalTime($0, c.dates.zone).date }
        let delivered =
            try days.min().map { first in
                try AskedStore.dailies(
                    ofTherapist: c.proof.account.id, from: first, until: c.now, zone: c.dates.zone, connection
                )
            } ?? [:]
        return try people.map { person in
            try news(person, delivered: delivered[person.therapy.id] ?? [:], moods, connection)
        }
    }

    /// The patients with nothing but unremarkable news, for setting it aside.
    func unremarkable(until: Instant, _ connection: borrowing Connection) throws -> [ID<Therapy>] {
        try people(until: until, connection).filter { $0.weight == 0 }.map(\.therapy.id)
    }

    private func people(until: Instant, _ connection: borrowing Connection) throws -> [Person] {
        let therapist = c.proof.account.id
        let since = c.now.adding(days: -Self.days)
        let sheets = Dictionary(
            grouping: try ContributionStore.news(
                ofTherapist: therapist, since: since, until: until, limit: Self.mostSheets, connection),
            by: \.therapy)
        let dailies = Dictionary(
            grouping: try ContributionStore.newDailies(
                ofTherapist: therapist, since: since, until: until, connection),
            by: \.therapy)
        let unseen = try AlertStore.unseen(ofTherapist: therapist, connection)
        let measured = therapies.filter { sheets[$0.id] != nil }
        let held = try SessionStore.lastHeld(of: measured, ofTherapist: therapist, at: c.now, connection)
        let versions = Set(sheets.values.joined().map(\.questionnaireID))
        let keys = try versions.compactMap {
            try QuestionnaireStore.find($0, c.services.questionnaires, connection)?.key
        }
        let series = try LeadScales.abridged(
            of: measured, held: held.mapValues(\.endsAt), only: Set(keys), zone: c.dates.zone,
            c.services.questionnaires, connection)
        let people = try therapies.compactMap { therapy -> Person? in
            let own = sheets[therapy.id] ?? []
            let answers = dailies[therapy.id] ?? []
            if own.isEmpty, answers.isEmpty { return nil }
            let known = Dictionary(grouping: own, by: \.id)
            var results: [ResultView] = []
            var told: Set<String> = []
            for series in series[therapy.id] ?? [] {
                guard let last = series.points.last, known[last.id] != nil,
                    let change = ScoreChange(
                        series, startedOn: therapy.startedOn, after: held[therapy.id], zone: c.dates.zone),
                    let result = ResultView(series, change, of: therapy, c.texts)
                else { continue }
                results.append(result)
                told.insert(series.questionnaire.key)
            }
            let others = try own.filter { sheet in
                try QuestionnaireStore.find(sheet.questionnaireID, c.services.questionnaires, connection)
                    .map { !told.contains($0.key) } ?? false
            }
            return Person(
                therapy: therapy, sheets: own, dailies: answers, results: results, others: others,
                unseen: unseen[therapy.id] ?? 0)
        }
        return people.sorted { first, second in
            if first.weight != second.weight { return first.weight > second.weight }
            return (first.at, second.therapy.id) > (second.at, first.therapy.id)
        }
    }

    // MARK: Words

    private func news(
        _ person: Person, delivered: [LocalDate: AskedStore.Count], _ moods: MoodFormatter,
        _ connection: borrowing Connection
    ) throws -> TodayPages.Show.News {
        let name = try names[person.therapy.id]
        var lines: [WrittenText] = []
        if person.results.isEmpty, let sheet = person.others.first,
            let questionnaire = try QuestionnaireStore.find(
                sheet.questionnaireID, c.services.questionnaires, connection)
        {
            let basis = c.texts.count("contributions.items", sheet.answered, of: sheet.asked)
            lines.append(questionnaire.written(on: c.language).followed(by: ", \(basis)"))
        }
        let shown = person.results.prefix(Self.mostResults)
        let rest = person.sheets.count - max(shown.count, lines.count)
        if rest > 0 { lines.append(WrittenText(c.texts.count("today.more_sheets", rest))) }
        if let days = days(person.dailies, delivered, moods) { lines.append(WrittenText(days)) }
        return TodayPages.Show.News(
            when: when(person.sheets.first, person.at), id: person.therapy.id,
            codename: person.therapy.codename, alias: name?.alias, path: "\(person.therapy.path)/timeline",
            results: Array(shown), lines: lines, weight: person.weight)
    }

    /// The newest day summed: how many of how many, how often the therapy came to mind, and how that felt.
    private func days(
        _ dailies: [NewDaily], _ delivered: [LocalDate: AskedStore.Count], _ moods: MoodFormatter
    ) -> String? {
        let byDay = Dictionary(grouping: dailies) { LocalTime($0.at, c.dates.zone).date }
        guard let day = byDay.keys.max(), let answers = byDay[day] else { return nil }
        let asked = max(delivered[day]?.asked ?? 0, answers.count)
        let count = c.texts.count("today.dailies", answers.count, of: asked)
        var words = ["\(c.dates.shortDay(day)): \(count)"]
        words += moods.sum(thoughts: answers.count(where: \.isThought), answers.compactMap(\.feeling))
        if byDay.count > 1 { words.append(c.texts.count("today.more_days", byDay.count - 1)) }
        return words.joined(separator: " · ")
    }

    /// In the patient's own time where it differs, and then labelled.
    private func when(_ sheet: RecentContribution?, _ at: Instant) -> String {
        guard let sheet, sheet.completedAt == at else { return c.dates.short(at) }
        return c.local(at, in: sheet.timezone) { $0.short(at) }
    }
}
