import Database
import HTTP
import Identity
import Records
import Scheduling
import Therapies
import Web
import Wire
import Wording

/// The sessions of all patients: a week first, with today on top, and the month behind a link (PR-14).
package enum WeekPages {
    typealias Row = AppointmentPages.Row

    /// A day of the week that is shown.
    struct Day: Encodable, Sendable {
        let label: String
        let isToday: Bool
        let isPast: Bool
        /// Somebody is away: the therapist.
        let isPaused: Bool
        let rows: [Row]
    }
    struct Week: Encodable, Sendable {
        let title: String
        let days: [Day]
        let previous: String
        let next: String
        let current: String?

        static let example = Week(
            title: "23.11. bis 29.11.2026",
            days: [
                Day(
                    label: "Dienstag, 24. November", isToday: true, isPast: false, isPaused: false,
                    rows: [.example])
            ], previous: "?week=2026-11-16", next: "?week=2026-11-30", current: nil)
    }
    /// The month with the lists below it.
    struct Month: Encodable, Sendable {
        let month: MonthGrid
        let coming: [Row]
        let past: AppointmentPages.Past
    }
    package struct All: Page {
        package static let template = "appointments/index"
        package static let section: NavigationItem? = .appointments
        /// One of the two is shown.
        let week: Week?
        let inMonth: Month?
        /// Where the other view lies.
        let weekPath: String
        let monthPath: String

        package static let example = All(
            week: .example, inMonth: Month(month: .example, coming: [.example], past: .example),
            weekPath: "/appointments", monthPath: "/appointments?month=2026-11")
    }

    static func routes(_ routes: inout Routes) {
        routes.page(.get, "/appointments", .therapist, show)
    }

    private static let path = "/appointments"
    /// How far a week may lie off: what a session may, and the years before.
    private static let mostWeeks: Int64 = 1040

    @Sendable static func show(_ c: Context<Member>) throws -> Reply {
        let query = c.request.query
        let today = c.dates.today
        let monday = { (day: LocalDate) in day.adding(days: 1 - day.weekday) }
        let asked = query["week"].flatMap { LocalDate($0) }.flatMap { day in
            abs(day.daysSince1970 - today.daysSince1970) <= mostWeeks * 7 ? day : nil
        }
        let first = monday(asked ?? today)
        let inMonth = query["month"] != nil || query["page"] != nil
        let page = try c.read { connection -> All in
            let desk = try Desk(c, connection)
            return All(
                week: inMonth ? nil : try desk.week(first), inMonth: inMonth ? try desk.month() : nil,
                weekPath: path, monthPath: "\(path)?month=\((asked ?? today).text.prefix(7))")
        }
        return .page(page)
    }

    /// All sessions of a therapist with whom they are with.
    private struct Desk {
        let c: Context<Member>
        /// The earliest first.
        let entries: [AppointmentPages.Listed]
        let names: PatientNames
        let pauses: PauseSpans
        let words: SessionFormatter

        init(_ c: Context<Member>, _ connection: borrowing Connection) throws {
            self.c = c
            let therapist = c.proof.account.id
            let therapies = try TherapyStore.caseload(of: therapist, connection)
            let sessions = try SessionStore.all(ofTherapist: therapist, connection)
            entries = therapies.flatMap { therapy in
                let list = SessionList(
                    sessions[therapy.id] ?? [], startedOn: therapy.startedOn, zone: c.dates.zone, now: c.now)
                return AppointmentPages.entries(list, of: therapy, c)
            }.sorted { $0.session.session.startsAt < $1.session.session.startsAt }
            pauses = PauseSpans(try PauseStore.own(of: therapist, connection), c.dates.zone)
            words = SessionFormatter(c.texts, c.dates, c.now)
            names = PatientNames(therapies, c)
        }

        private func rows(_ part: [AppointmentPages.Listed], back: String? = nil) throws -> [Row] {
            try part.map { entry in
                let alias = try names[entry.therapy.id]?.alias
                return words.row(
                    entry.session, of: entry.therapy, alias: alias, entry.name, nil,
                    canMark: entry.therapy.endedAt == nil, back: back)
            }
        }

        /// Of the present week what is over stands below what is to come.
        func week(_ first: LocalDate) throws -> Week {
            let dates = c.dates
            let today = dates.today
            let address = { (day: LocalDate) in "\(path)?week=\(day.text)" }
            let isCurrent = first <= today && today < first.adding(days: 7)
            var byDay: [LocalDate: [AppointmentPages.Listed]] = [:]
            for entry in entries {
                byDay[LocalTime(entry.session.session.startsAt, dates.zone).date, default: []].append(entry)
            }
            let days = try (0..<7).map { offset in
                let day = first.adding(days: offset)
                return Day(
                    label: dates.weekday(dates.zone.instant(day, hour: 12, minute: 0)), isToday: day == today,
                    isPast: day < today,
                    isPaused: pauses.contains(day),
                    rows: try rows(byDay[day] ?? [], back: isCurrent ? path : address(first)))
            }
            let ordered = isCurrent ? days.filter { !$0.isPast } + days.filter(\.isPast) : days
            return Week(
                title: c.texts[
                    "appointments.week_of",
                    ["from": dates.numericDay(first), "until": dates.day(first.adding(days: 6))]],
                days: ordered, previous: address(first.adding(days: -7)),
                next: address(first.adding(days: 7)), current: isCurrent ? nil : path)
        }

        func month() throws -> Month {
            let coming = entries.filter { $0.session.session.endsAt > c.now }.prefix(AppointmentPages.listed)
            return Month(
                month: try AppointmentPages.month(entries, path: path, pauses, c) { entry in
                    let name = try names[entry.therapy.id]
                    let label = name?.alias ?? entry.therapy.codename
                    return words.visit(entry.session, label: label, patient: entry.therapy.id)
                },
                coming: try rows(Array(coming)),
                past: try AppointmentPages.past(entries, path: path, c) { try rows($0) })
        }
    }
}
