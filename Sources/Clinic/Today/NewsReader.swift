import Database
import Identity
import Instruments
import Questionnaires
import Records
import Responses
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// What came in since the last look, a patient at a time, with the results themselves (PR-9).
struct NewsReader {
    private let c: Context<Member>
    private let byID: [ID<Therapy>: Therapy]
    private let names: PatientNames

    /// Nothing older is news.
    static let days: Int64 = 14
    private static let mostSheets = 200
    private static let mostPatients = 20
    private static let mostLines = 3
    private static let mostDays = 2

    init(_ therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>) {
        self.c = c
        self.names = names
        byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
    }

    /// What came in, the newest first, and how many patients are left out.
    func read(
        _ connection: borrowing Connection
    ) throws -> (news: [TodayPages.Show.News], left: Int, files: [ID<Therapy>]) {
        let therapist = c.proof.account.id
        let since = c.now.adding(days: -Self.days)
        let sheets = Dictionary(
            grouping: try ContributionStore.news(
                ofTherapist: therapist, since: since, limit: Self.mostSheets, connection), by: \.therapy)
        let dailies = Dictionary(
            grouping: try ContributionStore.newDailies(ofTherapist: therapist, since: since, connection),
            by: \.therapy)
        let people = Set(sheets.keys).union(dailies.keys).map { therapy in
            (
                therapy: therapy,
                at: max(
                    sheets[therapy]?.first?.completedAt ?? .distantPast,
                    dailies[therapy]?.first?.at ?? .distantPast)
            )
        }.sorted { ($0.at, $1.therapy) > ($1.at, $0.therapy) }
        let moods = try MoodWords(c, connection)
        let shown = people.prefix(Self.mostPatients)
        let news = try shown.compactMap { person -> TodayPages.Show.News? in
            guard let therapy = byID[person.therapy] else { return nil }
            let lines =
                try self.lines(sheets[therapy.id] ?? [], of: therapy, connection)
                + days(dailies[therapy.id] ?? [], of: therapy, moods, connection)
            let name = try names[therapy.id]
            return TodayPages.Show.News(
                when: when(sheets[therapy.id]?.first, person.at), id: therapy.id, codename: therapy.codename,
                alias: name?.alias, path: "/patients/\(therapy.id)/timeline", lines: lines)
        }
        return (news, people.count - shown.count, shown.map(\.therapy))
    }

    // MARK: Questionnaires

    private func lines(
        _ sheets: [RecentContribution], of therapy: Therapy, _ connection: borrowing Connection
    ) throws -> [TodayPages.Show.NewsLine] {
        if sheets.isEmpty { return [] }
        let series = try LeadScales.all(of: therapy, c.services.questionnaires, connection)
        let sessions = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        var lines = try sheets.prefix(Self.mostLines).compactMap { sheet -> TodayPages.Show.NewsLine? in
            guard
                let questionnaire = try QuestionnaireStore.find(
                    sheet.questionnaireID, c.services.questionnaires, connection)
            else { return nil }
            let path = "/patients/\(therapy.id)/contributions/\(sheet.id)"
            let own = series.first { $0.points.contains { $0.id == sheet.id } }
            guard let own, let point = own.points.first(where: { $0.id == sheet.id }) else {
                let basis = c.texts.count("contributions.items", sheet.answered, of: sheet.asked)
                return TodayPages.Show.NewsLine(
                    text: questionnaire.title(c.language), path: path, detail: basis)
            }
            return line(own, point, path, sessions, therapy)
        }
        if sheets.count > Self.mostLines {
            lines.append(.init(rest: c.texts.count("today.more_sheets", sheets.count - Self.mostLines)))
        }
        return lines
    }

    /// The value of the lead scale, and what changed where it is the newest one, each change with the verdict on it.
    private func line(
        _ series: ScaleSeries, _ point: ScorePoint, _ path: String, _ sessions: SessionList,
        _ therapy: Therapy
    ) -> TodayPages.Show.NewsLine {
        let words = ScoreFormatter(texts: c.texts)
        let value = words.ofRange(point.score.value ?? 0, series.scale)
        let change = ScoreChange(
            series, startedOn: therapy.startedOn, since: sessions.last, zone: c.dates.zone)
        let isNewest = change?.last.id == point.id
        return TodayPages.Show.NewsLine(
            text: "\(series.name(c.language)): \(value)", path: path,
            changes: isNewest ? change.map { words.changes($0, series.scale) } ?? [] : [])
    }

    // MARK: Dailies

    /// Summed by day: how many of how many, how often the therapy came to mind, and how that felt.
    private func days(
        _ dailies: [NewDaily], of therapy: Therapy, _ moods: MoodWords,
        _ connection: borrowing Connection
    ) throws -> [TodayPages.Show.NewsLine] {
        let zone = c.dates.zone
        let byDay = Dictionary(grouping: dailies) { LocalTime($0.at, zone).date }
        let newest = byDay.keys.sorted(by: >)
        var lines = try newest.prefix(Self.mostDays).map { day -> TodayPages.Show.NewsLine in
            let answers = byDay[day] ?? []
            let slots = try DailyStore.slots(
                in: therapy.id, from: zone.instant(day, hour: 0, minute: 0),
                until: min(zone.instant(day.adding(days: 1), hour: 0, minute: 0), c.now), connection)
            let delivered = max(slots.count(where: \.isDelivered), answers.count)
            var words = [
                "\(c.dates.shortDay(day)): \(c.texts.count("today.dailies", answers.count, of: delivered))"
            ]
            words += moods.sum(
                thoughts: answers.count(where: \.isThought), answers.compactMap(\.feeling))
            return TodayPages.Show.NewsLine(rest: words.joined(separator: " · "))
        }
        if newest.count > Self.mostDays {
            lines.append(.init(rest: c.texts.count("today.more_days", newest.count - Self.mostDays)))
        }
        return lines
    }

    /// In the patient's own time where it differs, and then said so.
    private func when(_ sheet: RecentContribution?, _ at: Instant) -> String {
        guard let sheet, sheet.completedAt == at else { return c.dates.short(at) }
        return c.local(at, in: sheet.timezone) { $0.short(at) }
    }
}
