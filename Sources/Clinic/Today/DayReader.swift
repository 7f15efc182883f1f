import Contributions
import Database
import Identity
import Instruments
import Records
import Rules
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The sessions of a day, and their number on the days around it.
struct DayReader {
    private let c: Context<Member>
    private let byID: [ID<Therapy>: Therapy]
    private let names: PatientNames

    init(_ therapies: [Therapy], _ names: PatientNames, _ c: Context<Member>) {
        self.c = c
        self.names = names
        byID = Dictionary(uniqueKeysWithValues: therapies.map { ($0.id, $0) })
    }

    /// Sessions that take place, or were planned to, by day.
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

    /// The week of a day, Monday first; Saturday and Sunday only with sessions.
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

    /// The first day with sessions within the week after a day.
    func next(after day: LocalDate, _ connection: borrowing Connection) throws -> LocalDate? {
        try plan(from: day.adding(days: 1), days: 7, connection).keys.filter { $0 > day }.min()
    }

    /// The sessions of each day, the earliest first.
    /// - Parameter isDrawn: with small courses, all of them by one statement.
    func visits(
        on days: [LocalDate], isDrawn: Bool = false, _ connection: borrowing Connection
    ) throws -> [[TodayPages.Show.Visit]] {
        let words = try RuleFormatter(c, connection)
        let entries = try days.map { day in
            try self.entries(try plan(from: day, days: 1, connection)[day] ?? [], connection)
        }
        let leads = try entries.map { try self.leads($0, connection) }
        let series = zip(entries, leads).flatMap { entries, leads in
            entries.compactMap { entry in leads[entry.session.id].map { (entry.therapy.id, $0) } }
        }
        let courses =
            isDrawn
            ? try LeadScales.courses(of: Dictionary(series) { first, _ in first }, connection) : [:]
        let next =
            days.first == c.dates.today
            ? entries.joined().first { $0.session.endsAt > c.now }?.session.id : nil
        return try zip(entries, leads).map { entries, leads in
            try entries.map { entry in
                try visit(
                    entry, leads[entry.session.id], drawn: courses[entry.therapy.id],
                    isNext: entry.session.id == next, words, connection)
            }
        }
    }

    /// `2 Sitzungen · die nächste um 18:00`; nil without a session.
    func count(_ visits: [TodayPages.Show.Visit]) -> String? {
        if visits.isEmpty { return nil }
        let next = visits.first {
            $0.startsAt > c.now && LocalTime($0.startsAt, c.dates.zone).date == c.dates.today
        }
        let words = [
            c.texts.count("today.sessions", visits.count),
            next.map { c.texts["today.next_at", ["time": $0.time]] },
        ]
        return words.compactMap(\.self).joined(separator: " · ")
    }

    /// A session of the day among the others of its therapy.
    private struct Entry {
        let therapy: Therapy
        let list: SessionList
        let place: SessionList.Numbered
        /// The last one held before it.
        let before: SessionList.Numbered?

        var session: Session { place.session }
    }

    private func entries(
        _ planned: [(therapy: ID<Therapy>, session: Session)], _ connection: borrowing Connection
    ) throws -> [Entry] {
        let all = try SessionStore.all(of: Array(Set(planned.map(\.therapy))), connection)
        return planned.compactMap { therapy, session in
            guard let therapy = byID[therapy] else { return nil }
            let list = SessionList(
                all[therapy.id] ?? [], startedOn: therapy.startedOn, zone: c.dates.zone, now: c.now)
            guard let index = list.all.firstIndex(where: { $0.session.id == session.id }) else { return nil }
            return Entry(
                therapy: therapy, list: list, place: list.all[index],
                before: list.all[..<index].last { $0.state == .held })
        }
    }

    /// The lead scale of each session. A second session of one day is counted from another last one: its therapy is
    /// read whole.
    private func leads(
        _ entries: [Entry], _ connection: borrowing Connection
    ) throws -> [ID<Session>: ScaleSeries] {
        let byTherapy = Dictionary(grouping: entries, by: \.therapy.id)
        let single = byTherapy.values.compactMap { $0.count == 1 ? $0[0] : nil }
        let held = single.compactMap { entry in entry.before.map { (entry.therapy.id, $0.session.endsAt) } }
        let cache = c.services.questionnaires
        let series = try LeadScales.abridged(
            of: single.map(\.therapy), held: Dictionary(held, uniquingKeysWith: { first, _ in first }),
            zone: c.dates.zone, cache, connection)
        var leads: [ID<Session>: ScaleSeries] = [:]
        for entry in entries {
            let isSingle = byTherapy[entry.therapy.id]?.count == 1
            leads[entry.session.id] =
                isSingle
                ? series[entry.therapy.id]?.first
                : try LeadScales.all(of: entry.therapy, cache, connection).first
        }
        return leads
    }

    private func visit(
        _ entry: Entry, _ lead: ScaleSeries?, drawn: ScaleSeries?, isNext: Bool, _ words: RuleFormatter,
        _ connection: borrowing Connection
    ) throws -> TodayPages.Show.Visit {
        let therapy = entry.therapy
        let session = entry.session
        let summary = SessionSummary(c, therapy, since: entry.before)
        let told = try summary.told(connection)
        let headline = summary.headline(of: lead, drawn: drawn)
        let name = try names[therapy.id]
        let state = entry.place.state
        let canMiss =
            session.startsAt <= c.now && state == .held && session.mark == nil
            || session.startsAt <= c.now && state == .planned
        let actions = VisitActions(session, of: therapy, canMiss: canMiss, isNext: isNext, c.texts)
        let last = entry.before?.lastOn(c.texts, c.dates)
        let notes = [last].compactMap(\.self) + (headline?.changes.map(\.words) ?? []) + told.facts
        let lines = try SessionReminder.all(
            in: therapy, since: entry.before?.session.endsAt ?? .distantPast, words, c.keys, connection)
        return TodayPages.Show.Visit(
            time: c.dates.time(session.startsAt), startsAt: session.startsAt, id: therapy.id,
            codename: therapy.codename,
            alias: name?.alias, number: entry.list.name(of: entry.place, c.texts, now: c.now),
            asked: told.asked, session: session.id, headline: headline, facts: told.facts, lines: lines,
            hasLines: !lines.isEmpty, missing: actions.missing, menu: actions.menu(notes: notes),
            isNext: isNext, isOver: session.endsAt <= c.now)
    }
}
