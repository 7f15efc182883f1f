import Database
import Identity
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The sessions of a day, and how many there are on the days around it.
struct DayReader {
    private let c: Context<Member>
    private let byID: [ID<Therapy>: Therapy]
    private let names: PatientNames

    init(_ therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>) {
        self.c = c
        self.names = names
        byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
    }

    /// Sessions that take place, or were to, by day.
    private typealias Plan = [LocalDate: [(therapy: ID<Therapy>, session: Session)]]

    private func plan(
        from: LocalDate, days: Int, _ connection: borrowing Connection
    ) throws -> Plan {
        let zone = c.dates.zone
        let all = try SessionStore.all(
            ofTherapist: c.proof.account.id, from: zone.instant(from, hour: 0, minute: 0),
            until: zone.instant(from.adding(days: days), hour: 0, minute: 0), connection)
        var plan: Plan = [:]
        for (therapy, sessions) in all {
            for session in sessions {
                let state = session.state(at: c.now)
                guard state == .planned || state == .held else { continue }
                let day = LocalTime(session.startsAt, zone).date
                plan[day, default: []].append((therapy, session))
            }
        }
        return plan.mapValues { $0.sorted { $0.session.startsAt < $1.session.startsAt } }
    }

    /// The week of a day, Monday first; Saturday and Sunday only where somebody comes.
    func week(of day: LocalDate, _ connection: borrowing Connection) throws -> [TodayPages.Show.WeekDay] {
        let monday = day.adding(days: 1 - day.weekday)
        let plan = try plan(from: monday, days: 7, connection)
        return (0..<7).compactMap { index in
            let date = monday.adding(days: index)
            let count = plan[date]?.count ?? 0
            if index > 4, count == 0, date != day { return nil }
            return TodayPages.Show.WeekDay(
                label: c.dates.shortDay(date), count: String(count),
                words: c.texts.count("today.sessions", count),
                path: date == c.dates.today ? "/" : "/?day=\(date.text)", isCurrent: date == day,
                isToday: date == c.dates.today)
        }
    }

    /// The first day after one, within a week, on which somebody comes.
    func next(after day: LocalDate, _ connection: borrowing Connection) throws -> LocalDate? {
        try plan(from: day.adding(days: 1), days: 7, connection).keys.filter { $0 > day }.min()
    }

    func visits(
        on day: LocalDate, _ connection: borrowing Connection
    ) throws -> [TodayPages.Show.Visit] {
        let planned = try plan(from: day, days: 1, connection)[day] ?? []
        let words = try RuleFormatter(c, connection)
        var isFirst = true
        return try planned.compactMap { entry in
            guard let therapy = byID[entry.therapy] else { return nil }
            let isComing = entry.session.endsAt > c.now
            let visit = try visit(
                entry.session, of: therapy, isNext: isFirst && isComing && day == c.dates.today, words,
                connection)
            if isComing { isFirst = false }
            return visit
        }
    }

    private func visit(
        _ session: Session, of therapy: Therapy, isNext: Bool, _ words: RuleFormatter,
        _ connection: borrowing Connection
    ) throws -> TodayPages.Show.Visit? {
        let list = try SessionStore.list(of: therapy, c.dates.zone, now: c.now, connection)
        guard let index = list.all.firstIndex(where: { $0.session.id == session.id }) else { return nil }
        let entry = list.all[index]
        let before = list.all[..<index].last { $0.state == .held }
        let summary = SessionSummary(c, therapy, since: before)
        let name = try names[therapy.id]
        return TodayPages.Show.Visit(
            time: c.dates.time(session.startsAt), startsAt: session.startsAt, id: therapy.id,
            codename: therapy.codename,
            alias: name?.alias, number: list.name(of: entry, c.texts, now: c.now),
            last: before?.lastOn(c.texts, c.dates),
            session: session.id, headline: try summary.headline(connection),
            facts: try summary.facts(connection),
            lines: try SessionReminder.all(
                in: therapy, since: before?.session.endsAt ?? .distantPast, words, c.keys, connection),
            canMiss: session.startsAt <= c.now && entry.state == .held && session.mark == nil
                || session.startsAt <= c.now && entry.state == .planned,
            isNext: isNext)
    }
}
